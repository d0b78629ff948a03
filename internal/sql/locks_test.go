package sql

import (
	"fmt"
	"strings"
	"testing"
)

// TestTableLocks: which tables LOCK TABLES and FLUSH TABLES lock, as they are written
// by people and by dumps. What is not read to its end is none.
func TestTableLocks(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"LOCK TABLES t READ", ".t:read"},
		{"lock table s.t write", "s.t:write"},
		{"LOCK TABLES `a b` READ LOCAL, s.`t` AS x LOW_PRIORITY WRITE, u y WRITE", ".a b:read s.t x:write .u y:write"},
		{"LOCK TABLES t AS `READ` READ", ".t READ:read"},
		{"LOCK TABLES `t` READ /*!32311 LOCAL */,`u` READ /*!32311 LOCAL */", ".t:read .u:read"},
		{"/*!40000 LOCK TABLES `t` WRITE */", ".t:write"},
		{"LOCK TABLES t WRITE CONCURRENT WAIT 5", ".t:write"},
		{"LOCK TABLES t READ NOWAIT", ".t:read"},
		{"FLUSH TABLES WITH READ LOCK", "all"},
		{"FLUSH /*!40101 LOCAL */ TABLES WITH READ LOCK", "all"},
		{"FLUSH NO_WRITE_TO_BINLOG TABLES t, s.u WITH READ LOCK", ".t:read s.u:read"},
		{"FLUSH TABLE t FOR EXPORT", ".t:read"},
		{"FLUSH TABLES t WITH READ LOCK AND DISABLE CHECKPOINT", ".t:read"},

		{"FLUSH TABLES", ""},
		{"FLUSH TABLES t", ""},
		{"FLUSH STATUS", ""},
		{"LOCK TABLES", ""},
		{"LOCK TABLES t", ""},
		{"LOCK TABLES t x", ""},
		{"LOCK TABLES t READ WRITE", ""},
		{"LOCK TABLES t READ,", ""},
		{"LOCK TABLES t LOW_PRIORITY READ", ""},
		{"LOCK TABLES t READ WAIT x", ""},
		{"LOCK TABLES a.b.c READ", ""},
		{"LOCK INSTANCE FOR BACKUP", ""},
		{"UNLOCK TABLES", ""},
		{"SELECT 1", ""},
	} {
		all, err := Parse([]byte("DO 0; "+c.text+";"), 0)
		if err != nil || len(all) != 2 {
			t.Fatalf("%s: %v", c.text, err)
		}
		l, ok := all[1].TableLocks()
		if got := describeLocks(l, ok); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
		if has := all[1].Effects.Tx; ok != (has.Has(TxLockTables) || has.Has(TxLockAll)) && all[1].Kind == Flush {
			t.Errorf("%s: its effects are %b", c.text, has)
		}
	}
}

func describeLocks(l TableLocks, ok bool) string {
	if !ok {
		return ""
	}
	if l.All {
		return "all"
	}
	var out []string
	for _, t := range l.List {
		name := t.Table.Schema + "." + t.Table.Name
		if t.Alias != "" {
			name += " " + t.Alias
		}
		out = append(out, fmt.Sprintf("%s:%s", name, map[bool]string{false: "read", true: "write"}[t.Write]))
	}
	return strings.Join(out, " ")
}
