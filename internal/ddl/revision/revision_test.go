package revision

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// table has a protected column with an equality layer, and a fence.
func table(t *testing.T) *catalog.Table {
	t.Helper()
	typ, err := catalog.TypesOf(value.MySQL)("bigint", "", false)
	if err != nil {
		t.Fatal(err)
	}
	of := &catalog.Table{
		ID: catalog.ID{15: 1}, Schema: "s", Name: "t", Revision: 1, Fenced: true, Definition: "CREATE TABLE `t` (\n  `a` bigint DEFAULT NULL\n) ENGINE=InnoDB",
		Columns: []catalog.Column{{
			ID: catalog.ID{2}, Domain: catalog.ID{2}, Name: "a", TypeText: "bigint", Type: typ, Protection: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order},
			Layers: []catalog.Layer{{Capability: policy.Equality, Scheme: catalog.PRP64, State: catalog.Ready, Stored: "a$eq"}},
		}},
	}
	_ = of.Check() // for lookups by name
	return of
}

// TestAlter: a statement that ends a revision moves the fence and writes the mark, behind its other clauses.
func TestAlter(t *testing.T) {
	from := table(t)
	next := CopyOf(from).Table
	next.Revision++
	got := Alter(from, next, []string{"DROP COLUMN `x`"})
	head := "ALTER TABLE `s`.`t` DROP COLUMN `x`, RENAME COLUMN `" + from.Fence() + "` TO `" + next.Fence() + "`, COMMENT='"
	if !strings.HasPrefix(got, head) {
		t.Errorf("%s, want %s…", got, head)
	}
	for _, c := range []struct {
		from, to string
		want     []string
	}{
		{"f", "f", nil},
		{"", "f", []string{"ADD COLUMN " + showcreate.WithoutValue("f")}},
		{"f", "", []string{"DROP COLUMN `f`"}},
	} {
		if got := MoveFence(c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("from %q to %q: %q", c.from, c.to, got)
		}
	}
}

// TestAdd: a layer comes for a job, once, and within the ceiling of its column.
func TestAdd(t *testing.T) {
	const job, other = 5, 6
	was := table(t)
	next := CopyOf(was)
	order := NamedLayer{Column: catalog.ID{2}, Capability: policy.Order}
	for i, want := range []bool{true, false} {
		if added, err := next.Add(order, job); err != nil || added != want {
			t.Errorf("try %d: %t, %v", i, added, err)
		}
	}
	if l := next.Columns[0].Layer(policy.Order); l == nil || l.State != catalog.Backfilling || l.Job != job {
		t.Errorf("the layer is %+v", l)
	}
	if len(was.Columns[0].Layers) != 1 {
		t.Error("the table before has changed")
	}
	if err := HoldsLayers(next.Table, job, []NamedLayer{order}); err != nil {
		t.Errorf("the job's own: %v", err)
	}
	for name, refused := range map[string]struct {
		layer NamedLayer
		job   uint64
		want  error
	}{
		"another job's": {order, other, ErrLayerGone},
		"no column":     {NamedLayer{Column: catalog.ID{3}, Capability: policy.Order}, job, ErrLayerGone},
	} {
		if _, err := next.Add(refused.layer, refused.job); !errors.Is(err, refused.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	next.Columns[0].Protection.Allowed, next.Columns[0].Layers = policy.Equality, nil
	if _, err := next.Add(order, job); !errors.Is(err, ErrCeiling) {
		t.Errorf("above the ceiling: %v", err)
	}
}

// TestBackfilling: what a statement is backfilling is added, and taken back, by clauses of its own; a job's stays.
func TestBackfilling(t *testing.T) {
	was := table(t)
	next := CopyOf(was).Table
	next.Columns[0].Layers = append(next.Columns[0].Layers, catalog.Layer{Capability: policy.Order, Scheme: catalog.ORD1, State: catalog.Backfilling, Stored: "a$ord"})
	if got, want := AddAhead(was, next), []string{"ADD COLUMN `a$ord` binary(32) DEFAULT NULL"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := AddAhead(next, next); got != nil {
		t.Errorf("it is there: %q", got)
	}
	if got, want := DropBackfilling(next), []string{"DROP COLUMN `a$ord`"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := WithoutBackfilling(next); len(got.Columns[0].Layers) != 1 || len(next.Columns[0].Layers) != 2 {
		t.Errorf("without: %+v", got.Columns[0].Layers)
	}
	next.Columns[0].Layers[1].Job = 5
	if got := DropBackfilling(next); got != nil || len(WithoutBackfilling(next).Columns[0].Layers) != 2 {
		t.Errorf("a job's: %q", got)
	}
}

// TestBareSwap: plain forms take the names of sealed ones, and the CHECK goes with these.
func TestBareSwap(t *testing.T) {
	of := table(t)
	account, err := showcreate.Read(of.Definition)
	if err != nil {
		t.Fatal(err)
	}
	stored := &showcreate.Table{Checks: []showcreate.Check{{Name: "tunic$1"}, {Name: "mine"}}}
	if _, err := BareSwap(of, stored, account); !errors.Is(err, errUnbared) {
		t.Errorf("without plain forms: %v", err)
	}
	of.Columns[0].Layers = append(of.Columns[0].Layers, catalog.Layer{Capability: catalog.PlainForm, Scheme: catalog.AsIs, State: catalog.Ready, Stored: "a$bare"})
	got, err := BareSwap(of, stored, account)
	want := []string{
		"DROP CONSTRAINT `tunic$1`",
		"CHANGE COLUMN `a` `" + catalog.ShadowName("a") + "` binary(39) DEFAULT NULL INVISIBLE",
		"CHANGE COLUMN `a$bare` `a` bigint DEFAULT NULL",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if next := Bared(of); !next.Bared || next.Columns[0].Protected() || !of.Columns[0].Protected() || next.Revision != of.Revision+1 {
		t.Errorf("the table to come is %+v", next)
	}
}

// TestDropLeftover: a leftover column goes only in the revision that it was seen in.
func TestDropLeftover(t *testing.T) {
	of := table(t)
	fence := "`" + of.Fence() + "`"
	for flavor, names := range map[value.Flavor]string{value.MariaDB: "RENAME COLUMN " + fence + " TO " + fence, value.MySQL: "ALTER COLUMN " + fence + " SET INVISIBLE"} {
		if got, want := DropLeftover(of, "x$eq", flavor), "ALTER TABLE `s`.`t` DROP COLUMN `x$eq`, "+names; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
