package migrate

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/ddl"
	"tunic/internal/ddl/decryption"
	"tunic/internal/ddl/pace"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// typed is a table of types whose values are not what they are shown as.
const typed = `(id INT PRIMARY KEY,
	e ENUM('3','2','1','','Aa','b c') CHARACTER SET latin1 NOT NULL, e2 ENUM('a','it''s','b"s','é') DEFAULT 'it''s',
	s SET('4','2','1','ö') NOT NULL DEFAULT '2', s2 SET(%s) CHARACTER SET latin1, y YEAR NOT NULL, y2 YEAR DEFAULT 2020,
	f FLOAT NOT NULL DEFAULT 1.5, f2 FLOAT(7,2), d DOUBLE NOT NULL, d2 DOUBLE(12,4) UNSIGNED, b BIT(12) NOT NULL DEFAULT b'101', b2 BIT(64),
	t TIMESTAMP NULL, z TIMESTAMP(6) NULL DEFAULT '2000-01-01 00:00:00',
	i INT(6) ZEROFILL NOT NULL DEFAULT 42, i2 BIGINT ZEROFILL, m DECIMAL(9,2) ZEROFILL DEFAULT 1.5, g DOUBLE ZEROFILL DEFAULT 0.25, %s name VARCHAR(20) NOT NULL DEFAULT 'x', KEY by_e (e), KEY by_y (y, s), KEY by_d (d)) DEFAULT CHARSET=utf8mb4`

// typedRows are rows from before.
var typedRows = []string{
	"(1, 1, 1, 1, 0, 0, 0, -0e0, -0e0, -0e0, 0, 0, 0)",
	"(2, '1', 'it''s', '4,1', 18446744073709551615, 1901, '0', 16777217, 99999.99, 1.7976931348623157e308, 99999999.9999, 4095, 18446744073709551615)",
	"(3, 0, 0, 0, 9223372036854775808, 2155, NULL, 3.4028234663852886e38, 2.675, 2.2250738585072014e-308, 0.00005, 1, 9223372036854775808)",
	"(4, '', 'b\"s', 15, 1, 2000, 2069, 1e-45, -0.004, 5e-324, NULL, 7, x'00ff')",
	"(5, 'Aa', 'é', 'ö', 0, 0000, 1999, 0.1, 0.1, 0.30000000000000004, 0.1, 0, NULL)",
	"(6, 'b c', NULL, '', NULL, 1970, NULL, 123456789, NULL, 9007199254740993, NULL, 2048, NULL)",
}

// typedWrites are what clients write meanwhile; %d is a number of rows of their own.
var typedWrites = []string{
	"INSERT INTO typed (id, e, y, d, t, z) VALUES (%[1]d5, '3', 0, 1, '2020-02-03 10:11:12', '2038-01-19 03:14:07.999999'), (%[1]d6, '3', 0, 1, NULL, '1970-01-01 00:00:01')",
	"UPDATE typed SET t = t + INTERVAL 1 DAY, z = '1999-12-31 23:59:59.5' WHERE id IN (3, %[1]d5)",
	"INSERT INTO typed (id, e, y, d) VALUES (%[1]d0, '3', 0, -0e0)",
	"INSERT INTO typed (id, e, e2, s, s2, y, y2, f, f2, d, d2, b, b2) VALUES (%[1]d1, 3, 'b\"s', 5, 9223372036854775809, '0', 69, 0.1, 1234.565, 1e-320, 2.67545, x'0fff', 18446744073709551615)",
	"INSERT INTO typed (id, e, y, d) VALUES (%[1]d1, '2', 1, 2) ON DUPLICATE KEY UPDATE e = 'aA', s = '4', f = f * 3, b = 4095, y = 2015, d = d / 3",
	"UPDATE typed SET e = '', e2 = CONCAT('it', '''s'), s = CONCAT_WS(',', s, 'ö'), y = y + 5, f = -f, f2 = f2 / 3, d = d + 0.1 WHERE id = %[1]d1",
	"UPDATE typed SET y = 0, f = 0.3, b = b'11' WHERE id IN (1, 2) OR id = %[1]d0",
	"REPLACE INTO typed (id, e, y, d) VALUES (%[1]d2, 'b c', 2020, 1e308)",
	"INSERT INTO typed (id, e, e2, s, s2, y, y2, f, f2, d, d2, b, b2) SELECT id + %[1]d2, e, e2, s, s2, y, y2, f, f2, d, d2, b, b2 FROM typed WHERE id IN (1, 2, 5)",
	"DELETE FROM typed WHERE id = %[1]d0",
	"INSERT INTO typed (id, e, y, d, i, i2, m, g) VALUES (%[1]d3, '3', 0, 1, 7, '00012', 3.14, 2e5), (%[1]d4, '3', 0, 1, 4294967295, 0, 9999999.99, 1e20)",
	"UPDATE typed SET i = i + 1, i2 = i2 + i, m = m * 2, g = g + m WHERE id IN (1, 3, %[1]d3)",
	"INSERT IGNORE INTO typed (id, e, y, d, f, b) VALUES (%[1]d8, 2, 2200, '1.5x', 1e39, 5000)",
}

