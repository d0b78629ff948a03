package wire_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// record makes testdata/answers and testdata/messages anew from real servers and
// clients:
//
//	go test ./internal/wire -run TestRecord -record && go test ./internal/wire -rewrite
//
// Every recording is delimited by wiretest's own reader, not by wire.Response,
// which is then tested on it.
var record = flag.Bool("record", false, "record what real servers and clients say into testdata")

const (
	basicCaps = wire.ClientLongFlag | wire.ClientLocalFiles | wire.ClientProtocol41 | wire.ClientTransactions |
		wire.ClientSecureConnection | wire.ClientMultiStatements | wire.ClientMultiResults |
		wire.ClientPSMultiResults | wire.ClientPluginAuth | wire.ClientPluginAuthLenenc | wire.ClientConnectWithDB
	mariaDBCaps = wire.MariaDBProgress | wire.MariaDBBulkOperations | wire.MariaDBExtendedMetadata |
		wire.MariaDBCacheMetadata
)

// recordedCaps are the sets of capabilities that shape answers differently.
var recordedCaps = []struct {
	name string
	caps wire.Capability
}{
	{"plain", wire.ClientMySQL | basicCaps},
	{"deprecate-eof", wire.ClientMySQL | basicCaps | wire.ClientDeprecateEOF},
	{"session-track", wire.ClientMySQL | basicCaps | wire.ClientSessionTrack},
	{"all", wire.ClientMySQL | basicCaps | wire.ClientDeprecateEOF | wire.ClientSessionTrack | wire.ClientQueryAttributes},
	{"mariadb-all", basicCaps | wire.ClientDeprecateEOF | wire.ClientSessionTrack | mariaDBCaps},
	{"mariadb-cache", basicCaps | wire.MariaDBCacheMetadata},
}

// recordedSetup makes what the recorded commands need.
var recordedSetup = []string{
	"DROP DATABASE IF EXISTS recorded", "CREATE DATABASE recorded",
	"CREATE TABLE recorded.t (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL DEFAULT 'nobody', age SMALLINT UNSIGNED, at DATETIME(3))",
	"INSERT INTO recorded.t (name, age, at) VALUES ('alice', 30, '2024-02-29 12:34:56.789'), ('bob', NULL, NULL), ('zoë', 0, '0001-01-01')",
	"CREATE TABLE recorded.many (a INT)",
	"INSERT INTO recorded.many VALUES (1), (2), (3), (4), (5)",
	"CREATE PROCEDURE recorded.two () BEGIN SELECT id FROM t ORDER BY id; SELECT name FROM t ORDER BY id; END",
	"CREATE PROCEDURE recorded.half () BEGIN SELECT 1; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'enough'; END",
	"CREATE PROCEDURE recorded.walk () BEGIN DECLARE i INT; DECLARE c CURSOR FOR SELECT id FROM t ORDER BY id; OPEN c; FETCH c INTO i; CLOSE c; SELECT i; END",
	"CREATE FUNCTION recorded.walked () RETURNS INT READS SQL DATA BEGIN DECLARE i INT; DECLARE c CURSOR FOR SELECT id FROM t ORDER BY id; OPEN c; FETCH c INTO i; CLOSE c; RETURN i; END",
	"CREATE PROCEDURE recorded.twice (IN a INT, OUT b INT) SET b = 2 * a",
}

// A recorder sends commands to a server and keeps what comes back.
type recorder struct {
	*wiretest.Peer
	tap       *wiretest.Tap
	statement uint32 // the last one prepared
	out       strings.Builder
}

func (r *recorder) text(sql string) { r.send(sql, wire.ComQuery, []byte(sql), nil) }

// send sends a command and keeps the answer as a test case.
func (r *recorder) send(title string, command wire.Command, body, file []byte) {
	payload := append([]byte{byte(command)}, body...)
	if command == wire.ComQuery {
		payload = wire.Query{Text: body}.AppendQuery(nil, r.Caps)
	}
	r.tap.Forget()
	err := r.Command(payload)
	var sets []wiretest.Set
	if err == nil {
		sets, err = r.ReadAnswer(command, file)
	}
	var refused *wiretest.ServerError
	if err != nil && !errors.As(err, &refused) {
		panic(fmt.Sprintf("%s: %v\n%s", title, err, r.out.String()[max(0, r.out.Len()-1500):]))
	}
	if command == wire.ComStmtPrepare && refused == nil {
		r.statement = sets[0].Statement
	}
	directive := "answer command=" + command.String()
	if r.AskedCursor {
		directive += " cursor"
	}
	if n := len(file); n > 0 {
		directive += fmt.Sprintf(" file=%d", n)
	}
	fmt.Fprintf(&r.out, "# %s\n%s\n%s----\n\n", title, directive, hexFrames(r.tap.In.Bytes()))
}

