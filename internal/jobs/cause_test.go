package jobs

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sqlerr"
)

// TestLogged: what the server quotes of a row is not for the log, its number and its words are.
func TestLogged(t *testing.T) {
	said := &mysql.MySQLError{Number: 1366, Message: "Incorrect string value: 'Canary' for column 'c' at row 1"}
	for _, err := range []error{said, fmt.Errorf("rows of a table: %w", said), &sqlerr.Error{Number: 1366, Message: said.Message}} {
		if a := logged(err).String(); !strings.Contains(a, "server_error=1366") || !strings.Contains(a, "Incorrect string value") || strings.Contains(a, "Canary") {
			t.Errorf("%v is told as %v", err, a)
		}
	}
	if a := logged(errors.New("the table has no key")); a.String() != "error=the table has no key" {
		t.Errorf("an error of tunic's own is told as %v", a)
	}
}
