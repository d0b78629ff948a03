package transaction

import (
	"maps"
	"slices"
	"strings"

	"tunic/internal/backend"
	"tunic/internal/catalog"
	"tunic/internal/ledger"
	"tunic/internal/plan"
	"tunic/internal/resolve"
	"tunic/internal/sql"
)

// Touched are the protected tables that the transaction under way has used. The server
// holds its locks on them until the transaction ends, or is rolled back to a savepoint
// from before. Which of them it gives back then it does not say: it may be all that
// came after. Where that is in doubt here too, none is held.
type Touched struct {
	tables     map[catalog.ID]use
	names      map[resolve.Name]int // the same, of tables that were plain then
	savepoints []savepoint          // as they were set
	moves      uint64               // how often the names have changed
}

// use is that of a table by a transaction.
type use struct {
	before int         // how many tables were touched before
	told   *ledger.Use // tells who waits for such transactions; nil where nobody does
}

func (u use) end() {
	if u.told != nil {
		u.told.End()
	}
}

// savepoint is one of the transaction's. Its name is in lower case, and in ASCII: of
// others nobody knows here which are alike.
type savepoint struct {
	name   string
	tables int // how many were touched
}

// savepointsMax bounds them. Beyond it those from before are forgotten.
const savepointsMax = 1 << 10

// Has reports whether the transaction has used a protected table.
func (t *Touched) Has(id catalog.ID) bool {
	_, ok := t.tables[id]
	return ok
}

// Add notes that it has used one, and tells the gate, if there is one.
func (t *Touched) Add(id catalog.ID, gate *ledger.Gate) {
	if t.Has(id) {
		return
	}
	if t.tables == nil {
		t.tables = make(map[catalog.ID]use)
	}
	u := use{before: t.count()}
	if gate != nil {
		u.told = gate.Use(id)
	}
	t.tables[id] = u
}

func (t *Touched) count() int { return len(t.tables) + len(t.names) }

// namesMost bounds the plain tables of a transaction. Of those beyond it nothing is known.
const namesMost = 1 << 8

// AddName is add for a table that is plain.
func (t *Touched) AddName(n resolve.Name) {
	if _, ok := t.names[n]; ok || len(t.names) >= namesMost {
		return
	}
	if t.names == nil {
		t.names = make(map[resolve.Name]int)
	}
	t.names[n] = t.count()
	t.moves++
}

// AddNames is addName for what a plan names.
func (t *Touched) AddNames(p *plan.Plan) {
	if len(p.Statements) != 1 || !keepsDefinitions(p.Statements[0].Kind) {
		return
	}
	for _, n := range p.Names {
		t.AddName(n)
	}
}

// keepsDefinitions are the kinds of statements behind which the server keeps the definitions
// of the tables that they name until the transaction ends.
func keepsDefinitions(k sql.Kind) bool {
	switch k {
	case sql.Select, sql.SetOperation, sql.Insert, sql.Replace, sql.Update, sql.Delete, sql.LoadData:
		return true
	default:
		return false
	}
}

// Any reports whether the transaction has used any table.
func (t *Touched) Any() bool { return t.count() > 0 }

// Fails is after an error: none is held where it has ended the transaction. Where it may have, none is held of a transaction that
// goes by tables as they were when they were plain. It has to wait then for a change that may be waiting for it,
// until one of them gives up.
func (t *Touched) Fails(number uint16) {
	if backend.EndsTransaction(number) || t.HasNames() && backend.MayEndTransaction(number) {
		t.Clear()
	}
}

// HasNames reports whether the transaction has used a plain table.
func (t *Touched) HasNames() bool { return len(t.names) > 0 }

// hasName reports whether the transaction has used a table when it was plain.
func (t *Touched) hasName(of *catalog.Table, c *catalog.Catalog) bool {
	for n := range t.names {
		if c.SameName(n.Schema, of.Schema) && c.SameName(n.Table, of.Name) {
			return true
		}
	}
	return false
}

// Clear is after the end of a transaction.
func (t *Touched) Clear() {
	for _, u := range t.tables {
		u.end()
	}
	clear(t.tables)
	t.clearNames()
	t.savepoints = t.savepoints[:0]
}

func (t *Touched) clearNames() {
	if len(t.names) > 0 {
		clear(t.names)
		t.moves++
	}
}

// Follow is after the statements of a plan, which have succeeded unless failed is set.
func (t *Touched) Follow(p *plan.Plan, failed bool) {
	for i := range p.Statements {
		st := &p.Statements[i]
		if e := &st.Effects; len(e.TemporaryCreated)+len(e.TemporaryDropped)+len(e.MaybeDropped) > 0 {
			t.clearNames() // a name may have been that of a temporary table
		}
		switch {
		case st.Effects.Stale, st.Effects.Tx&^(sql.TxSavepoint|sql.TxCharacteristics) != 0:
			t.Clear()
		case !st.Effects.Tx.Has(sql.TxSavepoint):
		case len(p.Statements) > 1: // some may have been done
			t.Clear()
		case !failed:
			t.savepoint(st.Kind, st.Effects.Savepoint)
		}
	}
}

// savepoint is after a statement about a savepoint.
func (t *Touched) savepoint(kind sql.Kind, name string) {
	name = strings.ToLower(name)
	at := slices.IndexFunc(t.savepoints, func(s savepoint) bool { return s.name == name })
	unknown := name == "" || strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 })
	switch {
	case kind == sql.Savepoint && !unknown:
		t.set(name, at)
	case kind == sql.RollbackToSavepoint && at >= 0:
		t.rollBack(at)
	case kind == sql.ReleaseSavepoint && at >= 0:
		t.savepoints = t.savepoints[:at] // with it go those from after it
	case kind == sql.RollbackToSavepoint:
		t.Clear()
	default:
		t.savepoints = t.savepoints[:0]
	}
}

// set is after SAVEPOINT. One of the same name, which was at a place, is gone.
func (t *Touched) set(name string, at int) {
	if at >= 0 {
		t.savepoints = slices.Delete(t.savepoints, at, at+1)
	}
	if len(t.savepoints) >= savepointsMax {
		t.savepoints = t.savepoints[:0]
	}
	t.savepoints = append(t.savepoints, savepoint{name, t.count()})
}

// rollBack is after ROLLBACK TO the savepoint at a place, which stays.
func (t *Touched) rollBack(at int) {
	t.savepoints = t.savepoints[:at+1]
	held := t.savepoints[at].tables
	maps.DeleteFunc(t.tables, func(_ catalog.ID, u use) bool {
		if u.before < held {
			return false
		}
		u.end()
		return true
	})
	maps.DeleteFunc(t.names, func(_ resolve.Name, before int) bool { return before >= held })
	t.moves++
}
