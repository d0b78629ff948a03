package sqlerr

import (
	"fmt"
	"slices"
)

// Code is the stable number of an error: Code(3001) is TUNIC-3001. 0 is an
// error that is not tunic's own, such as one relayed from the server.
type Code uint16

// String is the code as messages, logs and documents write it.
func (c Code) String() string { return fmt.Sprintf("TUNIC-%04d", uint16(c)) }

// Class is the first digit of the code.
func (c Code) Class() Class { return Class(c / 1000) }

// Help is the command that explains the code.
func (c Code) Help() string { return "tunic help " + c.String() }

// Exit is the exit status of a process that ends with the code; 1 for a code
// that is not of the start-up class.
func (c Code) Exit() int {
	if e, ok := Lookup(c); ok && e.Exit != 0 {
		return e.Exit
	}
	return ExitInternal
}

// Class groups codes by who can do something about them.
type Class uint8

// The classes.
const (
	Startup   Class = 1
	Statement Class = 2
	Protocol  Class = 3
	Limit     Class = 4
	Backend   Class = 5
	Login     Class = 6
	Data      Class = 7
)

// String is the class in a word, as the refusals metric labels it.
func (c Class) String() string {
	switch c {
	case Startup:
		return "startup"
	case Statement:
		return "statement"
	case Protocol:
		return "protocol"
	case Limit:
		return "limit"
	case Backend:
		return "backend"
	case Login:
		return "login"
	case Data:
		return "data"
	default:
		return "unknown"
	}
}

// Exit statuses of `tunic`, one for each class of start-up mistake.
const (
	ExitOK       = 0
	ExitInternal = 1
	ExitConfig   = 2
	ExitListen   = 3
	ExitBackend  = 4
	ExitKey      = 5
	ExitAccount  = 6
	ExitTLS      = 7
	ExitLedger   = 8
	ExitRefused  = 9
	ExitFaults   = 10
)

// Entry is one line of the table of errors.
type Entry struct {
	Code Code
	// Number and State are the MySQL error number and SQLSTATE; 0 and "" for
	// start-up errors, which no client sees.
	Number uint16
	State  string
	// Exit is the exit status of a start-up error, else 0.
	Exit int
	// Message is the fact. Words in {braces} are filled in.
	Message string
	// Fix is what the reader can do, as an imperative without a full stop.
	Fix string
	// Why explains, for docs/errors.md, when the error occurs.
	Why string
}

// Explanation is what docs/errors.md and tunic help say of the code: what it is, when it
// occurs and what to do, in three paragraphs without a line feed behind them.
func (e Entry) Explanation() string {
	what := fmt.Sprintf("MySQL error %d (%s)", e.Number, e.State)
	if e.Exit != 0 {
		what = fmt.Sprintf("Exit status %d", e.Exit)
	}
	return what + ": " + e.Message + ".\n\n" + e.Why + "\n\nFix: " + e.Fix + "."
}

// Near are the codes of the table that are next to one that it has not: up to two below it
// and two above.
func Near(c Code) []Code {
	i, _ := slices.BinarySearchFunc(table, c, func(e Entry, c Code) int { return int(e.Code) - int(c) })
	var near []Code
	for _, e := range table[max(0, i-2):min(len(table), i+2)] {
		near = append(near, e.Code)
	}
	return near
}

// Entries is the table of all errors in order of code.
func Entries() []Entry { return slices.Clone(table) }

// Lookup finds the entry of a code.
func Lookup(c Code) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(table, c, func(e Entry, c Code) int { return int(e.Code) - int(c) })
	if !ok {
		return Entry{}, false
	}
	return table[i], true
}
