package ddl

import (
	"context"
	"fmt"
	"testing"

	"tunic/internal/ddl/pace"
	"tunic/internal/policy"
	"tunic/internal/racetest"
)

// TestFamilyKilled is TestKilledBackfill for the columns of a family: all leave it, with which it goes, or stay in it as NOT NULL.
func TestFamilyKilled(t *testing.T) {
	racetest.InOrder(t)
	const table = "CREATE TABLE k (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(10) NOT NULL COMMENT 'tunic: equality family f', a INT COMMENT 'tunic: sealed family f')"
	rows := [][]string{{"1", "one", "5"}, {"2", "two", ""}}
	killedThrough(t, []killing{
		{before: table, rows: rows, statement: "ALTER TABLE k MODIFY s VARCHAR(10) CHARACTER SET latin1 NOT NULL, MODIFY a DECIMAL(20,2)"},
		{before: table, rows: [][]string{{"1", "one", "5"}, {"2", "two", "6"}}, statement: "ALTER TABLE k MODIFY a INT NOT NULL, ADD KEY (s)"},
	})
}

// TestFamilyDecryptionKilled: a decryption of a table with families is killed at statements, and comes to its end when it is begun
// again.
func TestFamilyDecryptionKilled(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		for cut := 2; b.decryptionKilledAt(cut); cut += 4 * onlineStride() {
		}
	})
}

// decryptionKilledAt kills tunic at a statement; false says that all was done before it.
func (b *bench) decryptionKilledAt(cut int) (killed bool) {
	b.t.Helper()
	p, protects := b.beside(), b.definer.Policy()
	for _, c := range []*client{b.client, p.plain} {
		if err := c.Exec(b.t.Context(), "DROP TABLE IF EXISTS x"); err != nil {
			b.t.Fatal(err)
		}
	}
	p.both("CREATE TABLE x (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT NOT NULL COMMENT 'tunic: order family f', s VARCHAR(10) COMMENT 'tunic: sealed family f', d DATE COMMENT 'tunic: sealed', KEY (n))")
	p.insert("x", "1", "5", "one", "")
	p.insert("x", "2", "-7", "", "2020-02-29")
	b.definer.SetPolicy(&policy.Policy{})
	decrypt := func(ctx context.Context, d *Definer) error {
		return d.Decryption.Decrypt(ctx, "shop", "x", pace.Pace{}, nil)
	}
	b.seen.forget()
	b.seen.mu.Lock()
	b.seen.cut, b.seen.answerLost = cut, cut%8 == 2
	b.seen.mu.Unlock()
	err := b.untilDead(decrypt)
	b.seen.mu.Lock()
	killed = b.seen.dead
	b.seen.cut = 0
	b.seen.mu.Unlock()
	what := fmt.Sprintf("killed at statement %d", cut)
	if killed {
		b.comesBack()
		if t := b.ledger.Catalog().Table("shop", "x"); t != nil && !t.Bared {
			p = &pair{bench: b, plain: p.plain}
			p.isBetween("x")
			if rows := p.opened(t); len(rows) != 2 {
				b.t.Errorf("%s: rows %v", what, rows)
			}
		}
		b.definer.SetPolicy(&policy.Policy{})
		err = decrypt(b.t.Context(), b.definer)
	}
	if err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
	p.asPlain()
	b.definer.SetPolicy(protects)
	return killed
}
