package build

import (
	"strings"
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/recipe"
)

// TestMergedView: a query over a view of one table is one over the table, and reads the
// stored view for nothing but its privileges.
func TestMergedView(t *testing.T) {
	c := plantest.WithView(t, "select `id`, `name` as `who` from `test`.`person` where `id` > 3", "id", "who")
	for _, text := range []string{
		"SELECT who FROM v WHERE id = 7", "SELECT * FROM v", "SELECT x.who AS a FROM v AS x ORDER BY a", "SELECT COUNT(who) FROM test.v WHERE test.v.id < 9",
	} {
		run, err := buildText(c, text)
		switch {
		case err != nil:
			t.Errorf("%s: %v", text, err)
		case run.Tree != nil:
			t.Errorf("%s: it is not merged", text)
		case len(run.Tables) != 2:
			t.Errorf("%s: it is about %d tables", text, len(run.Tables))
		case !strings.Contains(run.Remote.String(), "from `test`.`v`"):
			t.Errorf("%s: the server is not asked who may: %s", text, run.Remote)
		case !strings.Contains(run.Answer.Describe.String(), "`v_9`") || strings.Contains(run.Answer.Describe.String(), "3"):
			t.Errorf("%s: described as %s", text, run.Answer.Describe)
		}
	}
}

// TestTablesOverView: every Run of a query over a view is about the view as well.
func TestTablesOverView(t *testing.T) {
	c := plantest.WithView(t, "select `id`, `name` as `who`, `town` as `place` from `test`.`person`", "id", "who", "place")
	run, err := buildText(c, "SELECT id FROM v WHERE who = @w AND place = @p")
	if err != nil || run.Alternatives[recipe.SecretVariable] == nil || run.Alternatives[recipe.NoToken] == nil {
		t.Fatalf("%v, %+v", err, run)
	}
	for _, r := range []*recipe.Run{run, run.Alternatives[recipe.SecretVariable], run.Alternatives[recipe.NoToken]} {
		if len(r.Tables) != 2 {
			t.Errorf("%s: it is about %d tables", r.Remote, len(r.Tables))
		}
	}
}

// TestDerivedView: what is not certain to be the same merged is derived.
func TestDerivedView(t *testing.T) {
	c := plantest.WithView(t, "select `id`, `name` as `who` from `test`.`person`", "id", "who")
	for _, text := range []string{
		"SELECT id AS who FROM v ORDER BY who", "SELECT v.id FROM v JOIN person ON person.id = v.id",
		"SELECT id FROM v WHERE id IN (SELECT id FROM person)", "SELECT id FROM v UNION SELECT id FROM v",
	} {
		run, err := buildText(c, text)
		if err != nil || run.Tree == nil || !strings.Contains(run.Remote.String(), "from `test`.`v`") {
			t.Errorf("%s: %v, %+v", text, err, run)
		}
	}
	c = plantest.WithView(t, "select `id`, 1 as `one` from `test`.`person`", "id", "one") // GROUP BY 1 would be by the first column
	if run, err := buildText(c, "SELECT id, COUNT(*) FROM v GROUP BY one"); err == nil && run.Tree == nil {
		t.Errorf("a view with a number is merged: %s", run.Remote)
	}
	c = plantest.WithView(t, "select distinct `name` as `who` from `test`.`person`", "who")
	if run, err := buildText(c, "SELECT who FROM v"); err != nil || run.Tree == nil {
		t.Errorf("a view with DISTINCT: %v", err)
	}
}

// TestUnknownColumnOfView: a column that the view has not is none, though its table may
// have it.
func TestUnknownColumnOfView(t *testing.T) {
	c := plantest.WithView(t, "select `id` as `n` from `test`.`person`", "n")
	run, err := buildText(c, "SELECT n FROM v WHERE name = 'x'")
	if err != nil || run.Remote != nil || run.Answer.Describe == nil {
		t.Errorf("%v, %+v", err, run)
	}
}

// TestInsertOfView: rows of a query over a view are inserted, and only by who may read the
// columns of the view that the query names.
func TestInsertOfView(t *testing.T) {
	c := plantest.WithView(t, "select `id`, `name` as `who`, `town` as `place` from `test`.`person` where `id` > 3", "id", "who", "place")
	for _, text := range []string{
		"INSERT INTO person (id, name) SELECT id, who FROM v", "REPLACE INTO person (id, name) SELECT x.id, x.who FROM v x WHERE x.id < 9",
		"INSERT INTO person (id, name) SELECT a.id, b.who FROM v a JOIN v b ON a.id = b.id",
		"INSERT INTO person (id, name) SELECT id, who FROM v ON DUPLICATE KEY UPDATE person.town = 'place'",
	} {
		run, err := buildText(c, text)
		if err != nil || run.From() == nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		read := run.From().Remote.String()
		if !strings.Contains(read, "from `test`.`v` where `id` is null and `who` is null)") {
			t.Errorf("%s: the server is not asked who may: %s", text, read)
		}
		if len(run.Tables) != 2 || !strings.Contains(run.Answer.Describe.String(), "`v_9`") || len(run.Asks) > 0 {
			t.Errorf("%s: about %d tables, described as %s", text, len(run.Tables), run.Answer.Describe)
		}
	}
}
