package migrate

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"tunic/internal/ddl"
	"tunic/internal/ddl/decryption"
	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/policy"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// TestDamaged: an encryption and a decryption that go on after they were cut off have the server look through the table before
// its indexes are made anew, and change nothing of one that has lost a row from one of them. Once the server has made
// the table anew, they go on. Those that are not cut off have nothing looked through.
func TestDamaged(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(10)
		b.cutOff(b.encrypt, string(Swap))
		sandboxtest.Damage(t, b.sandbox, "shop", "person")
		b.goesOn(b.encrypt, 9)
		b.isProtected("person")
		b.cutOff(b.decrypt, "shape")
		sandboxtest.Damage(t, b.sandbox, "shop", "person")
		b.goesOn(b.decrypt, 8)
		before := b.looks()
		b.do(b.encrypt)
		b.do(b.decrypt)
		if n := b.looks() - before; n != 0 {
			t.Errorf("the server has looked through a table %d times, and nothing was cut off", n)
		}
	})
}

// goesOn makes sure that work does not go on with a damaged table, does with one that the server has made anew.
func (b *bench) goesOn(do func(context.Context, func(string)) error, rows int) {
	b.t.Helper()
	columns := "SELECT GROUP_CONCAT(COLUMN_NAME ORDER BY COLUMN_NAME) FROM information_schema.COLUMNS WHERE TABLE_NAME = 'person'"
	var before, after string
	waittest.Until(b.t, "the server is there again", func() bool { return b.server.QueryRowContext(b.t.Context(), columns).Scan(&before) == nil })
	var err error
	waittest.Until(b.t, "the tunics are there again", func() bool {
		err = do(b.t.Context(), func(string) {})
		_, _, told := Failure(err)
		return told
	})
	unsound, ok := errors.AsType[*upkeep.UnsoundError](err)
	problem, fix, _ := Failure(err)
	if !ok || !unsound.Damaged || !strings.Contains(problem, "CHECK TABLE says: InnoDB: Index '…' contains") || !strings.Contains(fix, "backup") || strings.Contains(problem, canary) {
		b.t.Fatalf("%v: %s; %s", err, problem, fix)
	}
	if err := b.server.QueryRowContext(b.t.Context(), columns).Scan(&after); err != nil || after != before {
		b.t.Errorf("columns %s, then %s: %v", before, after, err)
	}
	b.exec(b.server, "ALTER TABLE shop.person FORCE")
	looks := b.looks()
	b.do(do)
	if n := b.looks() - looks; n != 1 {
		b.t.Errorf("the server has looked through the table %d times", n)
	}
	if got := b.rows("SELECT COUNT(*) FROM person"); !strings.HasSuffix(got[0], " "+strconv.Itoa(rows)) {
		b.t.Errorf("%s rows, want %d", got[0], rows)
	}
}

// encrypt and decrypt do it, and tell the steps.
func (b *bench) encrypt(ctx context.Context, told func(string)) error {
	w, end := b.work("person", "n", "name")
	defer end()
	w.Progress = func(p Progress) { told(string(p.Step)) }
	_, err := w.Encrypt(ctx)
	return err
}

func (b *bench) decrypt(ctx context.Context, told func(string)) error {
	w, end := b.work("person")
	defer end()
	plain := ddl.New(ddl.Options{DB: b.options.DB, Ledger: w.Ledger, Policy: &policy.Policy{}, Flavor: b.flavor, Log: b.options.Log})
	defer plain.Close()
	return plain.Decryption.Decrypt(ctx, "shop", "person", pace.Pace{}, func(s decryption.Step) { told(s.Name) })
}

func (b *bench) do(work func(context.Context, func(string)) error) {
	b.t.Helper()
	if err := work(b.t.Context(), func(string) {}); err != nil {
		b.t.Fatal(err)
	}
}

// cutOff ends work where a step begins.
func (b *bench) cutOff(work func(context.Context, func(string)) error, step string) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	defer cancel()
	err := work(ctx, func(at string) {
		if at == step {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		b.t.Fatalf("cut off: %v", err)
	}
}

// looks are how often the server was to look through a table.
func (b *bench) looks() (n int) {
	b.t.Helper()
	var name string
	if err := b.server.QueryRowContext(b.t.Context(), "SHOW GLOBAL STATUS LIKE 'Com_check'").Scan(&name, &n); err != nil {
		b.t.Fatal(err)
	}
	return n
}
