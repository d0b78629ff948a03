package server

import (
	"database/sql"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// explained are the rows of an answer, by column name; NULL is "NULL".
func explained(t *testing.T, db *sql.DB, text string, args ...any) []map[string]string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return cellsOf(t, rows)
}

func cellsOf(t *testing.T, rows *sql.Rows) []map[string]string {
	t.Helper()
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]string
	for rows.Next() {
		cells, into := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		row := map[string]string{}
		for i, c := range cells {
			if row[names[i]] = "NULL"; c.Valid {
				row[names[i]] = c.String
			}
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// told are the lines of tunic's rows, which come behind the server's and say nothing
// in columns of its.
func told(t *testing.T, rows []map[string]string) []string {
	t.Helper()
	var lines []string
	for _, row := range rows {
		if row["select_type"] != "TUNIC" {
			if len(lines) > 0 {
				t.Errorf("a row of the server's behind tunic's: %v", row)
			}
			continue
		}
		lines = append(lines, row["Extra"])
		for name, cell := range row {
			if cell != "NULL" && !slices.Contains([]string{"select_type", "table", "Extra"}, name) {
				t.Errorf("%s is %q in a row of tunic's", name, cell)
			}
		}
	}
	return lines
}

// explaining are a client's connection to a table with layers.
func explaining(t *testing.T, flavor sandbox.Flavor) *sql.DB {
	t.Helper()
	_, kek, cfg := protecting(t, flavor)
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	db.SetMaxOpenConns(1)
	mustExec(t, db,
		"CREATE TABLE person (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40) UNIQUE, age INT COMMENT 'tunic: equality', note TEXT)",
		"INSERT INTO person (name, age, note) VALUES ('Canary', 5, 'Canary sings'), ('Other', 6, 'y')")
	return db
}

// fences are what names the fence of person in stored statements.
var fences = regexp.MustCompile("(?: and \\(true or (?:default\\()?`tunic\\$[0-9a-f]+\\$1`\\)?\\)| where true or (?:default\\()?`tunic\\$[0-9a-f]+\\$1`\\)?|, `tunic\\$[0-9a-f]+\\$1` = default)")

// unfenced is what is told without the fences, of which each stored statement has one.
func unfenced(t *testing.T, lines []string) (all []string) {
	t.Helper()
	for _, l := range lines {
		stored := strings.HasPrefix(l, "remote: ") || strings.HasPrefix(l, "write: ")
		if n := len(fences.FindAllString(l, -1)); (n == 1) != stored {
			t.Errorf("%d fences in: %s", n, l)
		}
		all = append(all, fences.ReplaceAllString(l, ""))
	}
	return all
}

// TestExplain: a client sees the server's plan of the stored statement, and behind
// it what tunic does; of a prepared statement the same.
func TestExplain(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			db := explaining(t, flavor)
			byName := []string{
				"remote: select `note` from `person` where `name$eq` = <equality of name>",
				"fetch: note opened",
				"where: remote, by the equality layer of name: `name` = ?",
				"fallback: a value that no token stands for is compared locally, with all rows that the rest leaves",
			}
			withNumber := []string{
				"remote: select `row$form`, `note` from `person` limit 18446744073709551615",
				"fetch: row$form opened, note opened",
				"local: where `name` = ?",
				"local: select `note`",
				"where: local, for this value there is no token: `name` = ?",
			}
			computed := []string{
				"remote: select `id`, `row$form` from `person` where `name$eq` = <equality of name> limit 18446744073709551615 for update",
				"fetch: id, row$form opened",
				"write: for each row: update `person` set `age$eq` = <equality of age>, `row$form` = <sealed of row$form> where `id` = <value of id>",
				"where: remote, by the equality layer of name: `name` = ?",
				"set: local, computed for each row: `age` = `age` + ?",
				"store: the sealed form of its family and the equality token of 8 bytes: `age`",
				"fallback: a value that no token stands for is compared locally, with all rows that the rest leaves",
			}
			for _, c := range []struct {
				text string
				args []any
				want []string
			}{
				{"SELECT note FROM person WHERE name = 'Canary'", nil, byName},
				{"SELECT note FROM person WHERE name = ?", []any{"Canary"}, byName},
				{"SELECT note FROM person WHERE name = 5", nil, withNumber},
				{"SELECT note FROM person WHERE name = ?", []any{5}, withNumber},
				{"UPDATE person SET age = age + 1 WHERE name = 'Canary'", nil, computed},
				{"UPDATE person SET age = age + ? WHERE name = ?", []any{1, "Canary"}, computed},
			} {
				rows := explained(t, db, "EXPLAIN FORMAT=TRADITIONAL "+c.text, c.args...)
				if got := unfenced(t, told(t, rows)); !slices.Equal(got, c.want) {
					t.Errorf("%s, %v:\n%s", c.text, c.args, strings.Join(got, "\n"))
				}
				if rows[0]["table"] != "person" || rows[0]["id"] != "1" {
					t.Errorf("%s: the server says %v", c.text, rows[0])
				}
				if key := rows[0]["key"]; strings.Contains(c.want[0], "name$eq") != (key == "name") {
					t.Errorf("%s: by key %s", c.text, key)
				}
			}
		})
	}
}

