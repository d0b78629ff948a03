package exec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/wire/wiretest"
)

// TestHourThatComesTwice: where the clocks of a session's zone are set back, two moments show the same.
// MariaDB compares moments, and MySQL puts rows together by clocks: what tunic answers is what the
// plain server does, or it refuses.
func TestHourThatComesTwice(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		sandboxtest.Zone(t, func(s string) { r.exec(s) }, "Europe/Berlin")
		for _, protect := range []string{"sealed", "equality", "order"} {
			name := "z_" + protect
			r.table(name, []col{
				{name: "id", typ: "INT", protect: "plain"}, {name: "ts", typ: "TIMESTAMP", protect: protect, null: true}, {name: "n", typ: "INT", protect: "sealed", null: true},
			}, primary("id"))
			p := r.pair(t, wiretest.ClientCaps)
			p.each("SET time_zone = '+00:00'", "INSERT INTO "+name+" VALUES (1, '2020-07-01 12:00:00', 1), (2, '2020-07-01 12:00:00', 2), (3, '2020-10-25 00:30:00', 3), (4, '2020-10-25 01:30:00', 4), (5, '2020-10-25 00:30:00', 5)",
				"SET time_zone = 'Europe/Berlin'")
			p.moments(name)
			p.text("DELETE FROM " + name + " WHERE id > 2") // which a refusal has left, perhaps
			p.each("INSERT INTO " + name + " VALUES (6, '2020-12-24 18:00:00', 6)")
			for _, question := range []string{
				"SELECT DISTINCT ts FROM " + name, "SELECT ts, COUNT(*) FROM " + name + " GROUP BY ts", "SELECT COUNT(DISTINCT ts) FROM " + name,
				"SELECT a.id, b.id FROM " + name + " a JOIN " + name + " b ON a.ts = b.ts", "SELECT MAX(ts) FROM " + name,
			} {
				direct, tunnel := p.text(question)
				if want, got := rowsOf(&direct), rowsOf(&tunnel); want != got {
					t.Errorf("without such an hour: %s\n%q, through %q", question, want, got)
				}
			}
		}
	})
}

// moments asks what goes by the TIMESTAMPs of a table.
func (p *pair) moments(name string) {
	p.t.Helper()
	refused := 0
	for _, question := range []string{
		"SELECT COUNT(DISTINCT ts) FROM z", "SELECT DISTINCT ts FROM z", "SELECT ts, COUNT(*) FROM z GROUP BY ts", "SELECT COUNT(DISTINCT ts, n * 0) FROM z",
		"SELECT a.id, b.id FROM z a JOIN z b ON a.ts = b.ts ORDER BY 1, 2", "SELECT a.id, b.id FROM z a JOIN z b USING (ts) ORDER BY 1, 2", "SELECT a.id, b.id FROM z a, z b WHERE a.ts < b.ts ORDER BY 1, 2",
		"SELECT id FROM z WHERE ts = (SELECT ts FROM z WHERE id = 4) ORDER BY id", "SELECT id FROM z WHERE ts IN (SELECT ts FROM z WHERE n = 4) ORDER BY id", "SELECT id FROM z WHERE ts = (SELECT MAX(ts) FROM z) ORDER BY id",
		"SELECT id FROM z x WHERE EXISTS (SELECT 1 FROM z y WHERE y.ts = x.ts AND y.id <> x.id) ORDER BY id",
		"SELECT id, RANK() OVER (ORDER BY ts) FROM z ORDER BY id", "SELECT id, COUNT(*) OVER (PARTITION BY ts) FROM z ORDER BY id", "SELECT ts FROM z UNION SELECT ts FROM z",
		"SELECT MAX(ts) = MIN(ts) FROM z WHERE id > 2", "SELECT a.ts <=> b.ts, a.ts >= b.ts FROM z a JOIN z b ON a.id = 3 AND b.id = 4", "SELECT COALESCE(ts, NULL) AS c, COUNT(*) FROM z GROUP BY c",
		"SELECT id, ts, n FROM z ORDER BY id", "SELECT id, DATE(ts), HOUR(ts) FROM z ORDER BY id", "SELECT id FROM z WHERE ts = '2020-07-01 14:00:00' ORDER BY id",
		"DELETE a FROM z a JOIN z b ON a.ts = b.ts AND a.id < b.id WHERE a.id > 2",
	} {
		question = strings.ReplaceAll(question, " z", " "+name)
		direct, tunnel := p.text(question)
		if tunnel.err != nil && strings.Contains(tunnel.err.Message, "TUNIC-201") {
			if strings.Contains(tunnel.err.Message, "an hour that is there twice") {
				refused++
				continue
			}
			if strings.Contains(tunnel.err.Message, "TUNIC-2010") { // whatever the hour is
				continue
			}
		}
		if want, got := rowsOf(&direct), rowsOf(&tunnel); want != got {
			p.t.Errorf("%s\n%q, through %q", question, want, got)
		}
	}
	if refused == 0 || refused > 17 {
		p.t.Errorf("%s: %d questions were refused", name, refused)
	}
}

// rowsOf are the rows of an answer in any order, its error, or how many it has written.
func rowsOf(a *answer) string {
	if a.err != nil {
		return errorText(a.err)
	}
	var rows []string
	for _, row := range a.sets[0].Rows {
		rows = append(rows, fmt.Sprintf("%q", row))
	}
	slices.Sort(rows)
	return fmt.Sprint(rows, a.sets[0].OK.AffectedRows)
}