// typist writes and reads the same in two tables: a plain one, and one that is protected
// meanwhile, through two tunics.
type typist struct {
	b       *bench
	plain   *sql.Conn
	columns []string
	writes  int // statements that were written
	times   int // write was called
}

func (y *typist) exec(statement string, args ...any) {
	y.b.t.Helper()
	_, want := y.plain.ExecContext(y.b.t.Context(), statement, args...)
	_, got := y.b.tunics[y.writes%2].ExecContext(y.b.t.Context(), statement, args...)
	y.writes++
	if fmt.Sprint(want) != fmt.Sprint(got) {
		y.b.t.Errorf("%s: %v, without tunic %v", statement, got, want)
	}
}

// write writes all kinds of rows, and compares what is there then.
func (y *typist) write(when string) {
	y.b.t.Helper()
	from := 100 + y.times
	y.times++
	for _, s := range typedWrites {
		y.exec(fmt.Sprintf(s, from))
	}
	y.exec("INSERT INTO typed (id, e, s, y, f, d, b, b2) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", 10*from+9, 3, 5, 0, 0.1, -0.5, 4095, uint64(1)<<63)
	y.exec("UPDATE typed SET e = ?, y2 = ?, f2 = ?, d = ? WHERE id = ?", "b c", 2001, 1.005, -0.25, 10*from+9)
	y.same(when)
}

// same compares all rows in both protocols.
func (y *typist) same(when string) {
	y.b.t.Helper()
	for _, question := range []string{"SELECT * FROM typed ORDER BY id", "SELECT id, e + 0, s + 0, f * 1e0, d, b + 0 FROM typed WHERE e = '1' OR y = 0 OR d > 1 ORDER BY id"} {
		for _, args := range [][]any{nil, {1}} {
			if args != nil {
				question = strings.Replace(question, "ORDER BY", "HAVING id >= ? ORDER BY", 1)
			}
			want, err := cellsOf(y.plain, question, args)
			if err != nil {
				y.b.t.Fatal(err)
			}
			conn, err := y.b.tunics[y.writes%2].Conn(y.b.t.Context())
			if err != nil {
				y.b.t.Fatal(err)
			}
			got, err := cellsOf(conn, question, args)
			if _ = conn.Close(); err != nil || got != want {
				y.b.t.Errorf("%s: %s: %v\n%s", when, question, err, cmp.Diff(want, got))
			}
		}
	}
}

// cellsOf is the answer to a question as one text.
func cellsOf(conn *sql.Conn, question string, args []any) (string, error) {
	rows, err := conn.QueryContext(context.Background(), question, args...)
	if err != nil {
		return "", err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for rows.Next() {
		cells, into := make([]*[]byte, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return "", err
		}
		for _, c := range cells {
			if c == nil {
				all.WriteString("NULL ")
			} else {
				fmt.Fprintf(&all, "%q ", *c)
			}
		}
		all.WriteByte('\n')
	}
	return all.String(), rows.Err()
}

// typed makes both tables.
func (b *bench) typed(more, defined string) *typist {
	b.t.Helper()
	var labels []string
	for i := range 64 {
		labels = append(labels, fmt.Sprintf("'%d'", i))
	}
	conn, err := b.server.Conn(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close() })
	y := &typist{b: b, plain: conn, columns: strings.Fields(more)}
	run := func(s string) {
		b.t.Helper()
		if _, err := conn.ExecContext(b.t.Context(), s); err != nil {
			b.t.Fatalf("%s: %v", s, err)
		}
	}
	run("DROP DATABASE IF EXISTS plain")
	run("CREATE DATABASE plain")
	run("SET @mode = @@sql_mode, sql_mode = ''")
	for _, schema := range []string{"shop", "plain"} {
		run("CREATE TABLE " + schema + ".typed " + fmt.Sprintf(typed, strings.Join(labels, ","), defined))
		run("INSERT INTO " + schema + ".typed (id, e, e2, s, s2, y, y2, f, f2, d, d2, b, b2) VALUES " + strings.Join(typedRows, ", "))
		run("UPDATE " + schema + ".typed SET i = id * id * 12345, i2 = IF(id = 2, 18446744073709551615, NULLIF(id, 3)), m = id / 7, g = id / 3")
		run("UPDATE " + schema + ".typed SET t = IF(id = 1, 0, '2001-02-03 04:05:06'), z = '2020-10-25 01:30:00.000001' WHERE id < 5")
	}
	run("SET sql_mode = @mode")
	run("SET time_zone = '+00:00'")
	run("USE plain")
	return y
}

