package plan

import (
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
			p.Action, p.Refusal = Refuse, sqlerr.OwnSchema()
			return true
		}
	}
	p.Locks = &locks
	return true
}
