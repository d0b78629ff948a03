package alteration

import (
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// cantDrop is the number of what servers say of a column or key that is not there.
const cantDrop = 1091

// Settle leaves out of an ALTER TABLE what is to be dropped or changed if it is there and
// is not, and what is to be added unless it is there and is, of which MariaDB makes notes,
// and forgets of the rest that it was optional. An option before it that drops or adds the
// same counts as done.
func (c *Change) Settle(stmt *ast.AlterTable, warn func(level value.Level, number uint16, message string)) {
	stmt.Comments = nil
	before := map[optioned]bool{}
	stmt.AlterOptions = slices.DeleteFunc(stmt.AlterOptions, func(o ast.AlterOption) bool {
		n, out := c.idle(o, before)
		if out {
			warn(value.Note, n.number, n.message)
		}
		return out
	})
}

// note is what MariaDB notes.
type note struct {
	number  uint16
	message string
}

// optioned is what an option drops or adds.
type optioned struct{ kind, name string }

// Numbers of what MariaDB notes of an option that does nothing.
const (
	unknownColumn   = 1054
	duplicateColumn = 1060
	duplicateKey    = 1061
)

// idle reports whether an option does nothing, and what there is to note of it. It is not
// optional any more. What the options before it drop and add is in before, and what it
// drops or adds itself comes to it.
func (c *Change) idle(o ast.AlterOption, before map[optioned]bool) (n note, idle bool) {
	name, optional := BareName(o)
	n, done := c.done(o, name)
	switch o.(type) {
	case *ast.DropColumn, *ast.DropKey, *ast.AddColumns, *ast.AddIndexDefinition:
		same := optioned{fmt.Sprintf("%T", o), catalog.Folded(name)}
		done = done || before[same]
		before[same] = true
	}
	return n, optional && done
}

// done reports whether what an option is to do has been done in the table as it is, and
// what MariaDB says of that.
func (c *Change) done(o ast.AlterOption, name string) (n note, done bool) {
	switch o := o.(type) {
	case *ast.DropColumn:
		n.number, n.message, done = cantDrop, cantDropText("COLUMN", name), c.index(name) < 0
	case *ast.DropKey:
		n.number, n.message, done = cantDrop, cantDropText(droppedWords[o.Type], name), !c.hasKey(o.Type, name)
	case *ast.ModifyColumn, *ast.ChangeColumn:
		n.number, n.message, done = unknownColumn, "Unknown column '"+name+"' in '"+c.Old.Name+"'", c.index(name) < 0
	case *ast.AddColumns:
		n.number, n.message, done = duplicateColumn, "Duplicate column name '"+name+"'", c.index(name) >= 0
	case *ast.AddIndexDefinition:
		n.number, n.message, done = duplicateKey, "Duplicate key name '"+name+"'", c.hasKey(ast.NormalKeyType, name)
	}
	return n, done
}

func cantDropText(what, name string) string {
	return "Can't DROP " + what + " `" + name + "`; check that it exists"
}

// BareName makes of an option what it is without IF EXISTS or IF NOT EXISTS, and returns
// the name that these are about.
func BareName(o ast.AlterOption) (name string, optional bool) {
	switch o := o.(type) {
	case *ast.DropColumn:
		name, optional = tsql.IfExists(o.Name.Name.String())
		o.Name.Name = ast.Identifier(name)
	case *ast.DropKey:
		name, optional = tsql.IfExists(o.Name.String())
		o.Name = ast.Identifier(name)
	case *ast.ModifyColumn:
		name, optional = tsql.IfExists(o.NewColDefinition.Name.String())
		o.NewColDefinition.Name = ast.Identifier(name)
	case *ast.ChangeColumn:
		name, optional = tsql.IfExists(o.OldColumn.Name.String())
		o.OldColumn.Name = ast.Identifier(name)
	case *ast.AddColumns:
		name, optional = tsql.IfNotExists(o.Columns[0].Name.String())
		o.Columns[0].Name = ast.Identifier(name)
	case *ast.AddIndexDefinition:
		name, optional = tsql.IfNotExists(o.IndexDefinition.Info.Name.String())
		o.IndexDefinition.Info.Name = ast.Identifier(name)
	}
	return name, optional
}

var droppedWords = map[ast.DropKeyType]string{
	ast.ForeignKeyType: "FOREIGN KEY", ast.CheckKeyType: "CONSTRAINT", ast.ConstraintType: "CONSTRAINT", ast.NormalKeyType: "INDEX",
	ast.PrimaryKeyType: "INDEX",
}

// hasKey reports whether a table has a key or constraint of a name.
func (c *Change) hasKey(kind ast.DropKeyType, name string) bool {
	keys := slices.ContainsFunc(c.shown.Keys, func(k showcreate.Key) bool { return catalog.Folded(k.Name) == catalog.Folded(name) })
	foreign := slices.ContainsFunc(c.shown.ForeignKeys, func(k showcreate.ForeignKey) bool { return catalog.Folded(k.Name) == catalog.Folded(name) })
	checks := slices.ContainsFunc(c.shown.Checks, func(k showcreate.Check) bool { return catalog.Folded(k.Name) == catalog.Folded(name) })
	switch kind {
	case ast.ForeignKeyType:
		return foreign
	case ast.CheckKeyType:
		return checks
	case ast.ConstraintType:
		return keys || foreign || checks
	default:
		return keys
	}
}
