package server

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// definers are the ways by which a client defines something. Each returns the OK.
var definers = map[string]func(t *testing.T, p *wiretest.Peer, statement string) wire.OK{
	"text": func(t *testing.T, p *wiretest.Peer, statement string) wire.OK {
		t.Helper()
		return run(t, p, statement)[0].OK
	},
	"several": func(t *testing.T, p *wiretest.Peer, statement string) wire.OK {
		t.Helper()
		sets := run(t, p, "DO 1; "+statement)
		return sets[len(sets)-1].OK
	},
	"by name": func(t *testing.T, p *wiretest.Peer, statement string) wire.OK {
		t.Helper()
		run(t, p, "PREPARE d FROM '"+strings.ReplaceAll(statement, "'", "''")+"'")
		return run(t, p, "EXECUTE d")[0].OK
	},
	"prepared": func(t *testing.T, p *wiretest.Peer, statement string) wire.OK {
		t.Helper()
		if err := p.Command(append([]byte{byte(wire.ComStmtPrepare)}, statement...)); err != nil {
			t.Fatal(err)
		}
		sets, err := p.ReadAnswer(wire.ComStmtPrepare, nil)
		if err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		command := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, sets[0].Statement)
		if err := p.Command(append(command, 0, 1, 0, 0, 0)); err != nil {
			t.Fatal(err)
		}
		if sets, err = p.ReadAnswer(wire.ComStmtExecute, nil); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		return sets[0].OK
	},
}

// Verdicts as the notes have them.
const (
	saidNone      = "there are too few values yet to judge by"
	saidFine      = "the values do not speak against it"
	saidOnce      = "each value is there once"
	saidFew       = "the values speak against it: they are fewer than 100"
	saidDense     = "the values speak against it: they fill"
	saidTypeFew   = "the type speaks against it: it has few values"
	saidTypeDense = "the type speaks against it: its values often fill"
)

// TestLayersAreTold: a definition that brings layers says so by notes, with what the values of the
// column say of them, or its type. What a rule names, or is there already, it does not tell of.
func TestLayersAreTold(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			cfg.Policy.Rules = []config.Rule{{Columns: "test.*.ruled", Protection: "order"}}
			proxy, _ := serveWith(t, cfg, kek)
			for way, define := range definers {
				p := app(t, proxy.Addr().String())
				n := &notes{t: t, peer: p, way: way, define: define}
				n.tables()
				run(t, p, "DROP TABLE told, tolder")
			}
		})
	}
}

// TestLostAnnotationsAreTold: a change that takes the annotation from a column that stays protected says so, and how it was,
// unless the policy says the same of the column.
func TestLostAnnotationsAreTold(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			cfg.Policy.Default, cfg.Policy.Keys = config.PolicyPlain, config.KeysAllow
			cfg.Policy.Rules = []config.Rule{{Columns: "test.*.ruled", Protection: "equality"}}
			proxy, _ := serveWith(t, cfg, kek)
			p := app(t, proxy.Addr().String())
			run(t, p, "CREATE TABLE noted (id INT PRIMARY KEY, s VARCHAR(20) COMMENT 'of old; tunic: equality', n INT COMMENT 'tunic: order', ruled INT COMMENT 'tunic: sealed', free INT COMMENT 'tunic: plain')")
			run(t, p, "INSERT INTO noted VALUES (1, 'a', 2, 3, 4)")
			told := func(statement string, want ...string) {
				run(t, p, statement)
				rows, err := run(t, p, "SHOW WARNINGS")[0].Text()
				if err != nil || len(rows) != len(want) {
					t.Fatalf("%s: %q, %v", statement, rows, err)
				}
				for i, w := range want {
					if rows[i][0] != "Note" || !strings.HasPrefix(rows[i][2], "TUNIC-2021: column test.noted."+w+", and stays protected") {
						t.Errorf("%s: %q", statement, rows[i])
					}
				}
			}
			told("ALTER TABLE noted MODIFY s VARCHAR(30) COMMENT 'of old; tunic: equality', MODIFY ruled BIGINT, MODIFY free BIGINT, ADD COLUMN more INT")
			told("ALTER TABLE noted MODIFY s VARCHAR(40) COMMENT 'of old'", "s has lost its annotation, tunic: equality")
			told("ALTER TABLE noted MODIFY s VARCHAR(50)")
			told("ALTER TABLE noted MODIFY s VARCHAR(50) COMMENT 'tunic: equality'")
			told("ALTER TABLE noted CHANGE n m BIGINT, MODIFY s VARCHAR(60)", "s has lost its annotation, tunic: equality", "m has lost its annotation, tunic: order")
			told("ALTER TABLE noted MODIFY s VARCHAR(60) COMMENT 'tunic: equality'")
			run(t, p, "SET sql_notes = 0")
			told("ALTER TABLE noted MODIFY s VARCHAR(70)")
			is(t, "the row", []string{single(t, p, "SELECT CONCAT(s, m) FROM noted WHERE s = 'a'")}, "a2")
		})
	}
}

