package exec

import (
	"tunic/internal/eval"
	"tunic/internal/exec/change"
)

// besides adds the statements for rows that refer to a row. target is the table of several
// that it is of, nil if there is one.
func (t *batch) besides(w *change.Write, row, to eval.Row, target *targetRun) error {
	defer func() { t.beside = nil }()
	for i := range w.Followers {
		b := &w.Followers[i]
		if !b.Concerns(row, to) {
			continue
		}
		t.beside = b
		if err := t.add(b.Printed, row, to); err != nil {
			return err
		}
		if target != nil {
			t.changes = append(t.changes, true)
		}
	}
	return nil
}

// rowsBefore is how many of the first n statements write rows of the statement's own.
func (t *batch) rowsBefore(n int) (rows int) {
	rows = n
	for _, aside := range t.asides[:min(n, len(t.asides))] {
		if aside {
			rows--
		}
	}
	return rows
}
