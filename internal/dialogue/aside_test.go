package dialogue

import (
	"errors"
	"testing"

	"tunic/internal/sqlerr"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestAside: rows and what an OK says are kept, an error is the server's, and behind an answer that cannot be
// read nothing is asked any more.
func TestAside(t *testing.T) {
	x, p, _ := talk()
	a := &Aside{Server: x.Server, Response: x.Response}
	p.answer(append(wiretest.Head("a"), wiretest.Row("1"), wiretest.Row("2"), wiretest.End(wire.StatusAutocommit))...)
	rows, err := a.Query(t.Context(), "SELECT a")
	if err != nil || len(rows) != 2 || *rows[1][0] != "2" {
		t.Fatalf("%v, %v", rows, err)
	}
	p.answer(wiretest.OK(wire.OK{AffectedRows: 3, Info: []byte("Records: 3")}))
	if err := a.Exec(t.Context(), "UPDATE t SET a = 1"); err != nil || a.Affected != 3 || string(a.Info) != "Records: 3" {
		t.Errorf("%v, %d rows, %q", err, a.Affected, a.Info)
	}
	p.answer(refusal(1146))
	err = a.Exec(t.Context(), "SELECT b")
	if e, ok := errors.AsType[*sqlerr.Error](err); !ok || e.Number != 1146 || a.Broken != nil {
		t.Errorf("%v, %v", err, a.Broken)
	}
	got := len(p.commands())
	for range 2 {
		if err := a.Exec(t.Context(), "DO 0"); err == nil || a.Broken == nil {
			t.Errorf("%v, %v", err, a.Broken)
		}
	}
	if n := len(p.commands()) - got; n > 1 {
		t.Errorf("%d commands to a broken connection", n)
	}
}
