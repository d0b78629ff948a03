package migrate

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// narrow has the work be done by an account that may do what operators are told to grant.
func (b *bench) narrow() {
	b.t.Helper()
	exec := func(statement string) { b.exec(b.server, statement) }
	sandboxtest.Narrow(b.t, exec, "narrow", "shop")
	sandboxtest.Seeing(b.t, exec, b.flavor == value.MySQL, "narrow")
	b.options.DB = b.as("narrow")
}

// TestNarrowAccount: an account that may do what operators are told to grant encrypts a table with foreign keys. What
// the server denies is told with the privilege, and with SQL that grants it.
func TestNarrowAccount(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.server, "CREATE TABLE shop.parent (id INT PRIMARY KEY)",
			"CREATE TABLE shop.child (id INT PRIMARY KEY, parent INT COMMENT 'tunic: plain', name VARCHAR(20), FOREIGN KEY (parent) REFERENCES parent (id))",
			"INSERT INTO shop.parent VALUES (1)", "INSERT INTO shop.child VALUES (1, 1, 'a')")
		b.narrow()
		b.exec(b.server, "REVOKE REFERENCES ON shop.* FROM 'narrow'@'%'")
		w, end := b.work("child", "name")
		for _, f := range b.hinderedIn(w) {
			if f.Name != privilege || !strings.Contains(f.What, "REFERENCES") || len(f.Remove) != 1 {
				b.t.Errorf("%+v", f)
			}
			b.exec(b.server, f.Remove...)
		}
		end()
		b.options.DB = b.as("narrow") // which hears of its privileges
		w, end = b.work("child", "name")
		defer end()
		if found := b.hinderedIn(w); len(found) > 0 {
			b.t.Fatalf("behind the GRANT there is %v", names(found))
		}
		if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
			b.t.Errorf("%+v, %v", report, err)
		}
	})
}

// TestDepartedHinders: a tunic that has gone without an end hinders an encryption where the account may not see what the
// server has of it, and where nobody can tell.
func TestDepartedHinders(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(3)
		b.narrow()
		b.exec(b.server, "INSERT INTO _tunic.departed (id) VALUES (REPEAT('x', 16))")
		hindering := func() []Finding {
			w, end := b.work("person", "name")
			defer end()
			return b.hinderedIn(w)
		}
		found := hindering()
		if !slices.Equal(names(found), []string{departed}) || len(found[0].Remove) != 1 || !strings.Contains(found[0].Remove[0], "PROCESS") {
			b.t.Fatalf("an account that does not see: %+v", found)
		}
		b.exec(b.server, found[0].Remove...)
		b.options.DB = b.as("narrow")
		if found = hindering(); !slices.Equal(names(found), []string{departed}) || len(found[0].Remove) > 0 {
			b.t.Errorf("one that sees: %+v", found)
		}
		w, end := b.work("person", "name")
		defer end()
		if _, err := w.Encrypt(b.t.Context()); err == nil {
			b.t.Error("it is encrypted all the same")
		}
		b.exec(b.server, "DELETE FROM _tunic.departed")
		if found = hindering(); len(found) > 0 {
			b.t.Errorf("behind that: %v", names(found))
		}
	})
}

// TestDeniedFix: what the server denies is told with what to grant, and nothing else that a message has is.
func TestDeniedFix(t *testing.T) {
	for _, c := range []struct {
		number uint16
		says   string
		want   string
	}{
		{deniedTable, "REFERENCES command denied to user 'u'@'h' for table 't'", "GRANT REFERENCES to the service account, on the schema of that table, as tunic help operating says"},
		{deniedTable, "it's something command denied to user", "GRANT the service account the privileges that tunic help operating lists"},
		{deniedSchema, "Access denied for user 'u'@'h' to database 'd'", "GRANT the service account the privileges that tunic help operating lists"},
		{deniedServer, "Access denied; you need (at least one of) the SUPER, SYSTEM_VARIABLES_ADMIN privilege(s) for this operation", "GRANT SUPER, SYSTEM_VARIABLES_ADMIN ON *.* to the service account"},
		{1062, "Duplicate entry", ""},
	} {
		if _, fix, ok := Failure(&sqlerr.Error{Number: c.number, State: "42000", Message: c.says}); !ok || fix != c.want {
			t.Errorf("%q: %q", c.says, fix)
		}
	}
}
