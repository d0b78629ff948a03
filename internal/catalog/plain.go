package catalog

import (
	"crypto/sha256"
	"strings"
)

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

// Keyed notes of a plain table that the server has a primary key of it: SHOW COLUMNS names none for a view.
func (t *Table) Keyed() {
	t.keyed = true
	h := sha256.New()
	h.Write(t.ID[:])
	h.Write([]byte("keyed"))
	copy(t.ID[:], h.Sum(nil))
}

// MayBeView reports whether it is a plain table that may be a view of the server's own.
func (t *Table) MayBeView() bool { return t.Plain() && !t.keyed }

// Define gives a plain table what SHOW CREATE TABLE says of it, for a statement that
// writes it. The key that its rows are found again by is of the columns that SHOW COLUMNS
// calls PRI, which are those of the primary key or of a unique one without NULL; by the
// whole of a column, even where the key has the beginning of it. Two with the same columns
// and different definitions, up to the engine, are not equal by Is.
func (t *Table) Define(definition string, key []string) {
	t.Definition = definition
	if len(key) > 0 {
		k := Key{Name: "PRIMARY", Kind: Primary}
		for _, name := range key {
			k.Parts = append(k.Parts, Part{Column: name})
		}
		t.Keys = []Key{k}
	}
	said, options, _ := strings.Cut(definition, "\n) ENGINE=")
	engine, _, _ := strings.Cut(options, " ") // what is behind it may count rows
	h := sha256.New()
	h.Write(t.ID[:])
	h.Write([]byte(said + "\x00" + engine))
	copy(t.ID[:], h.Sum(nil))
}

// Refers reports whether a plain table that is defined has a foreign key.
func (t *Table) Refers() bool { return strings.Contains(t.Definition, " FOREIGN KEY (") }

func oneIf(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

// Plain reports whether the table is one of NewPlain.
func (t *Table) Plain() bool { return t.Twin == "" }
