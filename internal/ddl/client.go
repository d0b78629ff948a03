package ddl

import (
	"context"
	"database/sql"
	"log/slog"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Options are what a Definer stands on.
type Options struct {
	// DB is the service account's.
	DB     *sql.DB
	Ledger *ledger.Ledger
	// Policy is the one to begin with.
	Policy *policy.Policy
	Flavor value.Flavor
	// Seals count what is sealed when rows are backfilled; nil is for nobody to see.
	Seals *crypt.Seals
	Log   *slog.Logger
}

// Client is the connection of the client that defines something. Its privileges
// and its session decide. Statements are in UTF-8 and are written for the
// session's modes. What the server refuses is a *sqlerr.Error without a code of
// tunic's own.
type Client interface {
	// Exec runs a statement without rows.
	Exec(ctx context.Context, statement string) error
	// Query runs a statement and returns its rows; NULL is nil.
	Query(ctx context.Context, statement string) ([][]*string, error)
}

// Session is what of a client's session a definition's meaning depends on.
type Session struct {
	// Schema is the current one, "" without.
	Schema string
	Modes  tsql.Modes
	Env    value.Env
	// Collation is the collation by which texts of a definition are read: collation_connection,
	// or one that is not of UTF-8 where they are not in UTF-8. Connection is collation_connection
	// in any case, Charset character_set_client.
	Collation, Connection *charset.Collation
	Charset               string
	// Locked says that the server keeps definitions as they are for the session, which others may wait for:
	// it has locked tables with LOCK TABLES, or its transaction has used some.
	Locked bool
	// Clips says that SHOW CREATE TABLE does not show all of a definition to the session.
	Clips bool
	// Frozen is why the session keeps everybody from defining anything, tunic's own
	// account included; nil if it does not.
	Frozen *sqlerr.Error
	// Temporary finds a temporary protected table of the session; nil without any.
	Temporary func(schema, table string) *catalog.Table
	// Hides reports whether the session may have a plain temporary table of a name; nil without any.
	Hides func(schema, table string) bool
	// Adopt makes views of tunic's of the server's; nil where nobody can.
	Adopt Adopt
	// Annotates says that the client's account may annotate columns.
	Annotates bool
}

// Result is what came of a statement that was not refused.
type Result struct {
	// Forward says that the statement does not touch protected tables: the server
	// gets it as it came. Nothing else is set then.
	Forward  bool
	Warnings []service.Warning
	// Heard says that what the server has to say of the statement is among them.
	Heard bool
	// Rowless says that a plain server copies no row for the change, and reports none,
	// whatever the change of the stored table reports.
	Rowless bool
	// Looked says that tunic has looked at the Rows of the table for a new CHECK, as a plain
	// server does that copies them for it, or has found that there are none.
	Looked bool
	Rows   uint64
	// Layers are those that the definition has brought and that no rule of the policy names,
	// if the client is to be told of them.
	Layers []NewLayer
	// Lost are annotations that a change has taken from columns that stay protected.
	Lost []LostAnnotation
	// Temporary is a temporary table that was made or changed. It is the session's
	// to keep: the catalog does not know it.
	Temporary *catalog.Table
	// Again says that a view was planned by what is outdated.
	Again bool
	// Dropped are temporary tables that are gone.
	Dropped []*catalog.Table
}

// LostAnnotation is an annotation that a column had before a change, with the column's full name.
type LostAnnotation struct{ Column, Annotation string }

// NewLayer is a layer that a definition of a client's has brought: a key, a foreign key, an
// annotation or a table that is copied. A rule is the operator's word, of which nobody has
// to be told.
type NewLayer struct {
	Schema, Table, Column string
	Type                  value.Type
	// Layer is its capability, Grain that of one that sorts by steps.
	Layer policy.Capabilities
	Grain policy.Grain
	// Alone says that a unique key is over the column alone.
	Alone bool
	// Rows says that there may be values from before, or of the query that the table is made
	// of, and that the service account can read them.
	Rows bool
}

// Adopt plans a view of the server's as one of tunic's, by a catalog. What it cannot be is an error.
type Adopt func(c *catalog.Catalog, v *catalog.Table) (*viewtext.View, error)

// foreignText reports whether a text has characters that its client sends in a set other than UTF-8: the
// service connection would take them for others.
func (s *Session) foreignText(text string) bool {
	return !charset.InUTF8(s.Collation.Charset.Name) && !charset.IsASCII([]byte(text))
}

// Made is a CREATE TABLE … SELECT whose query has been planned.
type Made struct {
	*ast.CreateTable
	// View is the query, as that of a view is described.
	viewtext.View
	// ReadsProtected says that it reads something protected.
	ReadsProtected bool
	// Flows says of each column of the query whether it has values of protected columns.
	Flows []bool
	// Ready is called with the table before it is made, and refuses what cannot be
	// inserted into it; Insert inserts the rows, into columns of these names.
	Ready, Insert func(t *catalog.Table, into []string) error
}
