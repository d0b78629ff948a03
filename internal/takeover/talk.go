package takeover

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"
)

// Addresses are where a tunic listens, as its settings say it.
type Addresses struct{ Listen, Admin string }

// offer is the message that the sockets come with. Sockets says which of them come, in this order.
type offer struct {
	Addresses
	PID     int
	Sockets []string
}

// What is said beside it. The first word names the form of all of it.
const (
	asks  = "tunic takeover 1"
	ready = "ready"
	done  = "done"
)

// Names of sockets in an offer.
const (
	nameClients = "clients"
	nameAdmin   = "admin"
	nameAsked   = "takeover"
)

// network has messages, and not a stream of bytes: sockets come with the message that they belong to.
const network = "unixpacket"

const (
	// answerTime bounds each answer of the other side but one.
	answerTime = 5 * time.Second
	// readyTime is how long the new tunic may take until it is ready.
	readyTime = time.Minute
	// offerBytesMax is the longest message.
	offerBytesMax = 4 << 10
)

// Errors of Ask.
var (
	// ErrNobody says that no tunic listens at the takeover socket.
	ErrNobody = errors.New("nobody listens there")
	// ErrUser says that a process of another user is at the other end.
	ErrUser = errors.New("it is a process of another user")
)

// OtherAddressError says that the other tunic's clients connect elsewhere.
type OtherAddressError struct{ Theirs string }

func (e *OtherAddressError) Error() string {
	return "the other tunic listens at " + e.Theirs + ", which is not --listen here"
}

// say sends a word.
func say(conn *net.UnixConn, word string) error {
	if err := conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return err
	}
	_, err := conn.Write([]byte(word))
	return err
}

// hear wants a word.
func hear(conn *net.UnixConn, word string, patience time.Duration) error {
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	said := make([]byte, len(word)+1)
	n, err := conn.Read(said)
	switch {
	case err != nil:
		return err
	case string(said[:n]) != word:
		return fmt.Errorf("it did not say %q", word)
	}
	return nil
}

// readOffer reads the message of an offer.
func readOffer(message []byte) (o offer, err error) {
	err = json.Unmarshal(message, &o)
	return o, err
}
