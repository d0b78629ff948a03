package comparison

import (
	"tunic/internal/eval/program"
	"tunic/internal/value"
)

// RowMember is a row of the list, or all of those that the statement's text repeats:
// then it has, for each column, the members of the forms that there are.
type RowMember struct {
	Cells [][]Member
	List  bool
}

// RowCell is a cell of a row of the list: how it is compared, and its value.
type RowCell struct {
	of   *Comparison // nil for NULL
	item program.Datum
}

// sameRow reports whether no column differs from that of a row, and whether that is
// known of all of them.
func sameRow(r *program.Run, columns []*program.Node, row []RowCell) (same, known bool) {
	known = true
	for i := range row {
		k := row[i].of
		switch {
		case k == nil || columns[i].Ev(r).Null:
			known = false
		case k.Compare(r, k.A(r), &row[i].item) != 0:
			return false, true
		}
	}
	return true, known
}

// RowsOf reads the rows.
func RowsOf(r *program.Run, members []RowMember) (rows [][]RowCell) {
	several := numberOf(r, members) > 1
	for i := range members {
		m := &members[i]
		if !m.List {
			row := make([]RowCell, len(m.Cells))
			for k, cell := range m.Cells {
				row[k] = readCell(r, &cell[0], several)
			}
			rows = append(rows, row)
			continue
		}
		for n := range r.In.Lists[r.X.Lists[m.listOf()].Index] {
			row := make([]RowCell, len(m.Cells))
			for k, cell := range m.Cells {
				row[k] = listCell(r, cell, n, several)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// numberOf is how many rows there are.
func numberOf(r *program.Run, members []RowMember) (n int) {
	for i := range members {
		if m := &members[i]; m.List {
			n += len(r.In.Lists[r.X.Lists[m.listOf()].Index])
		} else {
			n++
		}
	}
	return n
}

// listOf is one of the lists of the columns, which are all as long.
func (m *RowMember) listOf() int { return m.Cells[0][0].List }

// readCell reads a cell of a row. One of several that servers compare otherwise is refused.
func readCell(r *program.Run, m *Member, several bool) RowCell {
	d := m.B(r)
	if d.Null {
		return RowCell{}
	}
	if several && m.Otherwise != nil {
		if reason := m.Otherwise(r, d); reason != "" {
			r.Refuse(reason)
		}
	}
	cell := RowCell{of: &m.Comparison, item: *d}
	cell.item.B = append([]byte(nil), d.B...)
	return cell
}

// listCell reads the n-th constant of a list.
func listCell(r *program.Run, members []Member, n int, several bool) RowCell {
	list := &r.X.Lists[members[0].List]
	s := &r.In.Lists[list.Index][n]
	proto := list.Proto(s.Form)
	switch {
	case s.Form == value.FormNull:
		return RowCell{}
	case proto == nil:
		r.Err = program.ErrShape
		return RowCell{}
	}
	for i := range members {
		if m := &members[i]; m.Form == s.Form {
			if err := program.SetSource(&r.Slots[m.Slot], s, proto.Shape); err != nil {
				r.Err = err
			}
			return readCell(r, m, several)
		}
	}
	return RowCell{}
}

// FindRow looks the columns of the left side up among rows.
func FindRow(r *program.Run, columns []*program.Node, rows [][]RowCell) *program.Datum {
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
