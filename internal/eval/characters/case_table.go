package characters

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// caseTSV has the letters that LOWER and UPPER change beyond ASCII, written by
// TestCaseTables from the servers themselves. A line is a run of letters:
//
//	table  direction  first  last  step  delta
//
// The direction is l or u, letters are hexadecimal numbers, of which the run has every
// first, second and so on as step says, and delta is what is added to each of them.
// Characters that are in no run stay what they are. A delta of 0 is that of letters whose
// other case has more bytes, where MySQL writes it into the place of the first, and loses
// it or the end of the text.
//
//go:embed case.tsv
var caseTSV string

// A CaseTable is the other case of letters: one character for each.
type CaseTable struct{ lower, upper []caseRun }

type caseRun struct{ first, last, step, delta rune }

var caseTables = sync.OnceValue(func() map[string]*CaseTable { return readCaseTables(caseTSV) })

func readCaseTables(list string) map[string]*CaseTable {
	all := map[string]*CaseTable{}
	for line := range strings.Lines(list) {
		var name, direction string
		var run caseRun
		if _, err := fmt.Sscanf(line, "%s\t%s\t%x\t%x\t%d\t%d", &name, &direction, &run.first, &run.last, &run.step, &run.delta); err != nil {
			continue
		}
		t := all[name]
		if t == nil {
			t = &CaseTable{}
			all[name] = t
		}
		if direction == "l" {
			t.lower = append(t.lower, run)
		} else {
			t.upper = append(t.upper, run)
		}
	}
	return all
}

// CaseTableOf is the table of a collation on a server, nil if it is not known. Both
// servers have one of old, and others for the collations of later versions of Unicode.
func CaseTableOf(f value.Flavor, collation *charset.Collation) *CaseTable {
	if f == value.TiDB {
		return nil
	}
	name, family := collation.Name, "default"
	switch mariadb := f == value.MariaDB; {
	case mariadb && strings.Contains(name, "1400"):
		family = "mariadb-1400"
	case mariadb && (strings.Contains(name, "_520") || strings.Contains(name, "myanmar")):
		family = "mariadb-520"
	case !mariadb && strings.Contains(name, "0900"):
		family = "mysql-900"
	case !mariadb && strings.Contains(name, "_520"):
		family = "mysql-520"
	}
	return caseTables()[family]
}

// of is the other case of a character; ok is false if servers may lose it.
func (t *CaseTable) of(r rune, toUpper bool) (other rune, ok bool) {
	runs := t.lower
	if toUpper {
		runs = t.upper
	}
	i, found := slices.BinarySearchFunc(runs, r, func(run caseRun, r rune) int { return int(run.first - r) })
	if !found {
		i--
	}
	if i < 0 || r > runs[i].last || (r-runs[i].first)%runs[i].step != 0 {
		return r, true
	}
	return r + runs[i].delta, runs[i].delta != 0
}