// onStatement sends a command on the last statement prepared.
func (r *recorder) onStatement(title string, command wire.Command, rest ...byte) {
	r.send(title, command, append(binary.LittleEndian.AppendUint32(nil, r.statement), rest...), nil)
}

// hexFrames writes each frame on a line: its header, and its payload.
func hexFrames(b []byte) string {
	var out strings.Builder
	for len(b) > 0 {
		n := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
		out.WriteString(strings.TrimSpace(hex.EncodeToString(b[:4]) + " " + hex.EncodeToString(b[4:4+n])))
		out.WriteByte('\n')
		b = b[4+n:]
	}
	return out.String()
}

// everything sends one command of each kind, and each kind of answer to those
// that have several.
func (r *recorder) everything() {
	r.trackAll()
	r.texts()
	r.statements()
	r.others()
}

// trackAll has the server tell all changes of the session that it can.
func (r *recorder) trackAll() {
	if !r.Caps.Has(wire.ClientSessionTrack) {
		return
	}
	r.text("SET SESSION session_track_state_change = ON, session_track_system_variables = '*'")
	r.text("SET SESSION session_track_transaction_info = 'CHARACTERISTICS'")
}

func (r *recorder) texts() {
	for _, sql := range []string{
		"SELECT 1", "SELECT id, name, age, at FROM t ORDER BY id", "SELECT id FROM t WHERE id < 0", "DO 1",
		"INSERT INTO t (name) VALUES ('carol'), ('dave')", "UPDATE t SET age = 31 WHERE name = 'alice'",
		"SELECT 1; DO 2; SELECT 3 AS three; UPDATE t SET age = 32 WHERE id = 1", "SELECT 1; SELECT * FROM nowhere; SELECT 3",
		"CALL two()", "CALL half()", "CALL walk()", "SELECT walked()", "SELECT 1 +", "SELECT a, IF(a < 4, a, (SELECT 1 UNION SELECT 2)) FROM many",
		"SELECT CAST('x' AS SIGNED)", "USE recorded", "SET NAMES utf8mb4", "SET @@autocommit = 0", "BEGIN", "COMMIT", "SET @@autocommit = 1",
		"SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", "START TRANSACTION READ ONLY", "SELECT name FROM t WHERE id = 1", "ROLLBACK",
		"CREATE TEMPORARY TABLE tmp (a INT)", "SET time_zone = '+02:00', sql_mode = ''", "SHOW WARNINGS", "XA RECOVER",
	} {
		r.text(sql)
	}
	r.send("LOAD DATA LOCAL", wire.ComQuery, []byte("LOAD DATA LOCAL INFILE 'names' INTO TABLE t (name)"), []byte("erin\nfrank\n"))
}

