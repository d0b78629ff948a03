package bench

import (
	"tunic/internal/bench/document"

	"tunic/internal/bench/matrix"
)

// failedCells counts the cells that have no numbers, and not because of a refusal that is no
// failure.
func failedCells(d *document.Document) int {
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
