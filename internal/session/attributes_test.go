package session

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// attributed are statements that read the attribute n1 of their command, each as text and prepared.
var attributed = []string{
	"SELECT mysql_query_attribute_string('n1')", "SET @a = mysql_query_attribute_string('n1')", "SELECT @a",
	"SET @g = 1; SET @h = mysql_query_attribute_string('n1')", "SELECT @h", "SELECT mysql_query_attribute_string('n1') INTO @b", "SELECT @b", "SET @c = 1, @d = CONCAT(@a, mysql_query_attribute_string('n1'))", "SELECT @c, @d",
	"SELECT @c, mysql_query_attribute_string('n1')", "SELECT @d := mysql_query_attribute_string('n1')", "SELECT @d",
	"PREPARE s FROM 'SELECT mysql_query_attribute_string(''n1''), ?'", "EXECUTE s USING @a", "PREPARE s FROM 'SELECT mysql_query_attribute_string(''n1''), @a'", "EXECUTE s",
	"PREPARE s FROM 'SET @e = mysql_query_attribute_string(''n1'')'", "EXECUTE s", "SELECT @e",
	"PREPARE s FROM 'INSERT INTO kept (id, note) VALUES (7, mysql_query_attribute_string(''n1''))'", "EXECUTE s", "SELECT note FROM kept WHERE id = 7",
	"SELECT name, mysql_query_attribute_string('n1') FROM kept WHERE id = 1", "UPDATE kept SET note = mysql_query_attribute_string('n1') WHERE id = 1",
	"SELECT note FROM kept WHERE id = 1", "UPDATE kept SET k = k + 1, note = mysql_query_attribute_string('n1') WHERE name LIKE 'b%'", "SELECT note FROM kept WHERE id = 2",
	"SELECT mysql_query_attribute_string('n1') INTO @f FROM kept WHERE name = 'a' AND k < 5",
	"CREATE TABLE made SELECT id, mysql_query_attribute_string('n1') AS n FROM other", "DROP TABLE IF EXISTS made",
	"INSERT INTO kept (id, name, k, note) SELECT id + 7, 'c', 3, mysql_query_attribute_string('n1') FROM other",
	"INSERT INTO kept (id, name, k) VALUES (1, 'd', 4), (2, 'd', 4) ON DUPLICATE KEY UPDATE k = k + VALUES(k), note = CONCAT('again ', mysql_query_attribute_string('n1'))",
	"SELECT note FROM kept WHERE id IN (1, 2) ORDER BY id", "REPLACE INTO kept VALUES (2, 'b', 2, mysql_query_attribute_string('n1'))", "SELECT note FROM kept WHERE id = 2",
	"SET max_execution_time = 60000", "UPDATE kept SET k = k + 2, note = CONCAT(mysql_query_attribute_string('n1'), '!') WHERE name LIKE 'b%'",
	"INSERT INTO kept (id, name, k) VALUES (2, 'd', 4) ON DUPLICATE KEY UPDATE k = k + 1, note = CONCAT(note, mysql_query_attribute_string('n1'))",
	"SELECT note FROM kept WHERE id = 2", "SET max_execution_time = 0",
	"SELECT @a, (SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_NAME = mysql_query_attribute_string('n1'))",
}

// withAttribute is the attribute n1 as a COM_QUERY has it.
func withAttribute(text string) []byte {
	a := binary.LittleEndian.AppendUint16([]byte{1, 1, 0, 1}, uint16(wire.TypeString))
	return wire.AppendLenencBytes(wire.AppendLenencBytes(a, []byte("n1")), []byte(text))
}

// toldAttributed is told of a statement whose command has an attribute.
func toldAttributed(t *testing.T, p *wiretest.Peer, statement string) []string {
	t.Helper()
	if err := p.Command(wire.Query{Attributes: withAttribute("of the text"), Text: []byte(statement)}.AppendQuery(nil, p.Caps)); err != nil {
		t.Fatal(err)
	}
	return toldAnswer(p, wire.ComQuery)
}

// toldAnswer is told what the answer to a command is.
func toldAnswer(p *wiretest.Peer, command wire.Command) (all []string) {
	sets, err := p.ReadAnswer(command, nil)
	if err != nil {
		return []string{leveled(err.Error())}
	}
	for _, set := range sets {
		if set.Columns > 0 {
			for _, row := range set.Rows {
				all = append(all, strings.ReplaceAll(string(row), "\x00", ""))
			}
		}
	}
	return all
}

// toldAttributedPrepared is the same of an execution of what is prepared.
func toldAttributedPrepared(t *testing.T, p *wiretest.Peer, statement string) []string {
	t.Helper()
	n, err := prepareStatement(p, statement)
	if err != nil {
		return []string{leveled(err.Error())}
	}
	const counts = 0x08
	b := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, n)
	b = append(b, counts, 1, 0, 0, 0, 1, 0, 1, byte(wire.TypeString), 0)
	b = wire.AppendLenencBytes(wire.AppendLenencBytes(b, []byte("n1")), []byte("of the execution"))
	if err := p.Command(b); err != nil {
		t.Fatal(err)
	}
	return toldAnswer(p, wire.ComStmtExecute)
}

// TestQueryAttributes: what reads attributes of its command reads them also where tunic sends another text than the client's,
// or is refused.
func TestQueryAttributes(t *testing.T) {
	a := newAsked(t, value.MySQL, sandboxtest.Start(t, sandboxes[value.MySQL]))
	if err := a.server.Exec(t.Context(), "INSTALL COMPONENT 'file://component_query_attributes'"); err != nil && !strings.Contains(err.Error(), "already") {
		t.Fatal(err)
	}
	login := wiretest.Client{User: "root", Password: "root", Database: "plain", Caps: wiretest.ClientCaps | wire.ClientQueryAttributes}
	direct, err := login.Dial(t.Context(), a.server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = direct.Close() })
	client, _, _ := startSession(t, a.shared)
	tunnel := wiretest.NewPeer(client)
	login.Database = "shop"
	if err := login.Login(tunnel); err != nil {
		t.Fatal(err)
	}
	for _, p := range []*wiretest.Peer{direct, tunnel} {
		for _, s := range []string{
			"CREATE TABLE kept (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(20), k INT, note VARCHAR(40) COMMENT 'tunic: plain')", "INSERT INTO kept VALUES (1, 'a', 1, ''), (2, 'b', 2, '')",
			"CREATE TABLE other (id INT PRIMARY KEY COMMENT 'tunic: plain')", "INSERT INTO other VALUES (1)",
		} {
			told(t, p, s)
		}
	}
	for how, tell := range map[string]func(*testing.T, *wiretest.Peer, string) []string{"as text": toldAttributed, "prepared": toldAttributedPrepared} {
		for _, s := range attributed {
			want, got := tell(t, direct, s), tell(t, tunnel, s)
			if strings.Contains(strings.Join(got, " "), "TUNIC-2010") {
				continue // it is not computed beside protected columns
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s: %s", s, how, diff)
			}
		}
		told(t, direct, "DELETE FROM kept WHERE id > 2")
		told(t, tunnel, "DELETE FROM kept WHERE id > 2")
	}
}
