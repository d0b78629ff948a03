package arena

import "tunic/internal/eval"

// Rows copies rows that are kept to the end of a statement: many of them into one
// piece of memory. A row of a piece is freed with all others, so that it is not for
// rows that others displace.
type Rows struct {
	bytes []byte
	cells eval.Row
}

// Sizes of pieces. The first is for the few rows that most statements have; from then
// on they double.
const (
	keepBytesFirst, keepBytesMost = 1 << 10, 32 << 10
	keepCellsFirst, keepCellsMost = 32, 1 << 10
)

// Keep copies a row. What is NULL stays so, and what is empty is not NULL.
func (k *Rows) Keep(r eval.Row) eval.Row {
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
func (k *Rows) makeRoom(r eval.Row) {
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

// Reset empties it for rows of another statement: its last piece, which is the
// largest, is used once more.
func (k *Rows) Reset() {
	k.bytes, k.cells = Bounded(k.bytes, 1)[:0], Bounded(k.cells, ValueBytes)[:0]
}

// pieceOf is the size of the piece after one of size last, with room for need.
func pieceOf(last, need, first, most int) int {
	return max(need, first, min(2*last, most))
}

// ValueBytes is what a value takes in a row beside its bytes.
const ValueBytes = 24

// RowBytes is what a row takes that is kept.
func RowBytes(r eval.Row) int {
	n := ValueBytes * (len(r) + 1)
	for _, v := range r {
		n += len(v)
	}
	return n
}

// CopyOf copies a row into memory of its own.
func CopyOf(r eval.Row) eval.Row {
	n := 1
	for _, v := range r {
		n += len(v)
	}
	kept := make(eval.Row, len(r))
	buffer := make([]byte, 1, n)
	for i, v := range r {
		if v == nil {
			continue
		}
		begin := len(buffer)
		buffer = append(buffer, v...)
		kept[i] = buffer[begin:len(buffer):len(buffer)]
	}
	return kept
}