// TestExplainChangesNothing: a statement that writes is not carried out, and one that
// would have to be is refused; and what is wrong with a statement is told.
func TestExplainChangesNothing(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			db := explaining(t, flavor)
			for _, text := range []string{
				"DELETE FROM person WHERE name = 'Canary'", "DELETE FROM person WHERE note = 'y'", "UPDATE person SET name = 'Crow'",
				"UPDATE person SET age = age + 1", "INSERT INTO person (name) VALUES ('Crow'), ('Owl')", "REPLACE INTO person (name) VALUES ('Other')",
				"INSERT INTO person (name, age) VALUES (UPPER('crow'), 1 + 1)",
				"INSERT INTO person (id, name) VALUES (1, 'Crow') ON DUPLICATE KEY UPDATE age = age + 1",
			} {
				explained(t, db, "EXPLAIN "+text)
			}
			rows := explained(t, db, "SELECT name, age FROM person ORDER BY id")
			if len(rows) != 2 || rows[0]["name"] != "Canary" || rows[0]["age"] != "5" || rows[1]["name"] != "Other" || rows[1]["age"] != "6" {
				t.Errorf("%v", rows)
			}
			for text, number := range map[string]uint16{
				"ANALYZE DELETE FROM person":                                                     1235,
				"EXPLAIN ANALYZE UPDATE person SET age = 1":                                      1235,
				"EXPLAIN SELECT p.name FROM person AS p JOIN person AS q FOR UPDATE SKIP LOCKED": 1235,
				"EXPLAIN SELECT nothing FROM person":                                             1054,
			} {
				_, err := db.ExecContext(t.Context(), text)
				if e, ok := errors.AsType[*mysql.MySQLError](err); !ok || e.Number != number {
					t.Errorf("%s: %v, want %d", text, err, number)
				}
			}
		})
	}
}

// TestExplainTexts: in the other forms of an answer tunic's words are in it, too, and
// no value or stored form is.
func TestExplainTexts(t *testing.T) {
	racetest.InOrder(t)
	const query = "SELECT id, note FROM person WHERE age = 5 AND name = 'Canary'"
	for flavor, forms := range map[sandbox.Flavor][]string{
		sandbox.MariaDB: {"EXPLAIN FORMAT=JSON ", "ANALYZE FORMAT=JSON ", "EXPLAIN EXTENDED ", "ANALYZE "},
		sandbox.MySQL:   {"EXPLAIN FORMAT=JSON ", "EXPLAIN FORMAT=TREE ", "EXPLAIN ANALYZE ", "EXPLAIN FORMAT=TRADITIONAL "},
	} {
		t.Run(string(flavor), func(t *testing.T) {
			db := explaining(t, flavor)
			for _, form := range forms {
				for _, prepared := range []bool{false, true} {
					text, args := form+query, []any(nil)
					if prepared {
						text, args = form+strings.ReplaceAll(query, "'Canary'", "?"), []any{"Canary"}
					}
					var all strings.Builder
					for _, row := range explained(t, db, text, args...) {
						for _, cell := range row {
							all.WriteString(cell + "\n")
						}
					}
					if strings.Contains(form, "JSON") && !json.Valid([]byte(all.String())) {
						t.Errorf("%s: no JSON: %s", text, all.String())
					}
					for _, row := range explained(t, db, "SHOW WARNINGS") {
						all.WriteString(row["Message"] + "\n")
					}
					checkTold(t, text, all.String())
				}
			}
		})
	}
}

func checkTold(t *testing.T, text, got string) {
	t.Helper()
	if !strings.Contains(got, "select `id`, `note` from `person` where `age$eq` = <equality of age> and `name$eq` = <equality of name>") {
		t.Errorf("%s: %s", text, got)
	}
	for _, secret := range []string{"Canary", "0x", "x'", `\0`, "\x00", "\ufffd"} {
		if strings.Contains(got, secret) {
			t.Errorf("%s: %q is in the answer: %s", text, secret, got)
		}
	}
}

