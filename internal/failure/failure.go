package failure

import (
	"errors"
	"log/slog"
	"net"
	"os"

	"tunic/internal/backend"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Client is where a line of the log is about a client.
const Client = "client"

// Code is an error of tunic's own by its code.
func Code(e *sqlerr.Error) slog.Attr { return slog.String("code", e.Code.String()) }

// Reason is an error as the log may show it: what kind of failure, not what was
// sent.
func Reason(err error) string {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "deadline"
	case errors.Is(err, net.ErrClosed):
		return "closed"
	default:
		return err.Error()
	}
}

// IsTimeout reports whether a peer has said nothing until a time that was set.
func IsTimeout(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// OfClient is what to tell a client whose bytes could not be read, or nil
// if it is gone.
func OfClient(err error) *sqlerr.Error {
	if e, ok := errors.AsType[*wire.TooLargeError](err); ok {
		return sqlerr.PacketTooLarge(int64(e.Limit))
	}
	switch {
	case errors.Is(err, wire.ErrSequence):
		return sqlerr.OutOfOrder()
	case errors.Is(err, wire.ErrMalformed):
		return sqlerr.Malformed("a packet of the client")
	default:
		return nil
	}
}

// IsMalformed reports whether the server is there and has said what makes no sense.
func IsMalformed(err error) bool {
	for _, e := range []error{wire.ErrMalformed, wire.ErrSequence, wire.ErrTooLarge, backend.ErrShape} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