// notes are what one way of defining is told.
type notes struct {
	t      *testing.T
	peer   *wiretest.Peer
	way    string
	define func(*testing.T, *wiretest.Peer, string) wire.OK
}

// are compares the notes of a definition: each is a layer, a column and the verdict.
func (n *notes) are(statement string, want ...[3]string) {
	n.t.Helper()
	ok := n.define(n.t, n.peer, statement)
	if int(ok.Warnings) != len(want) || single(n.t, n.peer, "SHOW COUNT(*) WARNINGS") != fmt.Sprint(len(want)) {
		n.t.Errorf("%s: %s: %d warnings, want %d", n.way, statement, ok.Warnings, len(want))
	}
	rows, err := run(n.t, n.peer, "SHOW WARNINGS")[0].Text()
	if err != nil || len(rows) != len(want) {
		n.t.Fatalf("%s: %s: %q, %v", n.way, statement, rows, err)
	}
	for i, w := range want {
		begin := fmt.Sprintf("TUNIC-2018: layer %s of column test.%s tells the server ", w[0], w[1])
		if rows[i][0] != "Note" || rows[i][1] != "1105" || !strings.HasPrefix(rows[i][2], begin) || !strings.Contains(rows[i][2], "; "+w[2]) || !strings.Contains(rows[i][2], "tunic report") {
			n.t.Errorf("%s: %s: %q, want %s… %s", n.way, statement, rows[i], begin, w[2])
		}
	}
}

func (n *notes) tables() {
	n.t.Helper()
	n.are(`CREATE TABLE told (id VARCHAR(20) PRIMARY KEY, sex ENUM('f', 'm'), born DATE COMMENT 'tunic: order', ref VARCHAR(20), ruled DATE, free INT,
		since DATE, mark INT, KEY (sex), KEY (ref, ruled))`,
		[3]string{"equality", "told.id", saidOnce}, [3]string{"equality", "told.sex", saidTypeFew}, [3]string{"order", "told.born", saidTypeDense},
		[3]string{"equality", "told.ref", saidNone})
	n.are("CREATE TABLE IF NOT EXISTS tolder (a INT, ruled INT, KEY (ruled))")
	n.are("DROP TABLE tolder")
	n.are("CREATE TABLE tolder LIKE told",
		[3]string{"equality", "tolder.id", saidOnce}, [3]string{"equality", "tolder.sex", saidTypeFew}, [3]string{"order", "tolder.born", saidTypeDense},
		[3]string{"equality", "tolder.ref", saidNone})
	n.are("DROP TABLE tolder")
	var rows []string
	for i := range 200 {
		rows = append(rows, fmt.Sprintf("('%d', 'f', DATE '2000-01-01' + INTERVAL %d DAY, '%d', NULL, %d, DATE '2000-01-01' + INTERVAL %d DAY, %d)", i, i, i*i*i, i%3, i, i*i))
	}
	run(n.t, n.peer, "INSERT INTO told VALUES "+strings.Join(rows, ", "))
	n.are("ALTER TABLE told ADD KEY more (free)", [3]string{"equality", "told.free", saidFew})
	n.are("ALTER TABLE told ADD KEY again (free, ref), ADD KEY (ruled)")
	n.are("ALTER TABLE told MODIFY since DATE COMMENT 'tunic: order'", [3]string{"order", "told.since", saidDense})
	n.are("ALTER TABLE told MODIFY since DATE COMMENT 'of old; tunic: order'")
	n.are("ALTER TABLE told ADD COLUMN late VARCHAR(20) DEFAULT 'x', ADD KEY (late)", [3]string{"equality", "told.late", saidNone})
	n.are("CREATE TABLE tolder (ref VARCHAR(20), sex ENUM('f', 'm'), KEY (ref), KEY (sex)) SELECT ref, sex, since, id FROM told",
		[3]string{"equality", "tolder.ref", saidFine}, [3]string{"equality", "tolder.sex", saidFew}, [3]string{"order", "tolder.since", saidDense})
	n.are("CREATE INDEX one ON told (mark)", [3]string{"equality", "told.mark", saidFine})
	n.are("DROP INDEX one ON told")
	n.are("CREATE TEMPORARY TABLE mine (ref VARCHAR(20), KEY (ref))", [3]string{"equality", "mine.ref", saidNone})
	n.are("DROP TABLE mine")
	run(n.t, n.peer, "SET sql_notes = 0")
	n.are("CREATE TABLE quiet (a INT PRIMARY KEY)")
	run(n.t, n.peer, "SET sql_notes = 1")
	run(n.t, n.peer, "DROP TABLE quiet")
}

