package service

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sqlerr"
)

// TestError: what the server says is an error for a client, in the words of the client; other errors stay what they are.
func TestError(t *testing.T) {
	said := &mysql.MySQLError{Number: 1146, SQLState: [5]byte{'4', '2', 'S', '0', '2'}, Message: "Table '_tunic.t_1' doesn't exist"}
	c := &Connection{Words: strings.NewReplacer("_tunic.t_1", "shop.card")}
	err := c.Error(said)
	got, ok := errors.AsType[*sqlerr.Error](err)
	if !ok || got.Number != 1146 || got.State != "42S02" || got.Message != "Table 'shop.card' doesn't exist" {
		t.Errorf("%v", err)
	}
	if !Said(Error(said), 1, 1146) || Said(Error(said), 1) || Said(sqlerr.NoLedger(), sqlerr.NoLedger().Number) || Said(nil, 1146) {
		t.Error("an error is the server's if it has no code of tunic's own, and one of the numbers")
	}
	if err := Error(context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("no answer: %v", err)
	}
}

// TestSpent: a connection goes on after an error of the server's, and after no other.
func TestSpent(t *testing.T) {
	c := &Connection{}
	if _ = c.failed(&mysql.MySQLError{Number: 1146}); c.Spent {
		t.Error("the server has answered")
	}
	if _ = c.failed(nil); c.Spent {
		t.Error("nothing has failed")
	}
	if _ = c.failed(mysql.ErrInvalidConn); !c.Spent {
		t.Error("the server has not answered")
	}
}

// TestOwnMode: a mode keeps what changes values, and nothing that changes how text is read.
func TestOwnMode(t *testing.T) {
	if got, want := ownMode("ANSI_QUOTES,STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES,NO_ZERO_DATE"), "STRICT_TRANS_TABLES,NO_ZERO_DATE"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestErrorOfLogin: a client is not told how the login of tunic's own account went, whose name would be in it.
func TestErrorOfLogin(t *testing.T) {
	for _, number := range ofLogins {
		if err := Error(&mysql.MySQLError{Number: number, Message: "Access denied for user 'tunic_service'@'localhost'"}); !errors.Is(err, sqlerr.LedgerLost()) {
			t.Errorf("%d: %v", number, err)
		}
	}
	if err := Error(&mysql.MySQLError{Number: 1146, Message: "no such table"}); !Said(err, 1146) {
		t.Errorf("another error: %v", err)
	}
}
