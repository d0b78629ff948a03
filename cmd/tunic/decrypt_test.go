package main

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/ddl"
	"tunic/internal/sqlerr"
)

// TestDecryptToldStep: what the server says of a step is told as that of the step, with the table and without what the
// server quotes.
func TestDecryptToldStep(t *testing.T) {
	w := &decrypting{decryptCmd: &decryptCmd{Table: "shop.person"}, at: "exchange", definer: ddl.Options{Log: slog.New(slog.DiscardHandler)}}
	for _, said := range []error{
		&mysql.MySQLError{Number: 1062, Message: "Duplicate entry 'Ada' for key 'n'"},
		fmt.Errorf("a statement: %w", &sqlerr.Error{Number: 1062, Message: "Duplicate entry 'Ada' for key 'n'"}),
	} {
		const want = "TUNIC-1833: shop.person: exchange: the server has answered with error 1062: Duplicate entry '…'; " +
			"correct what the server says, and run the same command again: it continues where it was (see tunic help TUNIC-1833)"
		if got := w.told(t.Context(), nil, said); got == nil || got.Error() != want {
			t.Errorf("%v\nwant %s", got, want)
		}
	}
}