// TestLayersOfDefinitions: with allow a definition says nothing of layers; with refuse a key that needs
// one is not made, unless a rule or the column's annotation names it, which has the note.
func TestLayersOfDefinitions(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			cfg.Policy.Rules = []config.Rule{{Columns: "test.*.ruled", Protection: "equality"}}
			cfg.Policy.Keys = config.KeysAllow
			allowing, stop := serveWith(t, cfg, kek)
			n := &notes{t: t, peer: app(t, allowing.Addr().String()), way: "allowed", define: definers["text"]}
			n.are("CREATE TABLE keyed (id INT PRIMARY KEY, sex CHAR(1), born DATE COMMENT 'tunic: order', KEY (sex))")
			n.are("CREATE TABLE bare (id INT, sex CHAR(1), ruled INT)")
			stop()

			cfg.Policy.Keys = config.KeysRefuse
			refusing, _ := serveKnown(t, cfg, kek)
			db := through(t, refusing.Addr().String())
			for _, text := range []string{
				"CREATE TABLE other (id INT PRIMARY KEY)", "CREATE TABLE other (id INT, UNIQUE KEY (id))", "CREATE TEMPORARY TABLE other (id INT, KEY (id))",
				"CREATE TABLE other LIKE keyed", "CREATE TABLE other (sex CHAR(1), KEY (sex)) SELECT sex FROM bare",
				"CREATE TABLE other (a INT COMMENT 'tunic: equality', b INT, KEY (a, b))",
				"CREATE TABLE other (ruled INT UNIQUE, born INT, FOREIGN KEY (born) REFERENCES other (ruled))",
				"ALTER TABLE bare ADD KEY (sex)", "ALTER TABLE bare ADD PRIMARY KEY (id)", "CREATE INDEX i ON bare (sex)", "CREATE UNIQUE INDEX i ON bare (ruled, id)",
				"ALTER TABLE bare MODIFY sex CHAR(1) UNIQUE", "ALTER TABLE bare ADD COLUMN late INT, ADD KEY (late)",
			} {
				failsAs(t, db, 1235, "TUNIC-2062", text)
				failsPrepared(t, db, 1235, "TUNIC-2062", text)
			}
			n = &notes{t: t, peer: app(t, refusing.Addr().String()), way: "refused", define: definers["text"]}
			n.are("ALTER TABLE bare ADD KEY (ruled)")
			n.are("ALTER TABLE bare MODIFY sex CHAR(1) COMMENT 'tunic: equality', ADD KEY (sex)", [3]string{"equality", "bare.sex", saidTypeFew})
			n.are("ALTER TABLE keyed ADD KEY more (sex, id)") // which have the layers
			n.are("CREATE TABLE other (id INT COMMENT 'tunic: plain', sex CHAR(1), PRIMARY KEY (id))")
		})
	}
}

