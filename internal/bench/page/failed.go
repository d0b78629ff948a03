package page

import (
	"errors"
	"fmt"

	"tunic/internal/bench/document"

	"tunic/internal/bench/matrix"
)

// FailedCells counts the cells that have no numbers, and not because of a refusal that is no
// failure.
func FailedCells(d *document.Document) int {
	n := 0
	for i := range d.Cells {
		cell := &d.Cells[i]
		if cell.Summary.FailedRuns > 0 && (!cell.Refused() || answersAll(d, cell)) {
			n++
		}
	}
	return n
}

// answersAll tells whether tunic is to carry out all that the cell's load sends: questions,
// which are chosen by what it does, and the transactions of order entry. A median without the
// refused ones is of something else.
func answersAll(d *document.Document, c *document.Cell) bool {
	return asksQuestions(d) || c.Workload == matrix.TPCC.Name
}

// Failures are an error once all is shown.
func Failures(d *document.Document) error {
	if !d.Complete {
		return errors.New("interrupted; shown is what was measured before")
	}
	if n := FailedCells(d); n > 0 {
		return fmt.Errorf("%d of %d measurements failed; the table names them", n, len(d.Cells))
	}
	return nil
}
