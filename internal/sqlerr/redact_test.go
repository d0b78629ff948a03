package sqlerr

import "testing"

// TestRedacted: what a server quotes is left out, whatever is in it.
func TestRedacted(t *testing.T) {
	for message, want := range map[string]string{
		"":                                     "",
		"Query execution was interrupted":      "Query execution was interrupted",
		"Duplicate entry 'canary' for key 'k'": "Duplicate entry '…'",
		"Incorrect string value: '\\xFF' for column `s`.`t`.`c` at row 7":    "Incorrect string value: '…` at row 7",
		"Data truncated: 'it's a canary' at row 1":                           "Data truncated: '…' at row 1",
		`Got error 6 "No such device or address" from storage engine InnoDB`: `Got error 6 "…" from storage engine InnoDB`,
		"near 'canary": "near …",
	} {
		if got := Redacted(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
