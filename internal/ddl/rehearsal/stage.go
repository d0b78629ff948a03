package rehearsal

import (
	"fmt"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/revision"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// Sizes of a rehearsal.
const (
	rehearsedRows  = 2000
	rehearsedLeast = 100
	rehearsedBytes = 4 << 20
	rehearsedTimes = 3       // the rows are doubled before the table is made anew
	rehearsedValue = 1 << 16 // bytes of a value at most
)

// stage is the table of a rehearsal.
type stage struct {
	table  *catalog.Table
	values []string // of the plain columns that get a shadow
	stored []string // the definitions of all columns
	keyed  int      // keys that are over layers
	width  int      // bytes of a row
}

func newStage(id catalog.ID, t *catalog.Table, lengths map[string]int, rest int) *stage {
	s := &stage{table: &catalog.Table{ID: id, Schema: catalog.Schema, Name: definition.TwinName(id, 1) + "_r", Revision: 1}, width: rest}
	own := catalog.Column{Name: "id", TypeText: "bigint", Type: value.Type{Kind: value.BigInt, NotNull: true}}
	s.table.Columns = []catalog.Column{own}
	s.stored = []string{"id bigint NOT NULL PRIMARY KEY"}
	s.table.Keys = []catalog.Key{{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}}}}
	blobs := form.BlobsFor(t)
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Protected() && revision.NotShadowed(t, c) == nil {
			s.add(c, blobs[c.Stored()], min(lengths[c.Name], rehearsedValue))
		}
	}
	s.families(t, blobs)
	for i := range t.Keys {
		for _, p := range t.Keys[i].Parts {
			if p.Layer != 0 {
				s.keyed++
				break
			}
		}
	}
	s.stored = append(s.stored, "rest mediumblob")
	s.values = append(s.values, fmt.Sprintf("REPEAT('r', %d)", rest))
	definition.Index(s.table)
	return s
}

// add adds a plain column, and its shadow.
func (s *stage) add(c *catalog.Column, blob bool, length int) {
	plain, shadow := *c, *c
	plain.Name = fmt.Sprintf("c%d", len(s.values))
	plain.Protection, plain.Layers, plain.Family, plain.Type.NotNull, plain.Default = policy.Plain, nil, "", false, catalog.Default{Kind: catalog.DefaultNull}
	collated := ""
	if c.CollationName != "" {
		collated = " COLLATE " + c.CollationName
	}
	s.stored = append(s.stored, plain.Name+" "+c.TypeText+collated+" NULL DEFAULT NULL")
	shadow.Name, shadow.Shadows, shadow.Backfilling, shadow.Invisible = catalog.ShadowName(plain.Name), plain.Name, true, true
	shadow.Type.NotNull, shadow.Default = false, plain.Default
	shadow.Layers = append([]catalog.Layer(nil), c.Layers...)
	if c.Family == "" {
		s.stored = append(s.stored, identifier.Quoted(shadow.Stored())+" "+form.SealedType(&c.Type, blob)+" DEFAULT NULL")
	}
	for i := range shadow.Layers {
		l := &shadow.Layers[i]
		l.State, l.Stored = catalog.Backfilling, catalog.StoredName(plain.Name, l.Capability)
		s.stored = append(s.stored, identifier.Quoted(l.Stored)+" "+form.TokenType(l, &c.Type)+" DEFAULT NULL")
		s.width += form.TokenBytes(l, &c.Type)
	}
	s.width += form.ValueBytes(&c.Type, length) + form.FormBytes(c, length)
	s.table.Columns = append(s.table.Columns, plain, shadow)
	s.values = append(s.values, sampleValue(&c.Type, length))
}

// families adds the families of a table, of those of their columns that have shadows.
func (s *stage) families(t *catalog.Table, blobs form.Blobs) {
	for _, f := range t.Families {
		var members []*catalog.Column
		for _, i := range s.table.Members(&f) {
			members = append(members, &s.table.Columns[i])
		}
		f.Layouts = nil
		f.BeginFill()
		if len(members) == 0 || definition.Lay(&f, members) != nil {
			continue
		}
		for _, c := range members {
			c.Family = f.Stored
		}
		s.table.Families = append(s.table.Families, f)
		s.stored = append(s.stored, identifier.Quoted(f.Stored)+" "+form.FamilyType(&f, blobs[f.Takes])+" DEFAULT NULL")
		s.width += form.FamilyBytes
	}
}

// sampleValue is an expression of a value that means nothing.
func sampleValue(t *value.Type, length int) string {
	switch k := t.Kind; {
	case k.IsText(), k.IsBytes():
		return fmt.Sprintf("REPEAT('v', %d)", length)
	case k == value.Date:
		return "'2001-02-03'"
	case k == value.DateTime, k == value.Timestamp:
		return "'2001-02-03 10:11:12'"
	case k == value.Time:
		return "'10:11:12'"
	case k == value.Year:
		return "2001"
	}
	return "1"
}

func (s *stage) name() string { return s.table.QuotedName() }

func (s *stage) create() string {
	return "CREATE TABLE " + s.name() + " (" + strings.Join(s.stored, ", ") + ") ENGINE=InnoDB"
}

// plain are the names of the columns that get values when rows are inserted.
func (s *stage) plain() string {
	var names []string
	for i := range s.values[:len(s.values)-1] {
		names = append(names, fmt.Sprintf("c%d", i))
	}
	return strings.Join(append(names, "rest"), ", ")
}

func (s *stage) insert(from, to int) string {
	rows := make([]string, 0, to-from)
	for id := from; id < to; id++ {
		rows = append(rows, fmt.Sprintf("(%d, %s)", id, strings.Join(s.values, ", ")))
	}
	return "INSERT INTO " + s.name() + " (id, " + s.plain() + ") VALUES " + strings.Join(rows, ", ")
}

// double inserts each row a second time, with what it was given.
func (s *stage) double(rows int) string {
	var names []string
	for c := range s.table.StoredColumns() {
		if c.At != 0 { // the first is the number of the row
			names = append(names, identifier.Quoted(c.Name))
		}
	}
	list := strings.Join(append(names, "rest"), ", ")
	return fmt.Sprintf("INSERT INTO %s (id, %s) SELECT id + %d, %s FROM %[1]s", s.name(), list, rows, list)
}

// keys make as many keys over layers as the table would have.
func (s *stage) keys() (statements []string) {
	for c := range s.table.StoredColumns() {
		if c.Layer != nil && len(statements) < s.keyed {
			statements = append(statements, "ALTER TABLE "+s.name()+" ADD KEY ("+identifier.Quoted(c.Name)+")")
		}
	}
	return statements
}
