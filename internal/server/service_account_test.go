package server

import (
	"database/sql"
	"strings"
	"testing"

	"tunic/internal/sandbox"
)

// TestServiceAccountRefused: when the server does not let tunic's own account in any more, clients are not told so in words
// that drivers take for an answer to their own login, nor the account's name.
func TestServiceAccountRefused(t *testing.T) {
	throughAndDirectly(t, func(t *testing.T, db, root *sql.DB) {
		mustExec(t, db, "CREATE TABLE kept (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT)", "INSERT INTO kept VALUES (1, 2)")
		account := strings.Join(textOf(t, root, "SELECT CONCAT('\\'', User, '\\'@\\'', Host, '\\'') FROM mysql.user WHERE User = ?", sandbox.ServiceUser), "")
		mustExec(t, root, "ALTER USER "+account+" IDENTIFIED BY 'another'")
		for _, number := range textOf(t, root, "SELECT ID FROM information_schema.PROCESSLIST WHERE USER = ?", sandbox.ServiceUser) {
			mustExec(t, root, "KILL "+number)
		}
		for _, text := range []string{
			"SELECT v FROM kept WHERE id = 1", "SELECT CONCAT(v, 'x') AS c FROM kept GROUP BY c",
		} {
			if err := doneBy(db.ExecContext(t.Context(), text)); err != nil && (isNumbered(err, 1045) || strings.Contains(err.Error(), sandbox.ServiceUser)) {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}
