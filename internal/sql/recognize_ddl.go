package sql

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
func object(c *cursor) (objectKind, bool) {
	for c.t == tokenWord {
		switch {
		case c.accept("DEFINER"):
			skipDefiner(c)
		case c.is("ALGORITHM", "SQL"):
			skipViewOption(c)
		case c.accepts("SPATIAL", "REFERENCE"):
			return objectKind{CreateSpatialReferenceSystem, Unknown, DropSpatialReferenceSystem}, true
		case c.accepts("IF", "NOT", "EXISTS"), c.accepts("IF", "EXISTS"), c.accepts("OR", "REPLACE"):
		case c.accept("TEMPORARY", "UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR", "ONLINE", "OFFLINE", "IGNORE",
			"AGGREGATE", "UNDO", "PUBLIC", "GLOBAL", "SESSION", "EXTERNAL", "JSON", "RELATIONAL", "DUALITY"):
		default:
			o, ok := objects[string(upperInto(nil, c.text()))]
			c.next()
			return o, ok
		}
	}
	return objectKind{}, false
}

// skipDefiner moves past = account, after DEFINER.
func skipDefiner(c *cursor) {
	c.acceptEquals()
	c.next()
	if c.t == tokenVar {
		c.next()
	}
	c.skipParens() // CURRENT_USER()
}

// skipViewOption moves past ALGORITHM = x and SQL SECURITY x.
func skipViewOption(c *cursor) {
	c.next()
	c.acceptEquals()
	c.accept("SECURITY")
	c.next()
}

// definition tells the statements that define, change and remove things.
func definition(first string, c *cursor) Kind {
	if first == "RENAME" {
		if c.is("USER") {
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
func soname(c cursor) bool {
	for !c.ended() && c.t != tokenSemi && c.t != tokenOpen {
		if c.is("SONAME") {
			return true
		}
		c.next()
	}
	return false
}
