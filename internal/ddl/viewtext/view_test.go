package viewtext

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
	tsql "tunic/internal/sql"
)

// TestAccountOf: an account is written in one form, however it came.
func TestAccountOf(t *testing.T) {
	for written, want := range map[string]string{
		"'app'@'10.%'":   "`app`@`10.%`",
		"`a``b`@`h`":     "`a`@`%`", // no account of MySQL's has a backquote in it; the server says so
		`"app" @ "host"`: "`app`@`host`",
		"app@localhost":  "`app`@`localhost`",
		"app":            "`app`@`%`",
	} {
		if got := AccountOf(written); got != want {
			t.Errorf("%s: %s, want %s", written, got, want)
		}
	}
	if got := QuoteAccount("a@b@localhost"); got != "`a@b`@`localhost`" {
		t.Errorf("%s", got)
	}
}

// TestStored: the stored view has the columns of the view and no row, and reads the stored columns of what the view
// reads.
func TestStored(t *testing.T) {
	of := &catalog.Table{ID: catalog.ID{1}, Schema: "s", Name: "v", Columns: []catalog.Column{{Name: "x"}, {Name: "y"}}, View: &catalog.View{Algorithm: "UNDEFINED", Security: "DEFINER"}}
	of.Columns[1].Type.NotNull = true
	mark := identifier.Quoted(ledger.ViewMark(of))
	v := &View{View: tsql.View{Definer: "`a`@`h`"}, Reads: []Reads{{ViewOver: catalog.ViewOver{Schema: "s", Name: "t"}, Columns: []string{"a", "a$eq"}}}}
	want := "CREATE ALGORITHM = UNDEFINED DEFINER = `a`@`h` SQL SECURITY DEFINER VIEW `s`.`v` AS SELECT NULL AS `x`, 0 AS `y`, NULL AS " + mark +
		" FROM `s`.`t` AS `0` WHERE FALSE AND `0`.`a` IS NULL AND `0`.`a$eq` IS NULL"
	if got := Stored(v, of); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := StoredOver(v, of, nil); !strings.HasSuffix(got, " FROM DUAL WHERE FALSE") {
		t.Errorf("over nothing: %s", got)
	}
}

// TestHead: the mark is none of the columns that SHOW CREATE VIEW shows, and names of the view's own schema go
// without it where all are of it.
func TestHead(t *testing.T) {
	v := &catalog.Table{ID: catalog.ID{1}, Schema: "s", Name: "v", View: &catalog.View{Over: []catalog.ViewOver{{Schema: "s", Name: "t"}}}}
	shown := "CREATE ALGORITHM=UNDEFINED VIEW `v` (`x`,`" + ledger.ViewMark(v) + "`) AS select 1"
	head, compact, ok := ViewHead(shown, v)
	if want := "CREATE ALGORITHM=UNDEFINED VIEW `v` (`x`) AS "; head != want || !compact || !ok {
		t.Errorf("%s, %t, %t; want %s", head, compact, ok, want)
	}
	v.View.Over[0].Schema = "other"
	if _, compact, _ := ViewHead(shown, v); compact {
		t.Error("a name of another schema needs it")
	}
	if got, want := WithoutSchema("select `s`.`t`.`a` from `s`.`t` join `o`.`s`", v), "select `t`.`a` from `t` join `o`.`s`"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
