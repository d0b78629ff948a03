package exec

import "tunic/internal/eval"

// keeper copies rows that are kept to the end of a statement: many of them into one
// piece of memory. A row of a piece is freed with all others, so that it is not for
// rows that others displace.
type keeper struct {
	bytes []byte
	cells eval.Row
}

// Sizes of pieces. The first is for the few rows that most statements have; from then
// on they double.
const (
	keepBytesFirst, keepBytesMost = 1 << 10, 32 << 10
	keepCellsFirst, keepCellsMost = 32, 1 << 10
)

// keep copies a row. What is NULL stays so, and what is empty is not NULL.
func (k *keeper) keep(r eval.Row) eval.Row {
	k.makeRoom(r)
	begin := len(k.cells)
	for _, v := range r {
		if v == nil {
			k.cells = append(k.cells, nil)
			continue
		}
		at := len(k.bytes)
		k.bytes = append(k.bytes, v...)
		k.cells = append(k.cells, k.bytes[at:len(k.bytes):len(k.bytes)])
	}
	return k.cells[begin:len(k.cells):len(k.cells)]
}

// makeRoom begins new pieces if the row does not fit into what is left.
func (k *keeper) makeRoom(r eval.Row) {
	bytes := 0
	for _, v := range r {
		bytes += len(v)
	}
	if free := cap(k.bytes) - len(k.bytes); k.bytes == nil || bytes > free {
		k.bytes = make([]byte, 0, pieceOf(cap(k.bytes), bytes, keepBytesFirst, keepBytesMost))
	}
	if free := cap(k.cells) - len(k.cells); len(r) > free {
		k.cells = make(eval.Row, 0, pieceOf(cap(k.cells), len(r), keepCellsFirst, keepCellsMost))
	}
}

// again empties the keeper for rows of another statement: its last piece, which is the
// largest, is used once more.
func (k *keeper) again() {
	k.bytes, k.cells = bounded(k.bytes, 1)[:0], bounded(k.cells, valueBytes)[:0]
}

// pieceOf is the size of the piece after one of size last, with room for need.
func pieceOf(last, need, first, most int) int {
	return max(need, first, min(2*last, most))
}
