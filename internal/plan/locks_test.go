package plan

import (
	"fmt"
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
)

// TestLocks: a text that locks tables is forwarded with the tables that it names, in
// their schemas; what cannot be read is refused where it might lock protected ones.
func TestLocks(t *testing.T) {
	known := plantest.Tables(t)
	for _, c := range []struct{ text, want string }{
		{"LOCK TABLES person READ", "forward [{{test person}  false}]"},
		{"LOCK TABLES other.x AS y WRITE, person p WRITE", "forward [{{other x} y true} {{test person} p true}]"},
		{"LOCK TABLES x READ", "forward [{{test x}  false}]"},
		{"LOCK TABLES person READ FOREVER", "refuse"},
		{"LOCK TABLES person READ; SELECT 1", "each"},
		{"LOCK TABLES x READ; SELECT 1", "forward"},
		{"LOCK TABLES _tunic.object READ", "refuse"},
		{"LOCK TABLES person READ, _Tunic.object AS o WRITE", "refuse"},
		{"FLUSH TABLES person WITH READ LOCK", "forward [{{test person}  false}]"},
		{"FLUSH TABLES _tunic.object WITH READ LOCK", "refuse"},
		{"FLUSH LOCAL TABLES WITH READ LOCK", "forward all"},
		{"FLUSH TABLES person", "forward"},
		{"UNLOCK TABLES", "forward"},
	} {
		p := New(Options{}).PlanWith(known, new(sql.Fingerprinter), []byte(c.text), plantest.MariaDB, "test")
		got := p.ActionName()
		switch {
		case p.Locks() == nil:
		case reusable(p):
			t.Errorf("%s: a plan that would be kept", c.text)
		case p.Locks().All:
			got += " all"
		default:
			got += fmt.Sprint(" ", p.Locks().List)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
