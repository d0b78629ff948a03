package ddl

import (
	"context"
	"sync"
	"testing"

	"tunic/internal/ddl/service"
	"tunic/internal/ddl/turn"
)

// TestPurgedBesideUpserts: clients whose upserts never end do not keep a table from being made anew.
func TestPurgedBesideUpserts(t *testing.T) {
	onServers(t, func(b *bench) {
		t := b.t
		for _, s := range []string{
			"CREATE TABLE x (id INT AUTO_INCREMENT PRIMARY KEY, u INT NOT NULL, n INT NOT NULL DEFAULT 0 COMMENT 'tunic: plain', secret VARCHAR(200), UNIQUE KEY u (u))",
			"INSERT INTO x (u, secret) WITH RECURSIVE r AS (SELECT 1 i UNION ALL SELECT i + 1 FROM r WHERE i < 1000) SELECT i, REPEAT('s', 150) FROM r",
		} {
			if err := b.client.Exec(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		stages := b.definer.stagesOf(b.encryption("x", "secret"))
		for i, stage := range stages {
			stop := func() {}
			if i == len(stages)-1 {
				stop = b.upsertWithoutEnd("INSERT INTO x (u) VALUES (7) ON DUPLICATE KEY UPDATE n = n + 1")
			}
			err := stage(t.Context())
			stop()
			if err != nil {
				t.Fatalf("stage %d: %v", i, err)
			}
		}
		if left, err := b.definer.HasPlainLeft(t.Context(), "shop", "x"); left || err != nil {
			t.Errorf("values are left in the clear, %v", err)
		}
	})
}

// upsertWithoutEnd has clients run a statement, around tunic, until it is told to stop.
func (b *bench) upsertWithoutEnd(statement string) (stop func()) {
	ctx, cancel := context.WithCancel(b.t.Context())
	db := b.open("root", "root", "shop")
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for ctx.Err() == nil {
				if _, err := db.ExecContext(ctx, statement); err != nil && ctx.Err() == nil && numberOf(service.Error(err)) != turn.DeadlockFound {
					b.t.Error(err)
					return
				}
			}
		})
	}
	return func() { cancel(); all.Wait() }
}
