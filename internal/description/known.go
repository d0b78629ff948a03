package description

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
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// Known are the descriptions of one statement, for sessions with different settings.
type Known struct {
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

func (k *Known) find(as backend.DescribeAs, shape []byte) *Description {
	known := k.known.Load()
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
func (k *Known) keep(as backend.DescribeAs, shape []byte, made *Description) {
	if len(shape) > arena.KeepMax {
		return
	}
	var next []described
	if known := k.known.Load(); known != nil {
		next = slices.Clone(*known)
	}
	if len(next) >= descriptionsMax {
		next = next[1:]
	}
	next = append(next, described{describedFor{as, string(shape)}, made})
	k.known.Store(&next)
}

// Of is the description of the statement, whose values b has, for a session.
func (k *Known) Of(st *binding.Statement, d Describer, as backend.DescribeAs, b *binding.Binder) (*Description, error) {
	shape := b.ShapeOf(st)
	if found := k.find(as, shape); found != nil {
		return found, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if found := k.find(as, shape); found != nil {
		return found, nil
	}
	text, err := b.Describes(st)
	if err != nil {
		return nil, err
	}
	made := &Description{}
	made.Params, made.Columns, err = d.Describe(text, b.AlikeExecution(nil, st), as)
	if answer, ok := errors.AsType[*backend.AnswerError](err); ok {
		if st.Besides() && deniesAccess[answer.Err.Number] {
			return nil, sqlerr.BesideNotReadable()
		}
		if answer.Err.Number == deniesRoutine {
			return nil, sqlerr.ExpressionRefused("a stored function, or one that the server does not have,", "")
		}
		return nil, translation.Misdescribed(st, &answer.Err)
	}
	if err != nil {
		return nil, sqlerr.NotDescribed()
	}
	for i := range made.Columns {
		rename(st, &made.Columns[i])
	}
	made.findUnnamed(text, b.Env, stars(st))
	k.keep(as, shape, made)
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
func rename(st *binding.Statement, c *wire.ColumnDefinition) {
	t := translation.TwinOf(st, string(c.OrgTable))
	if !bytes.EqualFold(c.Schema, []byte(catalog.Schema)) {
		if t != nil && len(c.Schema) == 0 {
			c.OrgTable = []byte(t.Name)
		}
		renameNamesake(st, c)
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
func renameNamesake(st *binding.Statement, c *wire.ColumnDefinition) {
	for _, t := range st.Run.Tables {
		if t.Plain() && string(c.Table) == twin.Namesake(t) {
			c.Table = []byte(t.Name)
		}
	}
}
