package ddl

import (
	"slices"

	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// cantDrop is the number of what servers say of a column or key that is not there.
const cantDrop = 1091

// settle leaves out of an ALTER TABLE what is to be dropped if it is there and is not,
// of which MariaDB makes a note, and forgets of the rest that it was optional.
func (c *change) settle(stmt *ast.AlterTable, warn func(Warning)) {
	stmt.Comments = nil
	stmt.AlterOptions = slices.DeleteFunc(stmt.AlterOptions, func(o ast.AlterOption) bool {
		var name, what string
		var known bool
		switch o := o.(type) {
		case *ast.DropColumn:
			bare, optional := tsql.IfExists(o.Name.Name.String())
			if !optional {
				return false
			}
			o.Name.Name = ast.Identifier(bare)
			name, what, known = bare, "COLUMN", c.index(bare) >= 0
		case *ast.DropKey:
			bare, optional := tsql.IfExists(o.Name.String())
			if !optional {
				return false
			}
			o.Name = ast.Identifier(bare)
			name, what, known = bare, droppedWords[o.Type], c.hasKey(o.Type, bare)
		default:
			return false
		}
		if !known {
			warn(Warning{Level: value.Note, Number: cantDrop, Message: "Can't DROP " + what + " `" + name + "`; check that it exists"})
		}
		return !known
	})
}

var droppedWords = map[ast.DropKeyType]string{
	ast.ForeignKeyType: "FOREIGN KEY", ast.CheckKeyType: "CONSTRAINT", ast.ConstraintType: "CONSTRAINT", ast.NormalKeyType: "INDEX",
	ast.PrimaryKeyType: "INDEX",
}

// hasKey reports whether a table has a key or constraint of a name.
func (c *change) hasKey(kind ast.DropKeyType, name string) bool {
	keys := slices.ContainsFunc(c.shown.Keys, func(k shownKey) bool { return foldName(k.Name) == foldName(name) })
	foreign := slices.ContainsFunc(c.shown.ForeignKeys, func(k shownForeignKey) bool { return foldName(k.Name) == foldName(name) })
	checks := slices.ContainsFunc(c.shown.Checks, func(k shownCheck) bool { return foldName(k.Name) == foldName(name) })
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
