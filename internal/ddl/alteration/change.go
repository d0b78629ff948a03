package alteration

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Change is what an ALTER TABLE does to a protected table: the definition that it
// leads to, and what of it the twin is to be told.
type Change struct {
	Old        *catalog.Table
	shown      *showcreate.Table      // of the old definition
	Definition *definition.Definition // the one to come
	// columns are what becomes of those that are there, and behind them those that come.
	columns []*coming
	// Names are the old names of columns that go on, by their folded new ones.
	Names map[string]string
	// touched are the columns that are defined anew, by folded names.
	touched map[string]bool
	gone    map[string]bool // foreign keys and CHECKs that go, by folded names
	// options are those for the twin; the table is to be told the counter.
	options []ast.AlterOption
	Counter string
	// indexes and constraints are those that come.
	indexes     []*ast.IndexDefinition
	constraints []*ast.ConstraintDefinition
	// Rowless says that a plain server makes it without a look at the rows.
	Rowless bool
	Flavor  value.Flavor
	// Copies says that the statement wants the table to be copied.
	Copies bool
	// backfilled says that what the old table was backfilling was backfilled for this change.
	Backfilled bool
	// Resealed are the stored columns that hold the new forms of columns whose forms were
	// made anew, by the folded names that they are to have.
	Resealed map[string]string
}

// NewChange begins with a table as it is, whose definition was parsed.
func NewChange(old *catalog.Table, spec *ast.TableSpec) (*Change, error) {
	account, err := showcreate.Read(old.Definition)
	if err != nil {
		return nil, err
	}
	c := &Change{
		Old: old, shown: account, Names: map[string]string{}, touched: map[string]bool{}, gone: map[string]bool{},
		Definition: &definition.Definition{Schema: old.Schema, Table: old.Name, Spec: spec},
	}
	for _, def := range spec.Columns {
		c.columns = append(c.columns, &coming{old: def.Name.String(), def: def})
	}
	return c, nil
}

// index finds a column of the definition to come; -1 if there is none.
func (c *Change) index(name string) int {
	for i, def := range c.Definition.Spec.Columns {
		if strings.EqualFold(def.Name.String(), name) {
			return i
		}
	}
	return -1
}

// Before is what a column of the table to come was; nil if it is new.
func (c *Change) Before(name string) *catalog.Column {
	if old := c.Names[catalog.Folded(name)]; old != "" {
		if at := c.Old.Column(old); at >= 0 {
			return &c.Old.Columns[at]
		}
	}
	return c.filledFor(name)
}

// coming is what becomes of a column.
type coming struct {
	old string // its name before, "" of a new one
	// def is how it will be, its name included; nil if it goes.
	def *ast.ColumnDefinition
	// touched says that it is defined anew.
	touched bool
}