// TestAnnotators: an annotation of an account that is not listed is refused, and nothing is made; what
// a table has already may be repeated and copied.
func TestAnnotators(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			cfg.Policy.Annotators = []config.ClientAccount{{User: "ro?t", Host: "127.0.0.*"}, {User: "app", Host: "10.*"}}
			proxy, _ := serveWith(t, cfg, kek)
			root, db := client(t, proxy.Addr().String(), "root", "root", func(c *mysql.Config) { c.DBName = "test" }), through(t, proxy.Addr().String())
			t.Cleanup(func() { _ = root.Close() })
			mustExec(t, root, "CREATE TABLE said (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(20) COMMENT 'the name; tunic: equality', note TEXT)",
				"INSERT INTO said VALUES (1, 'a', 'b')")
			mustExec(t, through(t, server.Addr), "CREATE TABLE theirs (a INT COMMENT 'tunic: plain')")
			for _, text := range []string{
				"CREATE TABLE other (a INT COMMENT 'tunic: plain')", "CREATE TABLE other (a INT COMMENT 'tunic: sealed')",
				"CREATE TEMPORARY TABLE other (a INT COMMENT 'as it is; Tunic: order')", "CREATE TABLE other (a INT AUTO_INCREMENT PRIMARY KEY COMMENT 'tunic: plain')",
				"CREATE TABLE other LIKE theirs", "CREATE TABLE other (name VARCHAR(20) COMMENT 'tunic: order') SELECT name FROM said",
				"ALTER TABLE said MODIFY note TEXT COMMENT 'tunic: equality'", "ALTER TABLE said MODIFY name VARCHAR(20) COMMENT 'tunic: order'",
				"ALTER TABLE said CHANGE name note2 VARCHAR(20) COMMENT 'tunic: sealed'", "ALTER TABLE said ADD COLUMN more INT COMMENT 'tunic: plain'",
				"ALTER TABLE said DROP COLUMN note, ADD COLUMN note TEXT COMMENT 'tunic: sealed'", "ALTER TABLE theirs ADD COLUMN b INT COMMENT 'tunic: plain'",
			} {
				failsAs(t, db, 1142, "TUNIC-2063", text)
				failsPrepared(t, db, 1142, "TUNIC-2063", text)
			}
			mustExec(t, db, "CREATE TABLE copied LIKE said", "CREATE TABLE filled SELECT * FROM said", "CREATE TABLE ours (a INT, b INT COMMENT 'not to tunic')",
				"ALTER TABLE said MODIFY name VARCHAR(30) COMMENT 'its name; tunic: equality'", "ALTER TABLE said CHANGE name title VARCHAR(30) COMMENT 'tunic: equality'",
				"ALTER TABLE said MODIFY title VARCHAR(40), ADD COLUMN more INT", "ALTER TABLE said RENAME COLUMN title TO name", "ALTER TABLE theirs ADD KEY (a)")
			is(t, "of the copy", textOf(t, db, "SELECT column_name, layer, ceiling FROM tunic.layers WHERE table_name IN ('copied', 'filled') ORDER BY table_name"),
				"name equality equality", "name equality equality")
			mustExec(t, root, "ALTER TABLE said MODIFY name VARCHAR(40) COMMENT 'tunic: order'")
		})
	}
}

// TestProgramsWithAnnotations: an annotation in a program is refused, as tunic would not act on it.
func TestProgramsWithAnnotations(t *testing.T) {
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	cfg.Policy.Default = config.PolicyPlain
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	for _, text := range annotatedPrograms {
		failsAs(t, db, 1235, "TUNIC-2001", text)
	}
	failsAs(t, db, 1235, "TUNIC-2001", "SET STATEMENT max_statement_time = 1 FOR CREATE TABLE unheard (c INT COMMENT 'tunic: sealed')")
	is(t, "of tables", textOf(t, db, "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'unheard'"), "0")
}

// annotatedPrograms are MariaDB's.
var annotatedPrograms = []string{
	"BEGIN NOT ATOMIC CREATE TABLE unheard (c INT COMMENT 'tunic: sealed'); END",
	"BEGIN NOT ATOMIC EXECUTE IMMEDIATE 'CREATE TABLE unheard (c INT COMMENT ''tunic: sealed'')'; END",
	"CREATE PROCEDURE unheard_p() CREATE TABLE unheard (c INT COMMENT 'Tunic: sealed')",
	"CREATE PROCEDURE unheard_p() CREATE TABLE unheard (c INT COMMENT 'tunic sealed')",
	`CREATE PROCEDURE unheard_p() CREATE TABLE unheard (c INT COMMENT 'tun\ic: sealed')`,
}

// TestAnnotationsWithoutKeys: a tunic without a key file refuses annotations, as their tables
// would be plain: in each form of a definition, and in texts that variables have.
func TestAnnotationsWithoutKeys(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, _, _ := protecting(t, flavor)
			_, relay := startProxy(t, proxySettings(t, server.Addr))
			db := client(t, relay, "app", "app", func(c *mysql.Config) { c.DBName, c.MultiStatements = "test", true })
			db.SetMaxOpenConns(1)
			refusesAnnotations(t, db, flavor)
			is(t, "of tables", textOf(t, db, "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'unheard'"), "0")
			hearsTheRest(t, db, flavor)
		})
	}
}

