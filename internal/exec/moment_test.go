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

// momentsKept are statements that set TIMESTAMPs, and that neither server is refused: a column is set to
// itself, to what is no TIMESTAMP, or to what the row that was to be inserted has.
var momentsKept = []string{
	"UPDATE w SET a=a", "UPDATE w SET a=a, n=n+1", "UPDATE w SET c=c, n=n+1", "UPDATE w SET a=b, a=a", "UPDATE w SET a=(w.a), n=n+1 WHERE a IS NOT NULL ORDER BY n LIMIT 1", "UPDATE IGNORE w SET a=a, n=n+1",
	"UPDATE w SET b=a", "UPDATE w SET b=a, n=n+1", "UPDATE w SET a=b, b=a", "UPDATE w SET b=d", "UPDATE w SET d=a", "UPDATE w SET d=a, b=d", "UPDATE w SET d=COALESCE(a,b)",
	"UPDATE w SET b=COALESCE(d,a)", "UPDATE w SET b=IF(n=0,a,d)", "UPDATE w SET b=a+INTERVAL 0 SECOND", "UPDATE w SET b=CAST(a AS DATETIME)", "UPDATE w SET b=CONCAT(a,'')", "UPDATE w SET b=NOW(), n=n+1", "UPDATE w SET b=IF(n=0,NOW(),a)",
	"INSERT INTO w (id,a) VALUES (1,NULL) ON DUPLICATE KEY UPDATE a=w.a", "INSERT INTO w (id,a) VALUES (1,NULL) ON DUPLICATE KEY UPDATE a=w.a, n=w.n+1", "INSERT INTO w (id,a) VALUES (1,NULL) ON DUPLICATE KEY UPDATE b=w.a",
	"INSERT INTO w (id,a) VALUES (1,'2024-10-27 02:30:00') ON DUPLICATE KEY UPDATE b=VALUES(a)", "INSERT INTO w (id,a) VALUES (2,NOW()),(3,NOW()),(1,NOW()) ON DUPLICATE KEY UPDATE a=VALUES(a), b=VALUES(a)",
	"INSERT INTO w (id,a) VALUES (1,'2024-10-27 01:30:00+00:00') ON DUPLICATE KEY UPDATE a=VALUES(a)", "INSERT INTO w (id,a) VALUES (2,'2024-10-27 01:30:00+00:00') ON DUPLICATE KEY UPDATE a=VALUES(a), n=n+1",
	"ZERO UPDATE w SET a=a", "ZERO UPDATE w SET a=a, n=n+1", "ZERO UPDATE w SET b=a",
}

// momentsCopied are statements that one of the servers, or both, is refused where such an hour is met.
var momentsCopied = []string{
	"UPDATE w SET c=a", "UPDATE w SET a=c", "UPDATE w SET b=COALESCE(a,b)", "UPDATE w SET b=COALESCE(a,NULL), n=n+1", "UPDATE w SET b=IF(n=0,a,b)", "UPDATE w SET b=GREATEST(a,b)", "UPDATE w SET d=LEAST(a,b)", "UPDATE w SET b=IFNULL(a,b)",
	"UPDATE w SET b=CASE WHEN n=1 THEN b ELSE a END", "UPDATE w SET b=NULLIF(a,b)", "UPDATE w x JOIN w y USING(id) SET x.b=y.a", "UPDATE w x JOIN w y USING(id) SET x.a=x.a, x.n=x.n+1", "UPDATE w x JOIN w y USING(id) SET x.b=COALESCE(y.a,x.b)",
	"UPDATE w x JOIN (SELECT id, a AS q FROM u LIMIT 10) y USING(id) SET x.b=y.q", "UPDATE w x JOIN (SELECT id, COALESCE(a,b) AS q FROM u LIMIT 10) y USING(id) SET x.b=y.q", "UPDATE w SET b=(SELECT a FROM u WHERE id=1)", "UPDATE w SET b=(SELECT COALESCE(a,b) FROM u WHERE id=1)",
	"UPDATE w SET a=a, n=(SELECT MAX(n)+1 FROM u)", "UPDATE w JOIN u USING(id) SET w.a=w.a, w.n=w.n+1",
	"INSERT INTO w (id,a) VALUES (1,NULL) ON DUPLICATE KEY UPDATE b=COALESCE(w.a,w.b)",
	"INSERT INTO w (id,a,b,n) SELECT id,a,b,n FROM u ON DUPLICATE KEY UPDATE b=VALUES(a)", "INSERT INTO w (id,a,b,n) SELECT id,a,b,n FROM u ON DUPLICATE KEY UPDATE b=COALESCE(VALUES(a),VALUES(b))",
	"INSERT INTO w (id,a,b,n) SELECT id+10,a,a,n FROM u", "INSERT INTO w (id,c) SELECT id+10,a FROM u", "INSERT INTO w (id,a) SELECT id+10,c FROM u", "INSERT INTO w (id,a) SELECT id+10,COALESCE(d,a) FROM u", "REPLACE INTO w (id,a) SELECT id,a FROM u",
	"SELECT UNIX_TIMESTAMP(COALESCE(a,b)), UNIX_TIMESTAMP(d) FROM w", "SELECT HOUR(GREATEST(a,b)) FROM w", "SELECT GROUP_CONCAT(id ORDER BY COALESCE(a,b), id) FROM w", "SELECT COUNT(*) FROM w GROUP BY COALESCE(a,b)",
}

