package session

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestCipherKeysStayHere: the key of a cipher is not given to the server, in whatever
// statement and place it is.
func TestCipherKeysStayHere(t *testing.T) {
	const canary = "k3yc4n4ry"
	tunnel, written := beforeRecordedServer(t,
		"CREATE TABLE plain.safe (id INT PRIMARY KEY, c VARBINARY(100), k VARCHAR(30))",
		"CREATE VIEW plain.w AS SELECT AES_DECRYPT(c, k) AS d FROM plain.safe")
	for _, step := range []struct{ text, want string }{
		// Literals.
		{"SELECT AES_DECRYPT(AES_ENCRYPT('a', 'k3yc4n4ry'), 'k3yc4n4ry')", "a"},
		{"INSERT INTO plain.safe VALUES (1, AES_ENCRYPT('one', 'k3yc4n4ry'), 'x')", ""},
		{"INSERT INTO plain.safe (id, c) VALUES (2, AES_ENCRYPT('two', CONCAT('k3y', 'c4n4ry')))", ""},
		{"SELECT AES_DECRYPT(c, 'k3yc4n4ry') FROM plain.safe WHERE id = 1", "one"},
		{"SELECT AES_DECRYPT(c, CONCAT('k3yc4n4', 'ry')) FROM plain.safe WHERE id = 2", "two"},
		{"SELECT id FROM plain.safe WHERE c = AES_ENCRYPT('two', 'k3yc4n4ry')", "2"},
		{"SELECT id FROM plain.safe WHERE c = `aes_encrypt` ('two', 'k3yc4n4ry')", "2"},
		{"SELECT id FROM plain.safe WHERE c = /* x */ aes_Encrypt /* y */ ('two', /* z */ 'k3yc4n4ry')", "2"},
		{"SELECT id FROM plain.safe WHERE c = AES_ENCRYPT('two', /*!50000 'k3yc4n4ry' */)", "TUNIC-2007"},
		{"SELECT id FROM plain.safe WHERE c = /*!50000 AES_ENCRYPT('two', 'k3yc4n4ry') */", "2"},
		{"SELECT 1 FROM plain.safe /*!99999 WHERE c = AES_ENCRYPT('two', 'k3yc4n4ry') */", "TUNIC-2007"},
		{"SELECT id FROM plain.safe WHERE AES_DECRYPT(c, 'k3yc4n4ry') = 'two'", "2"},
		{"SELECT id FROM plain.safe ORDER BY AES_DECRYPT(c, 'k3yc4n4ry') LIMIT 1", "1"},
		{"UPDATE plain.safe SET c = AES_ENCRYPT('three', 'k3yc4n4ry') WHERE id = 2", ""},
		{"UPDATE plain.safe SET c = AES_ENCRYPT(k, 'k3yc4n4ry') WHERE id = 2", "TUNIC-2007"},
		{"UPDATE plain.safe SET k = 'y' WHERE AES_DECRYPT(c, 'k3yc4n4ry') = 'one'", "TUNIC-2007"},
		{"DELETE FROM plain.safe WHERE AES_DECRYPT(c, 'k3yc4n4ry') = 'one'", "TUNIC-2007"},
		{"INSERT INTO plain.safe SELECT id + 10, AES_ENCRYPT(k, 'k3yc4n4ry'), k FROM plain.safe WHERE id = 1", ""},
		{"SELECT AES_DECRYPT(c, 'k3yc4n4ry') FROM plain.safe WHERE id = 11", "x"},
		{"EXPLAIN SELECT AES_DECRYPT(c, 'k3yc4n4ry') FROM plain.safe", "TUNIC-2007"},
		{"DO AES_ENCRYPT('a', 'k3yc4n4ry')", ""},
		{"SET @a = AES_ENCRYPT('a', 'k3yc4n4ry'), @@sql_safe_updates = 0", ""},
		{"CREATE VIEW plain.v AS SELECT AES_DECRYPT(c, 'k3yc4n4ry') FROM plain.safe", "TUNIC-2007"},
		{"CREATE TABLE plain.made SELECT AES_DECRYPT(c, 'k3yc4n4ry') FROM plain.safe", "TUNIC-"},
		{"CREATE PROCEDURE plain.p() SELECT AES_DECRYPT(c, 'k3yc4n4ry') FROM plain.safe", "TUNIC-2007"},
		{"SHOW TABLES FROM plain WHERE AES_ENCRYPT('a', 'k3yc4n4ry') = 'b'", "TUNIC-2007"},
		// Several statements in one text.
		{"INSERT INTO plain.safe (id, c) VALUES (8, AES_ENCRYPT('eight', 'k3yc4n4ry')); INSERT INTO plain.safe (id, c) SELECT 9, AES_DECRYPT(c, 'k3yc4n4ry') FROM plain.safe WHERE id = 8", ""},
		{"SELECT c FROM plain.safe WHERE id = 9", "eight"},
		{"SELECT 1; UPDATE plain.safe SET c = AES_ENCRYPT(k, 'k3yc4n4ry') WHERE id = 8; SELECT 2", "TUNIC-2007"},
		{"DELETE FROM plain.safe WHERE c = AES_ENCRYPT('eight', 'k3yc4n4ry'); DELETE FROM plain.safe WHERE id = 9", ""},
		{"SELECT COUNT(*) FROM plain.safe WHERE id IN (8, 9)", "0"},
		// Protected columns beside.
		{"INSERT INTO note VALUES (1, 10)", ""},
		{"SELECT AES_DECRYPT(AES_ENCRYPT(v, 'k3yc4n4ry'), 'k3yc4n4ry') FROM note", "10"},
		{"SELECT id FROM note WHERE id = LENGTH(AES_ENCRYPT(id, 'k3yc4n4ry')) - 15", "1"},
		{"UPDATE note SET id = LENGTH(AES_ENCRYPT('a', 'k3yc4n4ry')) WHERE v = 10", ""},
		{"SELECT AES_DECRYPT(c, 'k3yc4n4ry') FROM plain.safe p JOIN note ON p.id < note.id ORDER BY p.id", "one"},
		// Variables.
		{"SET @k = 'k3yc4n4ry', @w = 'four'", ""},
		{"INSERT INTO plain.safe (id, c) VALUES (4, AES_ENCRYPT(@w, @k))", ""},
		{"SELECT AES_DECRYPT(c, @k) FROM plain.safe WHERE id = 4", "four"},
		{"SELECT id FROM plain.safe WHERE k = @k", "TUNIC-2005"},
		{"SET @copy = @k", ""},
		{"SELECT id FROM plain.safe WHERE k = @copy", "TUNIC-2005"},
		{"SET @e = AES_ENCRYPT(@w, @k)", ""},
		{"SELECT id FROM plain.safe WHERE c = @e", "4"},
		{"PREPARE s FROM 'INSERT INTO plain.safe (id, c) VALUES (?, AES_ENCRYPT(?, ?))'", ""},
		{"SET @five = 5", ""},
		{"EXECUTE s USING @five, @w, @k", ""},
		{"EXECUTE s USING @five, @k, @k", "Duplicate"},
		{"PREPARE s FROM 'SELECT AES_DECRYPT(c, ?) FROM plain.safe WHERE k = ? OR id = ?'", ""},
		{"EXECUTE s USING @k, @w, @five", "four"},
		{"SELECT AES_DECRYPT(c, 'k3yc4n4ry') FROM plain.safe WHERE id = 5", "four"},
		// Variables that are keys behind USING alone.
		{"SET @u = 'k3yc4n4ry', @i = 'k3yc4n4ry', @six = 6", ""},
		{"PREPARE u FROM 'SELECT LENGTH(AES_ENCRYPT(1, ?))'", ""},
		{"EXECUTE u USING @u", "16"},
		{"EXECUTE IMMEDIATE 'DO AES_DECRYPT(1, CONCAT(?))' USING @i", ""},
		{"SET @o = 'k3yc4n4ry'", ""},
		{"PREPARE o FROM 'SET @made = AES_ENCRYPT(1, ?)'", ""},
		{"EXECUTE o USING @o", ""},
		{"INSERT INTO plain.safe (id) VALUES (@six)", ""},
		{"SELECT id FROM plain.safe WHERE k = @u", "TUNIC-2005"},
		{"SELECT id FROM plain.safe WHERE k = @i", "TUNIC-2005"},
		{"SELECT id FROM plain.safe WHERE k = @o", "TUNIC-2005"},
		{"SELECT id FROM plain.safe WHERE c = @made", ""},
		// Keys that are columns are the server's.
		{"UPDATE plain.safe SET c = AES_ENCRYPT('six', k) WHERE id = 1", ""},
		{"SELECT AES_DECRYPT(c, k) FROM plain.safe WHERE id = 1", "six"},
		{"SELECT d FROM plain.w WHERE d = 'six'", "six"},
	} {
		if got := answerTo(tunnel, step.text); !strings.Contains(got, step.want) || step.want == "" && got != "" {
			t.Errorf("%s: %s, want %q", step.text, got, step.want)
		}
	}
	for _, text := range []string{
		"INSERT INTO plain.safe (id, c) VALUES (7, AES_ENCRYPT('seven', 'k3yc4n4ry'))",
		"SELECT AES_DECRYPT(c, 'k3yc4n4ry') FROM plain.safe WHERE id = 7",
		"UPDATE plain.safe SET c = AES_ENCRYPT('seven', 'k3yc4n4ry') WHERE id = 7",
		"SELECT AES_ENCRYPT('seven', 'k3yc4n4ry')",
		"SELECT id FROM plain.safe WHERE c = AES_ENCRYPT('seven', 'k3yc4n4ry')",
	} {
		preparedAnswer(t, tunnel, text)
	}
	for _, s := range written() {
		if strings.Contains(s, canary) || strings.Contains(s, "k3y") || strings.Contains(s, hex.EncodeToString([]byte(canary))) {
			t.Errorf("the server has got %s", s)
		}
	}
}

// preparedAnswer prepares and executes a statement without parameters.
func preparedAnswer(t *testing.T, peer *wiretest.Peer, text string) {
	t.Helper()
	if err := peer.Command(append([]byte{byte(wire.ComStmtPrepare)}, text...)); err != nil {
		t.Fatal(err)
	}
	sets, err := peer.ReadAnswer(wire.ComStmtPrepare, nil)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	id := sets[0].Statement
	execute := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, id)
	if err := peer.Command(append(execute, 0, 1, 0, 0, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := peer.ReadAnswer(wire.ComStmtExecute, nil); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}
