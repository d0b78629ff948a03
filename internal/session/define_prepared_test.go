package session

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/policy"
	"tunic/internal/racetest"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
)

// TestPreparedDefinitions: a definition of a plain table is prepared by the server, one of a
// protected table is not shown to it; who makes it is decided when it is executed.
func TestPreparedDefinitions(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			rule, err := policy.ParseRule("*.secret*.*", "equality")
			if err != nil {
				t.Fatal(err)
			}
			a := newAsked(t, flavor, sandboxtest.Start(t, sandboxes[flavor], sandboxtest.Args("--log-output=TABLE")), rule)
			told(t, a.direct, "SET GLOBAL general_log = 1")
			t.Run("partitions", a.partitionsPrepared)
			t.Run("wrong", a.wrongPrepared)
			t.Run("moved", a.movedPrepared)
			t.Run("turned", a.turnedPrepared)
			t.Run("unseen", a.unseenPrepared)
			t.Run("between", a.preparedBetween)
		})
	}
}

// preparedThrough prepares a statement through tunic.
func (a *asked) preparedThrough(t *testing.T, statement string) (execute func() []string) {
	t.Helper()
	n, err := prepareStatement(a.tunnel, statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return func() []string { return toldExecuted(t, a.tunnel, statement, n, 0) }
}

// failed reports whether what was told is an error.
func failed(told []string) bool { return len(told) == 1 && strings.HasPrefix(told[0], "error") }

// partitionsPrepared: what looks after partitions of a plain table answers with rows in
// binary, under a policy that would protect it.
func (a *asked) partitionsPrepared(t *testing.T) {
	told(t, a.direct, "CREATE TABLE plain.parts (a INT) PARTITION BY HASH (a) PARTITIONS 2")
	const statement = "ALTER TABLE plain.parts ANALYZE PARTITION ALL"
	want, got := toldPrepared(t, a.direct, statement, 0), toldPrepared(t, a.tunnel, statement, 0)
	if len(want) < 2 || !slices.Equal(want, got) {
		t.Errorf("%q instead of %q", got, want)
	}
}

// wrongPrepared: what is wrong with a definition of a plain table is told when it is
// prepared.
func (a *asked) wrongPrepared(t *testing.T) {
	const statement = "CREATE TABLE badauto (a VARCHAR(3) AUTO_INCREMENT PRIMARY KEY)"
	_, want := prepareStatement(a.direct, statement)
	_, got := prepareStatement(a.tunnel, statement)
	if want == nil || got == nil || want.Error() != got.Error() {
		t.Errorf("%v instead of %v", got, want)
	}
}

// movedPrepared: names are those of the schema in which a definition was prepared. One
// that the server has not got wants to be prepared again in another.
func (a *asked) movedPrepared(t *testing.T) {
	later, secret := a.preparedThrough(t, "CREATE TABLE later (a INT)"), a.preparedThrough(t, "CREATE TABLE secret_moved (a INT)")
	told(t, a.tunnel, "USE plain")
	if got := later(); failed(got) {
		t.Error(got)
	}
	if got := secret(); len(got) != 1 || !strings.Contains(got[0], "1615") {
		t.Error(got)
	}
	told(t, a.tunnel, "USE shop")
	if got := told(t, a.tunnel, "SHOW TABLES LIKE 'later'"); len(got) != 2 {
		t.Error(got)
	}
}

// turnedPrepared: a table that was plain when its DROP was prepared is protected when it is
// executed, and the catalog forgets it.
func (a *asked) turnedPrepared(t *testing.T) {
	told(t, a.tunnel, "CREATE TABLE turned (a INT)")
	drop := a.preparedThrough(t, "DROP TABLE turned")
	told(t, a.tunnel, "DROP TABLE turned")
	const again = "CREATE TABLE turned (a VARCHAR(20) COMMENT 'tunic: equality')"
	told(t, a.tunnel, again)
	if a.shared.Ledger.Catalog().Table("shop", "turned") == nil {
		t.Fatal("it is not protected")
	}
	if got := drop(); failed(got) {
		t.Error(got)
	}
	if a.shared.Ledger.Catalog().Table("shop", "turned") != nil {
		t.Error("the catalog still has it")
	}
	if got := told(t, a.tunnel, again); failed(got) {
		t.Error(got)
	}
}

// unseenPrepared: the server gets nothing of a definition that the policy protects, nor of
// one that speaks to tunic.
func (a *asked) unseenPrepared(t *testing.T) {
	for _, statement := range []string{
		"CREATE TABLE secret_one (a VARCHAR(20) DEFAULT 'canary-one')",
		"CREATE TABLE spoken (a VARCHAR(20) DEFAULT 'canary-two' COMMENT 'tunic: sealed')",
		"ALTER TABLE secret_one ADD b VARCHAR(20) DEFAULT 'canary-three'",
	} {
		if got := toldPrepared(t, a.tunnel, statement, 0); failed(got) {
			t.Errorf("%s: %q", statement, got)
		}
	}
	told(t, a.direct, "SET GLOBAL general_log = 0")
	if got := told(t, a.direct, "SELECT argument FROM mysql.general_log WHERE argument LIKE '%canary%' AND argument NOT LIKE '%general_log%'"); len(got) > 1 {
		t.Errorf("the server has got %q", got)
	}
}

// preparedBetween: a definition is made as it was prepared, whatever the client has sent since.
// What it sends here is as long, and has other values in the same places.
func (a *asked) preparedBetween(t *testing.T) {
	told(t, a.tunnel, "CREATE TABLE secret_source (a VARCHAR(10))")
	told(t, a.tunnel, "INSERT INTO secret_source VALUES ('first'), ('other')")
	for _, c := range []struct{ prepared, between, asks string }{
		{"CREATE TABLE secret_kept AS SELECT 'first' AS a", "CREATE TABLE secret_more AS SELECT 'other' AS a", "SELECT a FROM secret_kept"},
		{
			"CREATE TABLE secret_read AS SELECT a FROM secret_source WHERE a = 'first'",
			"CREATE TABLE secret_also AS SELECT a FROM secret_source WHERE a = 'other'", "SELECT a FROM secret_read",
		},
		{
			"CREATE VIEW seen_kept AS SELECT a FROM secret_source WHERE a = 'first'",
			"CREATE VIEW seen_more AS SELECT a FROM secret_source WHERE a = 'other'", "SELECT a FROM seen_kept",
		},
	} {
		execute := a.preparedThrough(t, c.prepared)
		if got := told(t, a.tunnel, c.between); failed(got) {
			t.Fatalf("%s: %q", c.between, got)
		}
		told(t, a.tunnel, "SELECT '"+strings.Repeat("unlike anything before ", 20)+"' FROM secret_source")
		if got := execute(); failed(got) {
			t.Errorf("%s: %q", c.prepared, got)
		}
		if got := strings.Join(told(t, a.tunnel, c.asks), " "); !strings.Contains(got, "first") || strings.Contains(got, "other") {
			t.Errorf("%s: %s", c.prepared, got)
		}
	}
	told(t, a.tunnel, "DROP VIEW seen_kept, seen_more")
	told(t, a.tunnel, "DROP TABLE secret_kept, secret_more, secret_read, secret_also, secret_source")
}

// TestPreparedDefinitionManyTimes: how often a prepared definition is planned again, because a view that it reads
// was outdated when it was prepared, is counted for each execution by itself.
func TestPreparedDefinitionManyTimes(t *testing.T) {
	rule, err := policy.ParseRule("*.secret*.*", "equality")
	if err != nil {
		t.Fatal(err)
	}
	a := newAsked(t, value.MariaDB, sandboxtest.Start(t, sandboxes[value.MariaDB]), rule)
	for _, s := range []string{
		"CREATE TABLE secret_p (id INT, a VARCHAR(10))", "INSERT INTO secret_p VALUES (1, 'x')",
		"CREATE VIEW v AS SELECT id, a FROM secret_p", "ALTER TABLE secret_p ADD COLUMN b VARCHAR(10)",
	} {
		if got := told(t, a.tunnel, s); failed(got) {
			t.Fatalf("%s: %q", s, got)
		}
	}
	if c := a.shared.Ledger.Catalog(); !c.Outdated(c.View("shop", "v")) {
		t.Fatal("the view is not outdated")
	}
	create := a.preparedThrough(t, "CREATE TABLE secret_copy AS SELECT id, a FROM v")
	drop := a.preparedThrough(t, "DROP TABLE secret_copy")
	const times = 105 // a statement is planned again a hundred times
	for i := range times {
		if got := create(); failed(got) {
			t.Fatalf("execution %d: %q", i+1, got)
		}
		if got := drop(); failed(got) {
			t.Fatalf("drop %d: %q", i+1, got)
		}
	}
}