func (r *recorder) statements() {
	prepare := func(sql string) { r.send("prepare "+sql, wire.ComStmtPrepare, []byte(sql), nil) }
	none := []byte{0, 1, 0, 0, 0} // flags: no cursor; iteration count 1
	prepare("SELECT id, name, age, at FROM t WHERE id < ? AND name <> ? ORDER BY id")
	r.onStatement("execute with types", wire.ComStmtExecute, append(none, 0, 1, 3, 0, 0xfd, 0, 3, 0, 0, 0, 1, 'x')...)
	r.onStatement("execute without types", wire.ComStmtExecute, append(none, 0, 0, 2, 0, 0, 0, 1, 'x')...)
	r.onStatement("execute with a cursor", wire.ComStmtExecute, append([]byte{1, 1, 0, 0, 0}, 0, 1, 3, 0, 0xfd, 0, 9, 0, 0, 0, 1, 'x')...)
	r.onStatement("fetch two rows", wire.ComStmtFetch, 2, 0, 0, 0)
	r.onStatement("fetch the rest", wire.ComStmtFetch, 0, 1, 0, 0)
	r.onStatement("reset", wire.ComStmtReset)
	prepare("DO 1")
	r.onStatement("execute DO", wire.ComStmtExecute, none...)
	prepare("SELECT 1")
	r.onStatement("execute SELECT 1", wire.ComStmtExecute, none...)
	r.onStatement("execute SELECT 1 again", wire.ComStmtExecute, none...)
	prepare("INSERT INTO t (name) VALUES (?)")
	r.onStatement("execute INSERT", wire.ComStmtExecute, append(none, 0, 1, 0xfd, 0, 1, 'x')...)
	if r.Caps.Has(wire.MariaDBBulkOperations) {
		r.onStatement("bulk execute", wire.ComStmtBulkExecute, 128, 0, 0xfd, 0, 0, 1, 'y', 0, 1, 'z')
	}
	prepare("CALL twice(?, ?)")
	r.onStatement("execute CALL with an OUT parameter", wire.ComStmtExecute, append(none, 0, 1, 3, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0, 0)...)
	prepare("CALL two()")
	r.onStatement("execute CALL with two results", wire.ComStmtExecute, none...)
	for _, sql := range []string{"CALL walk()", "SELECT walked()"} {
		prepare(sql)
		r.onStatement("execute "+sql, wire.ComStmtExecute, none...)
		r.onStatement("execute with a cursor "+sql, wire.ComStmtExecute, 1, 1, 0, 0, 0)
	}
	prepare("SELECT * FROM nowhere")
	r.statement = 12345
	r.onStatement("execute an unknown statement", wire.ComStmtExecute, none...)
	r.onStatement("fetch from an unknown statement", wire.ComStmtFetch, 1, 0, 0, 0)
}

func (r *recorder) others() {
	r.send("ping", wire.ComPing, nil, nil)
	r.send("statistics", wire.ComStatistics, nil, nil)
	r.send("init db", wire.ComInitDB, []byte("recorded"), nil)
	r.send("init db that is not there", wire.ComInitDB, []byte("nowhere"), nil)
	r.send("set option", wire.ComSetOption, []byte{0, 0}, nil)
	r.send("field list", wire.ComFieldList, []byte("t\x00"), nil)
	r.send("field list of a table that is not there", wire.ComFieldList, []byte("nothing\x00"), nil)
	r.send("process info", wire.ComProcessInfo, nil, nil)
	r.send("kill a connection that is not there", wire.ComProcessKill, []byte{0xff, 0xff, 0xff, 0x7f}, nil)
	r.send("reset connection", wire.ComResetConnection, nil, nil)
}

// TestRecord records every server that is installed.
func TestRecord(t *testing.T) {
	if !*record {
		t.Skip("nothing to record: run with -record to ask real servers")
	}
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server := sandboxtest.Own(t, flavor)
			recordLogin(t, server)
			for _, set := range recordedCaps {
				recordServer(t, server, set.name, set.caps)
			}
		})
	}
	recordClients(t)
}

func recordServer(t *testing.T, server *sandbox.Server, name string, caps wire.Capability) {
	if mariaDB := !caps.Has(wire.ClientMySQL); mariaDB && server.Flavor != sandbox.MariaDB {
		return
	}
	if err := server.Exec(t.Context(), recordedSetup...); err != nil {
		t.Fatal(err)
	}
	p, err := wiretest.Connect(t.Context(), "unix:"+server.Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	tap := &wiretest.Tap{Conn: p.Net}
	p = wiretest.NewPeer(tap)
	client := wiretest.Client{User: "app", Password: "app", Database: "recorded", Caps: caps}
	if err := client.Login(p); err != nil {
		t.Fatal(err)
	}
	r := &recorder{Peer: p, tap: tap}
	fmt.Fprintf(&r.out, "# %s %s\ncapabilities\n%s\n----\n\n", server.Flavor, server.Version, p.Caps)
	r.everything()
	flavor := strings.ToLower(string(server.Flavor))
	path := filepath.Join("testdata", "answers", flavor+"-"+strings.TrimPrefix(name, flavor+"-")+".txt")
	if err := os.WriteFile(path, []byte(r.out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
