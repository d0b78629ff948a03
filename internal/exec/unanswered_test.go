package exec

import (
	"errors"
	"io"
	"testing"

	"tunic/internal/backend"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// TestUnanswered: a server without room for what it sorts says so to the client; what else fails in
// a question of tunic's is not the client's to read.
func TestUnanswered(t *testing.T) {
	said := func(number uint16) error {
		return &backend.AnswerError{Err: wire.Err{Number: number, State: "HY000", Message: []byte("No space left on device")}}
	}
	var own *sqlerr.Error
	if err := unanswered(said(1021)); !errors.As(err, &own) || own.Number != 1021 || own.Code != 0 || own.Message != "No space left on device" {
		t.Errorf("no room: %v", err)
	}
	for _, err := range []error{said(1064), io.EOF} {
		if got := unanswered(err); !errors.Is(got, sqlerr.NotDescribed()) {
			t.Errorf("%v: %v", err, got)
		}
	}
}
