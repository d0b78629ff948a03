package said

import (
	"strings"
	"testing"

	"tunic/internal/wire"
)

// TestSyntaxError: what is quoted of a text is cut between characters, as each server cuts it.
func TestSyntaxError(t *testing.T) {
	long := strings.Repeat("ä", 60)
	for _, c := range []struct {
		mariaDB    bool
		rest, want string
	}{
		{false, "FORM t", "MySQL server version for the right syntax to use near 'FORM t' at line 2"},
		{true, "FORM t", "MariaDB server version for the right syntax to use near 'FORM t' at line 2"},
		{false, long, "near '" + strings.Repeat("ä", 40) + "' at"},
		{true, long, "near '" + strings.Repeat("ä", 38) + "...' at"},
		{false, "x" + long, "near 'x" + strings.Repeat("ä", 39) + "' at"},
	} {
		e := SyntaxError(c.mariaDB, c.rest, 2)
		if e.Number != 1064 || e.Code != 0 {
			t.Errorf("%d, %v", e.Number, e.Code)
		}
		if !strings.Contains(e.Message, c.want) {
			t.Errorf("%s\nwant %s", e.Message, c.want)
		}
	}
}

// TestDuplicateRows: how many rows an INSERT has found, where the server says so and where it does not.
func TestDuplicateRows(t *testing.T) {
	for info, want := range map[string]int{"Records: 3  Duplicates: 2  Warnings: 0": 2, "": 1, "Records: 1": 1} {
		if got := DuplicateRows(&wire.OK{Info: []byte(info), AffectedRows: 2}); got != want {
			t.Errorf("%q: %d, want %d", info, got, want)
		}
	}
	if got := DuplicateRows(&wire.OK{AffectedRows: 1}); got != 0 {
		t.Errorf("a row that was inserted: %d", got)
	}
}

// TestLaterRow: a message of one of several statements is told with the number that its row has in all of them.
func TestLaterRow(t *testing.T) {
	for message, want := range map[string]string{
		"Data too long for column 'at row 1' at row 2": "Data too long for column 'at row 1' at row 12",
		"Duplicate entry 'a'":                          "Duplicate entry 'a'",
		"Something at row x":                           "Something at row x",
	} {
		given := []byte(message)
		if got := string(LaterRow(given, 10)); got != want || string(given) != message {
			t.Errorf("%s: %s", message, got)
		}
	}
	if got := string(Records(3, 1, 2)); got != "Records: 3  Duplicates: 1  Warnings: 2" {
		t.Errorf("%s", got)
	}
}
