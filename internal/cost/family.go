package cost

import (
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
)

// familyName is what the figures call orderLine.
const familyName = "family of 10 columns"

// orderLine are the columns of a family like TPC-C's order lines.
var orderLine = []sample{
	{name: "int", text: number("%d")},
	{name: "tinyint", text: func(i int) string { return fmt.Sprint(i % 10) }},
	{name: "smallint", text: func(i int) string { return fmt.Sprint(i) }},
	{name: "tinyint", text: func(i int) string { return fmt.Sprint(i % 15) }},
	{name: "int", text: number("%d")},
	{name: "smallint", text: func(i int) string { return fmt.Sprint(i) }},
	{name: "datetime", text: func(i int) string { return fmt.Sprintf("2024-05-04 13:30:%02d", i%60) }},
	{name: "tinyint", text: func(i int) string { return fmt.Sprint(i % 10) }},
	{name: "decimal(6,2)", text: func(i int) string { return fmt.Sprintf("%d.25", i) }},
	{name: "char(24)", collation: general, text: number("twenty-four chars %06d")},
}

// familyOperations are to seal a row's values as one record, and to open it and read them all.
func familyOperations(ring *crypt.Ring) ([]operation, error) {
	family, err := newFamily(ring)
	if err != nil {
		return nil, err
	}
	rows, err := familyRows()
	if err != nil {
		return nil, err
	}
	sealed := make([][]byte, len(rows))
	for i, values := range rows {
		if sealed[i], err = family.AppendSealed(nil, values); err != nil {
			return nil, err
		}
	}
	longer := make([]byte, 0, 256)
	return []operation{
		{familyName, "seal", pieceMost, func(dst []byte, i int) ([]byte, error) { return family.AppendSealed(dst, rows[i]) }},
		{familyName, "open", pieceMost, func(dst []byte, i int) ([]byte, error) {
			dst, opened, err := family.AppendOpened(dst, sealed[i])
			for at := range orderLine {
				if err == nil {
					_, _, _ = opened.Value(longer[:0], at)
				}
			}
			return dst, err
		}},
	}, nil
}

// newFamily is the cryptography of the family of orderLine.
func newFamily(ring *crypt.Ring) (*crypt.Family, error) {
	t := &catalog.Table{Families: []catalog.Family{{ID: catalog.ID{1}, Stored: "line$form"}}}
	var members []*catalog.Column
	for i := range orderLine {
		c, err := orderLine[i].column()
		if err != nil {
			return nil, err
		}
		c.ID, c.Family = catalog.ID{2, byte(i)}, t.Families[0].Stored
		t.Columns = append(t.Columns, c)
	}
	for i := range t.Columns {
		members = append(members, &t.Columns[i])
	}
	written, err := crypt.AppendLayout(nil, members)
	if err != nil {
		return nil, err
	}
	t.Families[0].Layouts = []catalog.Layout{{Number: 1, Written: written}}
	return ring.Family(t, &t.Families[0])
}

// familyRows are the rows that take turns, each with its values in canonical form.
func familyRows() ([][][]byte, error) {
	rows := make([][][]byte, different)
	for i := range orderLine {
		c, err := orderLine[i].column()
		if err != nil {
			return nil, err
		}
		values, err := orderLine[i].canonical(&c.Type)
		if err != nil {
			return nil, err
		}
		for j, v := range values {
			rows[j] = append(rows[j], v)
		}
	}
	return rows, nil
}