// TestMomentsThatComeTwice: a TIMESTAMP that is written keeps the moment that a plain server stores, in
// an hour that its clocks show twice as well, or is refused. One of another hour is not.
func TestMomentsThatComeTwice(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		sandboxtest.Zone(t, func(s string) { r.exec(s) }, "Europe/Berlin")
		for _, name := range []string{"w", "u"} {
			r.table(name, []col{
				{name: "id", typ: "INT", protect: "plain"},
				{name: "a", typ: "TIMESTAMP", protect: "sealed", null: true},
				{name: "b", typ: "TIMESTAMP", protect: "equality", null: true},
				{name: "c", typ: "TIMESTAMP(3)", protect: "order", null: true},
				{name: "d", typ: "DATETIME", protect: "sealed", null: true},
				{name: "n", typ: "INT", protect: "sealed", null: true},
			}, primary("id"))
		}
		p := r.pair(t, wiretest.ClientCaps)
		refused := 0
		for _, s := range momentsKept {
			if p.writesMoment(s, "2024-10-27 01:30:00", "2024-10-27 00:30:00") {
				t.Errorf("%s: it is refused", s)
			}
		}
		for _, s := range momentsCopied {
			if p.writesMoment(s, "2024-10-27 01:30:00", "2024-10-27 00:30:00") {
				refused++
			}
			if p.writesMoment(s, "2024-10-27 03:30:00", "2024-07-01 12:00:00") {
				t.Errorf("%s: it is refused without such an hour", s)
			}
		}
		if refused == 0 || refused == len(momentsCopied) {
			t.Errorf("%d of %d statements were refused", refused, len(momentsCopied))
		}
	})
}

// writesMoment compares what a statement makes of tables that have these two moments in their columns.
func (p *pair) writesMoment(statement, one, other string) (refused bool) {
	p.t.Helper()
	p.each("SET sql_mode = DEFAULT, timestamp = 1729992600, time_zone = '+00:00'")
	for _, table := range []string{"w", "u"} {
		p.text("DELETE FROM " + table) // of which a refusal may have left another number
		p.each(fmt.Sprintf("INSERT INTO %s VALUES (1, '%s', '%s', '%[2]s.123', '2024-10-27 02:30:00', 0), (2, '%[3]s', '%[2]s', NULL, '2024-07-27 02:30:00', 0)", table, one, other))
	}
	s, zero := strings.CutPrefix(statement, "ZERO ")
	if zero {
		p.each("SET sql_mode = ''", "UPDATE w SET a = 0, n = 5", "SET sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE'")
	}
	p.each("SET time_zone = 'Europe/Berlin'")
	direct, tunnel := p.text(s)
	if tunnel.err != nil && strings.Contains(tunnel.err.Message, "TUNIC-2011") && strings.Contains(tunnel.err.Message, "an hour that is there twice") {
		return true
	}
	if want, got := rowsOf(&direct), rowsOf(&tunnel); want != got {
		p.t.Errorf("%s\n%q, through %q", statement, want, got)
	}
	p.each("SET time_zone = '+00:00'", "SELECT * FROM w ORDER BY id")
	return false
}
