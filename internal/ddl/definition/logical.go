package definition

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/policy"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Logical is a table as the server has accounted for it.
type Logical struct {
	Table *catalog.Table
	// Shown is the account with everything put back that stood by proxy, but for
	// the comments of plain columns and keys, which are in both.
	Shown *showcreate.Table
	// Layers are those that columns of foreign keys are compared by.
	Layers map[string]policy.Capabilities
}

// Protects reports whether the table has a protected column.
func (l *Logical) Protects() bool {
	return slices.ContainsFunc(l.Table.Columns, func(c catalog.Column) bool { return c.Protected() })
}

// ForbidNull has no sealed form take NULL where its column does not: where rows are copied, or there
// are none, it costs nothing.
func (l *Logical) ForbidNull() {
	for i := range l.Table.Columns {
		l.Table.Columns[i].Nullable = false
	}
	l.Table.Families = slices.Clone(l.Table.Families)
	for i := range l.Table.Families {
		l.Table.Families[i].Nullable = false
	}
}

// Facts are what the server says of a twin.
type Facts struct {
	Create  string // SHOW CREATE TABLE
	Columns []Fact
}

// Fact is a row of information_schema.COLUMNS.
type Fact struct {
	Name, Type, Collation string
	Nullable              bool
	Default               *string
	Extra                 string
}

// Surroundings are what a definition's meaning depends on beside its text.
type Surroundings struct {
	Env *value.Env
	// Literals is the collation of text in the definition, in UTF-8.
	Literals *charset.Collation
	Catalog  *catalog.Catalog
	Epoch    uint16 // of what is new
	NewID    func() catalog.ID
	Warn     func(level value.Level, number uint16, message string)
}
