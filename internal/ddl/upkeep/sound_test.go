package upkeep

import (
	"errors"
	"testing"
)

// TestSoundBy: how answers to CHECK TABLE are read.
func TestSoundBy(t *testing.T) {
	for name, c := range map[string]struct {
		said    []checkLine
		sound   bool
		damaged bool
		told    string
	}{
		"ok":       {[]checkLine{{"status", "OK"}}, true, false, ""},
		"warned":   {[]checkLine{{"Warning", "InnoDB: something"}, {"status", "OK"}}, true, false, ""},
		"no check": {[]checkLine{{"note", "The storage engine for the table doesn't support check"}}, true, false, ""},
		"damaged": {
			[]checkLine{{"Warning", "InnoDB: Index 'name' contains 10 entries, should be 9."}, {"error", "Corrupt"}}, false, true,
			"InnoDB: Index '…' contains 10 entries, should be 9; Corrupt",
		},
		"waited":  {[]checkLine{{"Error", "Lock wait timeout exceeded; try restarting transaction"}, {"status", "Operation failed"}}, false, false, "Lock wait timeout exceeded; try restarting transaction; Operation failed"},
		"nothing": {nil, false, false, ""},
	} {
		err := soundBy(c.said)
		unsound, ok := errors.AsType[*UnsoundError](err)
		if c.sound != (err == nil) || ok && (unsound.Damaged != c.damaged || unsound.Said != c.told || (unsound.Fix() != "") != c.damaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
