package plan

import (
	"errors"
	"testing"

	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// TestTable: a command that names a table gets through only if the table cannot
// be a protected one, however the server reads its name.
func TestTable(t *testing.T) {
	p := New(Options{Names: protects{"patient"}})
	for name, forwarded := range map[string]bool{
		"t": true, "t_1$": true, "patients": true,
		"patient": false, "Patient": false, "": false, "#mysql50#patient": false, "p\xe4tient": false, "pat[ent": false,
	} {
		err := p.Table(sql.ShowColumns, "shop", []byte(name))
		if (err == nil) != forwarded {
			t.Errorf("%q: %v", name, err)
		}
		if err != nil && !errors.Is(err, sqlerr.StatementRefused("")) {
			t.Errorf("%q: refused with %v", name, err)
		}
	}
	if err := p.Table(sql.AnalyzeTable, "shop", []byte("patient")); err != nil {
		t.Errorf("what a statement of the kind may do is refused: %v", err)
	}
	if err := New(Options{}).Table(sql.ShowColumns, "shop", []byte("p\xe4tient")); err != nil {
		t.Errorf("refused though nothing is protected: %v", err)
	}
}
