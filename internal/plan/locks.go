package plan

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// locks plans a text that locks tables for its session: it is forwarded as it came,
// since stored tables have the names of the logical ones, and so have their locks. It
// reports false for any other text, and for what it cannot read.
func (k *knowledge) locks(p *Plan, read []sql.Statement) bool {
	if k.catalog == nil || len(read) != 1 {
		return false
	}
	locks, ok := read[0].TableLocks()
	if !ok {
		return false
	}
	for i := range locks.List {
		t := &locks.List[i].Table
		if t.Schema == "" {
			t.Schema, p.OfSchema = k.schema, true
		}
		if strings.EqualFold(t.Schema, catalog.Schema) {
			p.refuse(sqlerr.OwnSchema())
			return true
		}
	}
	p.forward().Locks = &locks
	return true
}

// MayLock reports whether the statements of a plan may lock tables for the session, or end
// that.
func (p *Plan) MayLock() bool {
	return slices.ContainsFunc(p.Statements, func(st Statement) bool {
		e := &st.Effects
		return e.Stale || e.Tx&(sql.TxLockTables|sql.TxLockAll|sql.TxUnlockTables|sql.TxBegin) != 0
	})
}
