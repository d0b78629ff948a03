package outcome

import (
	"encoding/binary"
	"strconv"

	"tunic/internal/sql"
	"tunic/internal/wire"
)

// Shown is what a SHOW WARNINGS asks for.
type Shown struct{ sql.ShownWarnings }

// All is the same question without its LIMIT, which is about more than the server has.
func (w Shown) All() []byte {
	text := []byte("SHOW ")
	if w.Count {
		text = append(text, "COUNT(*) "...)
	}
	if w.Errors {
		return append(text, "ERRORS"...)
	}
	return append(text, "WARNINGS"...)
}

// Limit is what is to be shown of the list.
func (w Shown) Limit(rows [][]wire.Cell) [][]wire.Cell {
	if !w.Limited {
		return rows
	}
	rows = rows[min(w.Offset, uint64(len(rows))):]
	return rows[:min(w.Rows, uint64(len(rows)))]
}

// InBinary makes binary cells of those that are numbers.
func InBinary(cells []wire.Cell, columns []wire.ColumnDefinition) bool {
	for i := range cells {
		bytesOf, number := integerBytes[columns[i].Type]
		if !number {
			continue
		}
		n, err := strconv.ParseInt(string(cells[i].Bytes), 10, 64)
		if err != nil {
			return false
		}
		cells[i].Bytes = binary.LittleEndian.AppendUint64(nil, uint64(n))[:bytesOf]
	}
	return true
}

// integerBytes are the bytes of a number in a binary row.
var integerBytes = map[wire.Type]int{
	wire.TypeTiny: 1, wire.TypeShort: 2, wire.TypeInt24: 4, wire.TypeLong: 4, wire.TypeLongLong: 8,
}

// Notice is a row of SHOW WARNINGS.
func Notice(level string, number int, message []byte) []wire.Cell {
	return []wire.Cell{{Bytes: []byte(level)}, {Bytes: strconv.AppendInt(nil, int64(number), 10)}, {Bytes: message}}
}
