package exec

import (
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/show"
)

// Owner is the client's session that has statements carried out, as far as it is asked for something meanwhile.
type Owner interface {
	Variables
	// Catalog is the catalog as the session sees it now; nil if it never changes.
	Catalog() *catalog.Catalog
	// Told is the catalog that information_schema tells of, which has no temporary tables.
	Told() *catalog.Catalog
	// PlainOnly says that the client reaches plain tables only, and is told of no others.
	PlainOnly() bool
	// Own is what tables of tunic's own say.
	Own() show.OwnRows
	// Fence asks the server, as tunic itself, which fence a stored table has.
	Fence(t *catalog.Table) (string, error)
	// Schema is the session's current schema, "" where it has none.
	Schema() string
	// Locked says that LOCK TABLES may hold tables.
	Locked() bool
	// NamesOnce says that a statement is to name no table twice: the server may not let it, as LOCK TABLES may hold tables
	// or the session may have temporary ones (MySQL manual, "Restrictions on Temporary Tables"), or may show it two states of
	// the table, as the client may have set READ UNCOMMITTED.
	NamesOnce() bool
	// Leaving says that nobody waits for an answer any more: the client is gone, or
	// tunic stops.
	Leaving() bool
	// File asks the client for the file of this name, and returns what reads it: a part
	// at a time, which is good until the next, and an empty one at its end. An error ends the session.
	File(name []byte) (more func() ([]byte, error), err error)
}

// Variables are the user variables of a session, as far as tunic knows or can find out.
type Variables interface {
	// Read returns the variables of these names, in lower case. The error is a
	// *sqlerr.Error, or a *BrokenError.
	Read(names []string) ([]binding.Variable, error)
	// Tell returns the values of expressions of the session's own, such as USER(), which
	// are asked for as they are.
	Tell(expressions []string) ([]binding.Variable, error)
	// Bound says that the value of a variable has become one of a protected column, or
	// was compared with one.
	Bound(name string)
}
