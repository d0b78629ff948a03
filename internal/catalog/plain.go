package catalog

import "crypto/sha256"

// NewPlain makes a table that is not protected, as it is known to a statement that
// reads it beside protected ones. It is in no catalog. Two with the same columns are
// equal by Is.
func NewPlain(schema, name string, columns []Column) *Table {
	t := &Table{Schema: schema, Name: name, Columns: columns}
	h := sha256.New()
	for _, part := range []string{schema, name} {
		h.Write([]byte(part + "\x00"))
	}
	for i := range columns {
		c := &columns[i]
		collation := ""
		if c.Type.Collation != nil {
			collation = c.Type.Collation.Name
		}
		for _, part := range []string{c.Name, c.TypeText, collation, oneIf(c.Type.NotNull), oneIf(c.Invisible)} {
			h.Write([]byte(part + "\x00"))
		}
	}
	copy(t.ID[:], h.Sum(nil))
	t.index()
	return t
}

func oneIf(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

// Plain reports whether the table is one of NewPlain.
func (t *Table) Plain() bool { return t.Twin == "" }
