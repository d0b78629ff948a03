package exec

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"tunic/internal/arena"
	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/plan/twin"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// Describer asks the server how it describes a statement: what it answers to
// COM_STMT_PREPARE. What it is asked is over twins and holds no value of a client.
type Describer interface {
	// Describe returns the definitions of the parameters and the columns: those of an
	// execution, if there is one, as of what follows the number in COM_STMT_EXECUTE. An error
	// of the server's is a *backend.AnswerError.
	Describe(statement, execution []byte, as backend.DescribeAs) (params, columns []wire.ColumnDefinition, err error)
}

// Description is how the server describes the logical statement.
type Description struct {
	Params, Columns []wire.ColumnDefinition
	// unnamed are the columns that have the text of an expression as their name: in
	// the client's statement it may be written otherwise.
	unnamed []unnamed
}

// descriptions are those of one statement, for sessions with different settings.
type descriptions struct {
	mu    sync.Mutex // one session asks, the others wait
	known atomic.Pointer[[]described]
}

type described struct {
	describedFor
	description *Description
}

// describedFor is what a description of a statement depends on: the session, and
// how long the literals are that the client selects.
type describedFor struct {
	as    backend.DescribeAs
	shape string
}

// descriptionsMax is how many descriptions of one statement are kept. Sessions of
// one application have the same settings.
const descriptionsMax = 16

func (d *descriptions) find(as backend.DescribeAs, shape []byte) *Description {
	known := d.known.Load()
	if known == nil {
		return nil
	}
	for i := range *known {
		if e := &(*known)[i]; e.shape == string(shape) && e.as == as {
			return e.description
		}
	}
	return nil
}

// keep adds a description in the place of the oldest, but of a shape that has large values of the
// client's. The caller holds mu.
func (d *descriptions) keep(as backend.DescribeAs, shape []byte, made *Description) {
	if len(shape) > arena.KeepMax {
		return
	}
	var next []described
	if known := d.known.Load(); known != nil {
		next = slices.Clone(*known)
	}
	if len(next) >= descriptionsMax {
		next = next[1:]
	}
	next = append(next, described{describedFor{as, string(shape)}, made})
	d.known.Store(&next)
}

// describe is the description of the statement for a session.
func (st *Statement) describe(d Describer, as backend.DescribeAs, b *binding.Binder) (*Description, error) {
	shape := b.ShapeOf(&st.Statement)
	if found := st.described.find(as, shape); found != nil {
		return found, nil
	}
	st.described.mu.Lock()
	defer st.described.mu.Unlock()
	if found := st.described.find(as, shape); found != nil {
		return found, nil
	}
	text, err := b.Describes(&st.Statement)
	if err != nil {
		return nil, err
	}
	made := &Description{}
	made.Params, made.Columns, err = d.Describe(text, b.AlikeExecution(nil, &st.Statement), as)
	if answer, ok := errors.AsType[*backend.AnswerError](err); ok {
		if st.Besides() && deniesAccess[answer.Err.Number] {
			return nil, sqlerr.BesideNotReadable()
		}
		if answer.Err.Number == deniesRoutine {
			return nil, sqlerr.ExpressionRefused("a stored function, or one that the server does not have,", "")
		}
		return nil, translation.Misdescribed(&st.Statement, &answer.Err)
	}
	if err != nil {
		return nil, sqlerr.NotDescribed()
	}
	for i := range made.Columns {
		st.rename(&made.Columns[i])
	}
	made.findUnnamed(text, b.Env, st.stars())
	st.described.keep(as, shape, made)
	return made, nil
}

// deniesAccess are the errors for an account that may not read a schema, a table or a
// column of it.
var deniesAccess = map[uint16]bool{1044: true, 1142: true, 1143: true}

// deniesRoutine is the error for an account that may not execute a function, whether there is one or not. It
// names the account, which is tunic's.
const deniesRoutine = 1370

// rename puts the names of a table into a definition that names its twin. MariaDB names
// the table behind a derived one without its schema.
func (st *Statement) rename(c *wire.ColumnDefinition) {
	t := translation.TwinOf(&st.Statement, string(c.OrgTable))
	if !bytes.EqualFold(c.Schema, []byte(catalog.Schema)) {
		if t != nil && len(c.Schema) == 0 {
			c.OrgTable = []byte(t.Name)
		}
		st.renameNamesake(c)
		return
	}
	if t == nil {
		t = st.Run.Table
	}
	c.Schema = []byte(t.Schema)
	if bytes.EqualFold(c.OrgTable, []byte(t.Twin)) {
		c.OrgTable = []byte(t.Name)
	}
	if bytes.EqualFold(c.Table, []byte(t.Twin)) {
		c.Table = []byte(t.Name)
	}
}

// renameNamesake is rename for a plain table.
func (st *Statement) renameNamesake(c *wire.ColumnDefinition) {
	for _, t := range st.Run.Tables {
		if t.Plain() && string(c.Table) == twin.Namesake(t) {
			c.Table = []byte(t.Name)
		}
	}
}

// writes reports whether the statement is one that the strict modes are about.
func (st *Statement) writes() bool {
	return st.Run.Kind != sql.Select && st.Run.Kind != sql.SetOperation
}
