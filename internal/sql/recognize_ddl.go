package sql

import "tunic/internal/sql/lex"

// An objectKind says what CREATE, ALTER and DROP of a thing are. Unknown is in
// the place of what does not exist.
type objectKind struct{ create, alter, drop Kind }

// objects are the things that have definitions, by the word that names them.
var objects = map[string]objectKind{
	"TABLE":      {CreateTable, AlterTable, DropTable},
	"TABLES":     {Unknown, Unknown, DropTable},
	"INDEX":      {CreateIndex, Unknown, DropIndex},
	"VIEW":       {CreateView, AlterView, DropView},
	"SEQUENCE":   {CreateSequence, AlterSequence, DropSequence},
	"DATABASE":   {CreateDatabase, AlterDatabase, DropDatabase},
	"SCHEMA":     {CreateDatabase, AlterDatabase, DropDatabase},
	"TRIGGER":    {CreateTrigger, Unknown, DropTrigger},
	"PROCEDURE":  {CreateProcedure, AlterProcedure, DropProcedure},
	"FUNCTION":   {CreateFunction, AlterFunction, DropFunction},
	"EVENT":      {CreateEvent, AlterEvent, DropEvent},
	"PACKAGE":    {CreatePackage, AlterPackage, DropPackage},
	"LIBRARY":    {CreateLibrary, AlterLibrary, DropLibrary},
	"USER":       {CreateUser, AlterUser, DropUser},
	"ROLE":       {CreateRole, Unknown, DropRole},
	"SERVER":     {CreateServer, AlterServer, DropServer},
	"TABLESPACE": {CreateTablespace, AlterTablespace, DropTablespace},
	"LOGFILE":    {CreateTablespace, AlterTablespace, DropTablespace},
	"RESOURCE":   {CreateResourceGroup, AlterResourceGroup, DropResourceGroup},
	"INSTANCE":   {Unknown, AlterInstance, Unknown},
	"PREPARE":    {Unknown, Unknown, Deallocate},

	"BINDING":   {TiDBStatement, TiDBStatement, TiDBStatement},
	"PLACEMENT": {TiDBStatement, TiDBStatement, TiDBStatement},
	"STATS":     {TiDBStatement, TiDBStatement, TiDBStatement},
	"VSCHEMA":   {VitessStatement, VitessStatement, VitessStatement},
}

// object finds the thing that CREATE, ALTER or DROP is of, past everything
// that may stand before it.
func object(c *lex.Cursor) (objectKind, bool) {
	for c.Token == lex.Word {
		switch {
		case c.Accept("DEFINER"):
			skipDefiner(c)
		case c.Is("ALGORITHM", "SQL"):
			skipViewOption(c)
		case c.Accepts("SPATIAL", "REFERENCE"):
			return objectKind{CreateSpatialReferenceSystem, Unknown, DropSpatialReferenceSystem}, true
		case c.Accepts("IF", "NOT", "EXISTS"), c.Accepts("IF", "EXISTS"), c.Accepts("OR", "REPLACE"):
		case c.Accept("TEMPORARY", "UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR", "ONLINE", "OFFLINE", "IGNORE",
			"AGGREGATE", "UNDO", "PUBLIC", "GLOBAL", "SESSION", "EXTERNAL", "JSON", "RELATIONAL", "DUALITY"):
		default:
			o, ok := objects[string(lex.UpperInto(nil, c.Text()))]
			c.Next()
			return o, ok
		}
	}
	return objectKind{}, false
}

// skipDefiner moves past = account, after DEFINER.
func skipDefiner(c *lex.Cursor) {
	c.AcceptEquals()
	c.Next()
	if c.Token == lex.Var {
		c.Next()
	}
	c.SkipParens() // CURRENT_USER()
}

// skipViewOption moves past ALGORITHM = x and SQL SECURITY x.
func skipViewOption(c *lex.Cursor) {
	c.Next()
	c.AcceptEquals()
	c.Accept("SECURITY")
	c.Next()
}

// definition tells the statements that define, change and remove things.
func definition(first string, c *lex.Cursor) Kind {
	if first == "RENAME" {
		if c.Is("USER") {
			return RenameUser
		}
		return RenameTable
	}
	o, ok := object(c)
	switch {
	case !ok:
		return Unknown
	case first == "CREATE" && o.create == CreateFunction && soname(*c):
		return CreateLoadableFunction
	case first == "CREATE":
		return o.create
	case first == "ALTER":
		return o.alter
	}
	return o.drop
}

// soname says that the function is one of a shared library.
func soname(c lex.Cursor) bool {
	for !c.Ended() && c.Token != lex.Semi && c.Token != lex.Open {
		if c.Is("SONAME") {
			return true
		}
		c.Next()
	}
	return false
}
