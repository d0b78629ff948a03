package eval

import (
	"tunic/internal/eval/program"
	"tunic/internal/value"
)

// rowMember is a row of the list, or all of those that the statement's text repeats:
// then it has, for each column, the members of the forms that there are.
type rowMember struct {
	cells [][]member
	list  bool
}

// rowCell is a cell of a row of constants: how it is compared, and its value.
type rowCell struct {
	of   *comparison // nil for NULL
	item program.Datum
}

// sameRow reports whether no column differs from that of a row, and whether that is
// known of all of them.
func sameRow(r *program.Run, columns []*program.Node, row []rowCell) (same, known bool) {
	known = true
	for i := range row {
		k := row[i].of
		switch {
		case k == nil || columns[i].Ev(r).Null:
			known = false
		case k.compare(r, k.a(r), &row[i].item) != 0:
			return false, true
		}
	}
	return true, known
}

// rowsOf reads the constants.
func rowsOf(r *program.Run, members []rowMember) (rows [][]rowCell) {
	for i := range members {
		m := &members[i]
		if !m.list {
			row := make([]rowCell, len(m.cells))
			for k, cell := range m.cells {
				row[k] = readCell(r, &cell[0])
			}
			rows = append(rows, row)
			continue
		}
		for n := range r.In.Lists[r.X.Lists[m.listOf()].Index] {
			row := make([]rowCell, len(m.cells))
			for k, cell := range m.cells {
				row[k] = listCell(r, cell, n)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// listOf is one of the lists of the columns, which are all as long.
func (m *rowMember) listOf() int { return m.cells[0][0].list }

// readCell reads a constant.
func readCell(r *program.Run, m *member) rowCell {
	d := m.b(r)
	if d.Null {
		return rowCell{}
	}
	cell := rowCell{of: &m.comparison, item: *d}
	cell.item.B = append([]byte(nil), d.B...)
	return cell
}

// listCell reads the n-th constant of a list.
func listCell(r *program.Run, members []member, n int) rowCell {
	list := &r.X.Lists[members[0].list]
	s := &r.In.Lists[list.Index][n]
	proto := list.Proto(s.Form)
	switch {
	case s.Form == value.FormNull:
		return rowCell{}
	case proto == nil:
		r.Err = program.ErrShape
		return rowCell{}
	}
	for i := range members {
		if m := &members[i]; m.form == s.Form {
			if err := program.SetSource(&r.Slots[m.slot], s, proto.Shape); err != nil {
				r.Err = err
			}
			return readCell(r, m)
		}
	}
	return rowCell{}
}

// findRow looks the columns of the left side up among rows.
func findRow(r *program.Run, columns []*program.Node, rows [][]rowCell) *program.Datum {
	unknown := false
	for _, row := range rows {
		same, known := sameRow(r, columns, row)
		if same && known {
			return program.TrueDatum
		}
		unknown = unknown || same
	}
	if unknown {
		return program.NullDatum
	}
	return program.FalseDatum
}
