package said

import (
	"testing"

	"tunic/internal/wire"
)

// TestInfo: what servers say in the text of an OK, and what is known where they say nothing.
func TestInfo(t *testing.T) {
	for info, want := range map[string]struct{ matched, changed int }{
		"Rows matched: 12  Changed: 5  Warnings: 3": {12, 5},
		"Rows matched: 0  Changed: 0  Warnings: 0":  {0, 0},
		"Records: 3  Duplicates: 0  Warnings: 0":    {7, 7},
		"Rows matched: many  Changed: some":         {7, 7},
		"":                                          {7, 7},
	} {
		ok := &wire.OK{Info: []byte(info), AffectedRows: 7}
		if matched, changed := MatchedRows(ok), ChangedRows(ok); matched != want.matched || changed != want.changed {
			t.Errorf("%q: %d have matched and %d changed", info, matched, changed)
		}
	}
	for info, want := range map[string]string{
		"Rows matched: 1  Changed: 1  Warnings: 3": "Rows matched: 1  Changed: 1  Warnings: 5",
		"Warnings: 9":    "Warnings: 11",
		"Warnings: none": "Warnings: none",
		"Records: 3":     "Records: 3",
		"":               "",
	} {
		given := []byte(info)
		if got := WithWarnings(given, 2); string(got) != want || string(given) != info {
			t.Errorf("%q became %q", info, got)
		}
	}
}