// TestExplainTakesNoLocks: an UPDATE that reads rows first is explained while
// another transaction has changed them.
func TestExplainTakesNoLocks(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			db := explaining(t, flavor)
			db.SetMaxOpenConns(2)
			other, err := db.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Rollback()
			if _, err := other.ExecContext(t.Context(), "UPDATE person SET age = age + 1 WHERE name = 'Canary'"); err != nil {
				t.Fatal(err)
			}
			mine, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer mine.Close()
			if _, err := mine.ExecContext(t.Context(), "SET innodb_lock_wait_timeout = 1"); err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				text string
				args []any
			}{
				{"EXPLAIN UPDATE person SET age = age + 1 WHERE name = 'Canary'", nil},
				{"EXPLAIN UPDATE person SET age = age + ? WHERE name = ?", []any{1, "Canary"}},
			} {
				rows, err := mine.QueryContext(t.Context(), c.text, c.args...)
				if err != nil {
					t.Fatalf("%s: %v", c.text, err)
				}
				for rows.Next() {
				}
				if err := errors.Join(rows.Err(), rows.Close()); err != nil {
					t.Errorf("%s: %v", c.text, err)
				}
			}
		})
	}
}

// TestAdviceIsTrue: with the layer that was advised, made as it was advised to be,
// the server does what was local. A statement that was prepared before says so, too.
func TestAdviceIsTrue(t *testing.T) {
	db := explaining(t, sandbox.MariaDB)
	mustExec(t, db, "CREATE TABLE visit (id INT PRIMARY KEY AUTO_INCREMENT, age INT)", "INSERT INTO visit (age) VALUES (5), (6), (7)")
	const query = "EXPLAIN SELECT id FROM visit WHERE age > 5 ORDER BY age"
	has := func(lines []string, prefix string) bool {
		return slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, prefix) })
	}
	held, err := db.PrepareContext(t.Context(), strings.Replace(query, "5", "?", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	before := told(t, explained(t, db, query))
	if !has(before, "advice: the order layer of age: its ceiling allows it (COMMENT 'tunic: order').") ||
		!has(before, "advice: then nothing is left to do locally") || !has(before, "local: order by") {
		t.Fatalf("%q", before)
	}
	mustExec(t, db, "ALTER TABLE visit MODIFY age INT COMMENT 'tunic: order'")
	for _, ask := range []func() (*sql.Rows, error){
		func() (*sql.Rows, error) { return db.QueryContext(t.Context(), query) },
		func() (*sql.Rows, error) { return held.QueryContext(t.Context(), 5) },
		func() (*sql.Rows, error) { return held.QueryContext(t.Context(), 6) },
	} {
		rows, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		after := told(t, cellsOf(t, rows))
		if has(after, "advice") || has(after, "local") || !has(after, "order by: remote, by the order layer of age: `age`") {
			t.Errorf("%q", after)
		}
	}
}

// TestFenceLeavesKeys: what a key has all of is read from the key, though the stored query
// names the table's fence.
func TestFenceLeavesKeys(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			db := explaining(t, flavor)
			mustExec(t, db,
				"CREATE TABLE ward (id INT PRIMARY KEY AUTO_INCREMENT, bed INT, note TEXT, KEY (bed))",
				"INSERT INTO ward (bed, note) VALUES (1, 'a'), (2, 'b'), (2, 'c'), (3, 'd'), (4, 'e'), (5, 'f')",
				"INSERT INTO ward (bed, note) SELECT v.bed + 10 * w.id, REPEAT(w.note, 100) FROM ward v, ward w")
			for _, text := range []string{
				"SELECT COUNT(*) FROM ward WHERE bed = 2",
				"SELECT id FROM ward WHERE bed = 2",
				"SELECT COUNT(*) FROM ward v JOIN ward w ON v.bed = w.bed",
			} {
				read := 0
				for _, row := range explained(t, db, "EXPLAIN "+text) {
					extra, tree := row["Extra"], row["EXPLAIN"] // as MariaDB explains, and MySQL
					read += strings.Count(extra, "Using index") + strings.Count(tree, "Covering index")
					if strings.Contains(extra, "Using index condition") || strings.Contains(tree, "Table scan") || strings.Contains(tree, "> Index") {
						t.Errorf("%s: %v", text, row)
					}
				}
				if want := strings.Count(text, "ward "); read < want {
					t.Errorf("%s: %d of %d tables are read from a key alone", text, read, want)
				}
			}
		})
	}
}