// stored is what the server has of the table in a schema.
func (y *typist) stored(schema string) string {
	y.b.t.Helper()
	var all string
	for _, question := range []string{"SHOW CREATE TABLE ", "CHECKSUM TABLE "} {
		told, err := cellsOf(y.plain, question+schema+".typed", nil)
		if err != nil {
			y.b.t.Fatal(err)
		}
		all += strings.ReplaceAll(told, schema+".", "")
	}
	return all
}

// TestTypes: columns of types whose values are not what they are shown as are protected, and made
// plain again, beside clients that write them all the while. Answers are those of a table that
// stays as it is, and in the end both are the same.
func TestTypes(t *testing.T) {
	onServers(t, func(b *bench) {
		y, w, end := b.typesEncrypted()
		d := ddl.New(ddl.Options{DB: b.options.DB, Ledger: w.Ledger, Policy: &policy.Policy{}, Flavor: b.flavor, Log: b.options.Log})
		defer d.Close()
		done := -1
		err := d.Decryption.Decrypt(b.t.Context(), "shop", "typed", pace.Pace{}, func(s decryption.Step) {
			if s.Done > done {
				done = s.Done
				y.write(s.Name)
			}
		})
		if err != nil {
			b.t.Fatal(err)
		}
		end()
		y.write("decrypted")
		if is, was := y.stored("shop"), y.stored("plain"); is != was {
			b.t.Errorf("the table is\n%s\nwithout tunic\n%s", is, was)
		}
	})
}

// TestTypesTogether: so they are where they come into a family.
func TestTypesTogether(t *testing.T) {
	onFamilies(t, func(b *bench) {
		_, _, end := b.typesEncrypted()
		end()
	})
}

// typesEncrypted encrypts the table of all types beside a client that writes it. The end of the work is the caller's.
func (b *bench) typesEncrypted() (y *typist, w *Work, end func()) {
	b.t.Helper()
	y = b.typed("e e2 s s2 y y2 f f2 d d2 b b2 t z i i2 m g w", map[value.Flavor]string{
		value.MySQL: "w TIMESTAMP NOT NULL DEFAULT '2001-01-01 00:00:00',", value.MariaDB: "w DATETIME NOT NULL DEFAULT '2001-01-01 00:00:00',",
	}[b.flavor])
	y.write("before")
	w, end = b.work("typed", y.columns...)
	seen := map[Step]bool{}
	w.Progress = func(p Progress) {
		if !seen[p.Step] {
			seen[p.Step] = true
			y.write(string(p.Step))
		}
	}
	plan, err := w.Look(b.t.Context())
	if err != nil || plan.Hindered() || len(plan.Columns) < 12 {
		b.t.Fatalf("%+v, %v", plan, err)
	}
	if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
		b.t.Fatalf("%+v, %v", report, err)
	}
	y.write("encrypted")
	b.isProtected("typed")
	return y, w, end
}

// TestValueToMend: a value that would be another one if it were written again is told of by its
// column, taken back without harm, and encrypted once it is mended.
func TestValueToMend(t *testing.T) {
	onServers(t, func(b *bench) {
		ctx := b.t.Context()
		conn, err := b.server.Conn(ctx)
		if err != nil {
			b.t.Fatal(err)
		}
		b.t.Cleanup(func() { _ = conn.Close() })
		for _, s := range []string{
			"CREATE TABLE shop.born (id INT PRIMARY KEY, name VARCHAR(20), day DATE)",
			"SET sql_mode = 'ALLOW_INVALID_DATES'",
			"INSERT INTO shop.born VALUES (1, 'x', '2020-02-29'), (2, 'y', '2020-02-30')",
		} {
			if _, err := conn.ExecContext(ctx, s); err != nil {
				b.t.Fatalf("%s: %v", s, err)
			}
		}
		rows := func() string {
			b.t.Helper()
			told, err := cellsOf(conn, "SELECT * FROM shop.born ORDER BY id", nil)
			if err != nil {
				b.t.Fatal(err)
			}
			return told
		}
		before := rows()
		w, end := b.work("born", "name", "day")
		defer end()
		_, err = w.Encrypt(ctx)
		if text, ok := Problem(err); !ok || !strings.Contains(text, "column day") || strings.Contains(text, "2020") {
			b.t.Fatalf("%q of %v", text, err)
		}
		if err := w.Abort(ctx); err != nil {
			b.t.Fatal(err)
		}
		if after := rows(); after != before {
			b.t.Errorf("the rows are\n%s, were\n%s", after, before)
		}
		if _, err := conn.ExecContext(ctx, "UPDATE shop.born SET day = '2020-02-28' WHERE id = 2"); err != nil {
			b.t.Fatal(err)
		}
		if report, err := w.Encrypt(ctx); err != nil || report.At != Finished {
			b.t.Fatalf("%+v, %v", report, err)
		}
		b.isProtected("born")
	})
}