func refusesAnnotations(t *testing.T, db *sql.DB, flavor sandbox.Flavor) {
	t.Helper()
	texts := []string{
		"CREATE TABLE unheard (c INT COMMENT 'the name; tunic: sealed')", "CREATE TABLE unheard (c INT) COMMENT 'tunic: sealed'",
		"CREATE TABLE unheard (c INT COMMENT 'tunic sealed')", `CREATE TABLE unheard (c INT COMMENT 'tun\ic: sealed')`,
		"CREATE TABLE unheard (c INT COMMENT /* of no such */ 'tunic: sealed', NONSENSE)", "CREATE TABLE unheard (c INT /*!50000 COMMENT 'tunic: sealed' */)",
		"PREPARE s FROM 'CREATE TABLE unheard (c INT COMMENT ''tunic: sealed'')'",
		"CREATE TABLE shape (c INT COMMENT 'tunic: sealed')", "CREATE PROCEDURE shape() CREATE TABLE unheard (c INT COMMENT 'tunic: sealed')",
		"DO 1; CREATE TABLE unheard (c INT COMMENT 'tunic: sealed')", "SET @s = @t; PREPARE s FROM @s; EXECUTE s", "PREPARE s FROM @t", "PREPARE s FROM @wide",
	}
	if flavor == sandbox.MariaDB {
		texts = append(texts, "EXECUTE IMMEDIATE @t", "EXECUTE IMMEDIATE CONCAT('CREATE TABLE unheard (c INT COMMENT ''tun', 'ic: sealed'')')",
			"PREPARE s FROM CONCAT(@t, '')", "SET STATEMENT max_statement_time = 1 FOR EXECUTE IMMEDIATE @t", "BEGIN NOT ATOMIC EXECUTE IMMEDIATE @t; END",
			"IF 1 THEN EXECUTE IMMEDIATE @t; END IF", "SET STATEMENT max_statement_time = 1 FOR PREPARE s FROM @t", "SET STATEMENT max_statement_time = 1 FOR CREATE TABLE unheard (c INT COMMENT 'tunic: sealed')")
		texts = append(texts, annotatedPrograms...)
	}
	// The same but for their comments come first: plans of theirs are not those of the others.
	mustExec(t, db, "SET @t = CONCAT('CREATE TABLE unheard (c INT COMMENT ''tun', 'ic: sealed'')')", "SET @wide = CONVERT(@t USING utf16)",
		"CREATE TABLE shape (c INT COMMENT 'plain')", "DROP TABLE shape",
		"CREATE PROCEDURE shape() CREATE TABLE unheard (c INT COMMENT 'plain')", "DROP PROCEDURE shape")
	for _, text := range texts {
		failsAs(t, db, 1235, "TUNIC-2001", text)
	}
	failsPrepared(t, db, 1235, "TUNIC-2001", "CREATE TABLE unheard (c INT COMMENT 'tunic: sealed')")
}

func hearsTheRest(t *testing.T, db *sql.DB, flavor sandbox.Flavor) {
	t.Helper()
	mustExec(t, db, "CREATE TABLE heard (c INT COMMENT 'of tunic')", "INSERT INTO heard VALUES (1)", "DROP TABLE heard",
		"SET @s = 'CREATE TABLE heard (c INT COMMENT ''as it is'')'", "PREPARE s FROM @s", "EXECUTE s", "DEALLOCATE PREPARE s",
		"SET @s = 'INSERT INTO heard VALUES (?)', @c = 7", "PREPARE s FROM @s", "EXECUTE s USING @c",
		"SET @s = 'INSERT INTO heard VALUES (8)'; PREPARE s FROM @s; EXECUTE s")
	if flavor == sandbox.MariaDB {
		mustExec(t, db, "EXECUTE IMMEDIATE @s", "SET @s = 'SELECT ROW_COUNT()'")
		failsAs(t, db, 1235, "TUNIC-2001", "EXECUTE IMMEDIATE @s")
	} else {
		mustExec(t, db, "EXECUTE s")
	}
	is(t, "of rows", textOf(t, db, "SELECT c FROM heard"), "7", "8", "8")
	mustExec(t, db, "DROP TABLE heard")
}

// failsPrepared is failsAs of the execution of what was prepared.
func failsPrepared(t *testing.T, db *sql.DB, number uint16, code, statement string) {
	t.Helper()
	prepared, err := db.PrepareContext(t.Context(), statement)
	if err == nil {
		defer prepared.Close()
		_, err = prepared.ExecContext(t.Context())
	}
	if said, ok := errors.AsType[*mysql.MySQLError](err); !ok || said.Number != number || !strings.HasPrefix(said.Message, code+": ") {
		t.Errorf("prepared %s: %v, want %d %s", statement, err, number, code)
	}
}
