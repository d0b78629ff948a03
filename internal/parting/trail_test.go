package parting

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// trailed plays what a client does, by the words of the test, and returns the steps.
func trailed(l *trail, commands string) (steps []step) {
	const on = wire.StatusAutocommit
	status := on * wire.Status(b2i(l.auto))
	for word := range strings.FieldsSeq(commands) {
		var did *plan.Plan
		of := func(k sql.Kind) { did = &plan.Plan{Statements: []plan.Statement{{Kind: k}}} }
		switch word {
		case "on":
			of(sql.Set)
			status |= on
		case "off":
			of(sql.Set)
			status &^= on
		case "ping":
		case "SET":
			of(sql.Set)
		case "LEVEL":
			of(sql.SetTransaction)
		case "BEGIN":
			of(sql.Begin)
			status |= wire.StatusInTransaction
		case "COMMIT":
			of(sql.Commit)
			status &^= wire.StatusInTransaction
		case "ROLLBACK":
			of(sql.Rollback)
			status &^= wire.StatusInTransaction
		case "work":
			of(sql.Insert)
			if status&on == 0 {
				status |= wire.StatusInTransaction
			}
		}
		steps = append(steps, l.step(did, status))
	}
	return steps
}

func b2i(b bool) uint16 {
	if b {
		return 1
	}
	return 0
}

// TestTrail: where a session that drains may end, by what clients do.
func TestTrail(t *testing.T) {
	const o, w, r, l = stepOther, stepWork, stepTrailed, stepLast
	cases := map[string]struct {
		commands string
		steps    []step
	}{
		"plain":                       {"work BEGIN work COMMIT ping work", []step{w, o, o, w, o, w}},
		"Django":                      {"off on work off work COMMIT on ping work", []step{o, o, r, o, o, r, l, o, r}},
		"JDBC":                        {"on off work COMMIT on off work COMMIT on work", []step{o, o, o, r, l, o, o, r, l, w}},
		"SQLAlchemy":                  {"off work COMMIT ROLLBACK ping work COMMIT ROLLBACK", []step{o, o, r, l, o, o, r, l}},
		"SQLAlchemy, AUTOCOMMIT":      {"off on work ROLLBACK ping work ROLLBACK", []step{o, o, r, o, o, r, l}},
		"the same, later":             {"work ROLLBACK ping work ROLLBACK", []step{w, l, o, r, l}},
		"AUTOCOMMIT for once":         {"off work COMMIT ROLLBACK ping on work ROLLBACK off LEVEL COMMIT ping", []step{o, o, r, l, o, o, r, o, o, o, l, o}},
		"once, from the start":        {"off on work ROLLBACK off LEVEL COMMIT ping on work ROLLBACK off COMMIT", []step{o, o, r, o, o, o, l, o, o, r, o, o, l}},
		"for two":                     {"off work COMMIT ROLLBACK ping on work work ROLLBACK off COMMIT", []step{o, o, r, l, o, o, r, r, o, o, l}},
		"autocommit off, at once":     {"off work COMMIT work COMMIT", []step{o, o, r, o, r}},
		"a query before the next one": {"off work COMMIT on SET off work", []step{o, o, r, l, o, o, o}},
	}
	for name, c := range cases {
		trail := trail{known: true, auto: true}
		if got := trailed(&trail, c.commands); !slices.Equal(got, c.steps) {
			t.Errorf("%s: %s:\n%v, want\n%v", name, c.commands, got, c.steps)
		}
	}
}

// TestTrailEnds: a client that leaves no trail where one is likely does not go on for ever.
func TestTrailEnds(t *testing.T) {
	trail := trail{known: true, auto: false}
	for range trailsMax {
		for _, s := range trailed(&trail, "work COMMIT") {
			if trail.parts(s) {
				t.Fatal("it has ended")
			}
		}
	}
	last := trailed(&trail, "work COMMIT")
	if trail.parts(last[0]) || !trail.parts(last[1]) {
		t.Errorf("it goes on: %v", last)
	}
}
