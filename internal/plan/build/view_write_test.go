package build

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/resolve"
	"tunic/internal/sqlerr"
)

// TestWrittenView: what is written through a view is written to its table, where the
// server has said that the client may; whatever takes the place of the Run asks the same.
func TestWrittenView(t *testing.T) {
	c := plantest.WithView(t, "select `id`, `name` as `who`, `id` + 1 as `more` from `test`.`person` where `id` > 3", "id", "who", "more")
	c.View("test", "v").View.Updatable = true
	for text, want := range map[string][]string{
		"UPDATE v SET who = 'canary' WHERE id = 7": {
			"select 1 from `test`.`v` where `id` is null", "UPDATE `test`.`v` SET `who` = NULL WHERE FALSE",
		},
		"UPDATE v SET who = 'canary'":                     {"UPDATE `test`.`v` SET `who` = NULL WHERE FALSE"},
		"DELETE FROM test.v WHERE who = 'canary' LIMIT 1": {"select 1 from `test`.`v` where `who` is null", "DELETE FROM `test`.`v` WHERE FALSE"},
		"UPDATE v AS x SET x.who = UPPER(x.who)":          {"select 1 from `test`.`v` where `who` is null", "UPDATE `test`.`v` SET `who` = NULL WHERE FALSE"},
	} {
		run, err := buildText(c, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for _, r := range append(run.Others(), run) {
			if !slices.Equal(r.Asks, want) {
				t.Errorf("%s: it asks %q", text, r.Asks)
			}
			if stored := r.Remote.String(); strings.Contains(stored, "`v`") || !strings.Contains(stored, "`person`") || !strings.Contains(stored, "> 3") {
				t.Errorf("%s: %s", text, stored)
			}
		}
		if len(run.Tables) != 2 {
			t.Errorf("%s: it is about %d tables", text, len(run.Tables))
		}
	}
}

// TestUnwrittenView: what the server refuses to write through a view is refused with its
// words, and what is not certain to come out as the server's with tunic's own.
func TestUnwrittenView(t *testing.T) {
	c := plantest.WithView(t, "select `id`, `name` as `who`, `id` + 1 as `more` from `test`.`person` where `id` > 3", "id", "who", "more")
	v := c.View("test", "v").View
	for _, x := range []struct {
		text      string
		updatable bool
		check     string
		number    uint16 // 0 for tunic's own
	}{
		{"UPDATE v SET more = 1", true, "", 1348},
		{"UPDATE v SET who = 'x'", false, "", 1288},
		{"DELETE FROM v", false, "", 1288},
		{"INSERT INTO v (id) VALUES (1)", false, "", 1471},
		{"INSERT INTO v (id) VALUES (1)", true, "", 0}, // it has a column that is computed
		{"UPDATE v SET id = 1", true, "CASCADED", 0},
		{"UPDATE v SET nothing = 1", true, "", 0},
		{"UPDATE v SET who = (SELECT MAX(name) FROM person)", true, "", 0},
		{"UPDATE v, person SET who = 'x'", true, "", 0},
		{"DELETE v FROM v", true, "", 0},
		{"INSERT INTO v (id) SELECT id FROM v", true, "", 0},
		{"INSERT INTO v (id) VALUES (1) ON DUPLICATE KEY UPDATE who = 'x'", true, "", 0},
	} {
		v.Updatable, v.Check = x.updatable, x.check
		_, err := buildText(c, x.text)
		said, ok := errors.AsType[*sqlerr.Error](err)
		_, beyond := errors.AsType[*resolve.Beyond](err)
		switch {
		case x.number != 0 && (!ok || said.Number != x.number || said.Code != 0):
			t.Errorf("%s: %v, want %d", x.text, err, x.number)
		case x.number == 0 && !beyond && (!ok || said.Code == 0):
			t.Errorf("%s: %v", x.text, err)
		}
	}
	v.Updatable, v.Check = true, "LOCAL"
	if _, err := buildText(c, "UPDATE v SET who = 'x'"); err != nil {
		t.Errorf("a column that the condition does not look at: %v", err)
	}
}
