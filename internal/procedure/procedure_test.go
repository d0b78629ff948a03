package procedure

import (
	"context"
	"errors"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// server answers what a call asks of it.
type server struct {
	refusal error
	shown   string
	asked   []string
}

// Exec implements ddl.Client.
func (s *server) Exec(_ context.Context, statement string) error {
	s.asked = append(s.asked, statement)
	return s.refusal
}

// Query implements ddl.Client.
func (s *server) Query(_ context.Context, statement string) ([][]*string, error) {
	s.asked = append(s.asked, statement)
	return [][]*string{{nil, &s.shown}}, nil
}

func texts(all ...string) (args []sql.Arg) {
	for _, a := range all {
		args = append(args, sql.Arg{Text: []byte(a)})
	}
	return args
}

// TestRefusals: what a call cannot do it says before any job is asked for, and the server before tunic.
func TestRefusals(t *testing.T) {
	protected := catalog.Column{Name: "v", Protection: policy.Protection{Protected: true}}
	c := catalog.New(false).Next(1, nil, []*catalog.Table{{ID: catalog.ID{1}, Schema: "shop", Name: "a", Columns: []catalog.Column{{Name: "id"}, protected}}})
	denied := &sqlerr.Error{Number: 1142, State: "42000", Message: "ALTER command denied"}
	const table = "CREATE TABLE `a` (…)"
	for _, c2 := range []struct {
		what, procedure string
		args            []sql.Arg
		server          server
		want            error
	}{
		{"too few", "add_layer", texts("a", "v"), server{}, sqlerr.ProcedureArguments("add_layer")},
		{"no layer", "add_layer", texts("a", "v", "sum"), server{}, sqlerr.ProcedureArguments("add_layer")},
		{"a grain of equality", "add_layer", texts("a", "v", "equality/day"), server{}, sqlerr.ProcedureArguments("add_layer")},
		{"a grain that is dropped", "drop_layer", texts("a", "v", "order/day"), server{}, sqlerr.ProcedureArguments("drop_layer")},
		{"no table", "add_layer", texts("`a`.`b`.`c`", "v", "order"), server{}, sqlerr.ProcedureArguments("add_layer")},
		{"bytes", "add_layer", texts("\xff", "v", "order"), server{}, sqlerr.ProcedureArguments("add_layer")},
		{"tunic's own", "add_layer", texts(catalog.Schema+".a", "v", "order"), server{}, sqlerr.OwnSchema()},
		{"denied", "add_layer", texts("a", "v", "order"), server{refusal: denied}, denied},
		{"a view", "add_layer", texts("a", "v", "order"), server{shown: "CREATE VIEW"}, sqlerr.LayerPlain("a")},
		{"a plain table", "add_layer", texts("b", "v", "order"), server{shown: table}, sqlerr.LayerPlain("b")},
		{"a plain column", "add_layer", texts("a", "id", "order"), server{shown: table}, sqlerr.LayerPlain("id")},
		{"no column", "add_layer", texts("a", "nosuch", "order"), server{shown: table}, unknownColumn("nosuch", "a")},
		{"no number", "pause", texts("x"), server{}, sqlerr.ProcedureArguments("pause")},
		{"no job", "pause", texts("7"), server{}, sqlerr.NoJob(7)},
		{"no parameter", "pause", []sql.Arg{{Kind: sql.ArgParam}}, server{}, sqlerr.ProcedureArguments("pause")},
	} {
		call := Call{Client: &c2.server, Catalog: func() *catalog.Catalog { return c }, Procedure: c2.procedure, Schema: "shop", UTF8: func() bool { return true }}
		_, err := call.Do(t.Context(), c2.args, nil)
		if err == nil || err.Error() != c2.want.Error() {
			t.Errorf("%s: %v, want %v", c2.what, err, c2.want)
		}
		var own *sqlerr.Error
		if errors.As(c2.want, &own) && own.Is(sqlerr.ProcedureArguments(c2.procedure)) && len(c2.server.asked) > 0 {
			t.Errorf("%s: the server was asked %q", c2.what, c2.server.asked)
		}
	}
}

// TestGiven: a parameter is a text or a whole number, and nothing that the server must not have.
func TestGiven(t *testing.T) {
	text := value.Source{Form: value.FormString, Bytes: []byte("x")}
	for _, c := range []struct {
		v    binding.Variable
		want argument
		ok   bool
	}{
		{binding.Variable{Source: text}, argument{text: "x"}, true},
		{binding.Variable{Source: value.IntSource(7)}, argument{text: "7"}, true},
		{binding.Variable{Null: true}, argument{null: true}, true},
		{binding.Variable{Source: value.IntSource(-7)}, argument{}, false},
		{binding.Variable{Source: value.DoubleSource(7)}, argument{}, false},
		{binding.Variable{Source: text, Secret: true}, argument{}, false},
		{binding.Variable{Source: text, Key: true}, argument{}, false},
	} {
		if got, ok := given(&c.v); got != c.want || ok != c.ok {
			t.Errorf("%+v: %+v, %t", c.v, got, ok)
		}
	}
}

// TestNames: tables and columns are named as in SQL, in quotes or not.
func TestNames(t *testing.T) {
	of := &catalog.Table{Columns: []catalog.Column{{Name: "a b"}, {Name: "c"}}}
	catalog.New(false).Next(1, nil, []*catalog.Table{of})
	for name, want := range map[string]int{"c": 1, "`c`": 1, "a b": 0, "`a b`": 0, "d": -1, "`d`": -1, "`c`.`c`": -1} {
		if got := columnNamed(of, name); got != want {
			t.Errorf("%s: column %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string][2]string{"t": {"shop", "t"}, "s.t": {"s", "t"}, "`s.x`.`t`": {"s.x", "t"}, "": {}, "`a`.`b`.`c`": {}, ".t": {}} {
		schema, table, ok := (&Call{Schema: "shop"}).table(name)
		if ok != (want != [2]string{}) || ok && [2]string{schema, table} != want {
			t.Errorf("%s: %s, %s, %t", name, schema, table, ok)
		}
	}
	if _, _, ok := (&Call{}).table("t"); ok {
		t.Error("a table without a schema is one")
	}
}
