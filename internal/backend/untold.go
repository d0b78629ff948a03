package backend

import (
	"slices"

	"tunic/internal/wire"
)

// A server may answer any command with an error that says that it has ended the transaction.
// Galera does so when another node's write has won: the next command, whatever it is, gets
// 1213, and those behind it are carried out as if nothing had been. Where that command is one
// that the client did not send, the client would go on in a transaction that is gone, and be
// told that its COMMIT is done.
//
// So whoever reads an answer that the client does not get hands its error to KeepUntold, and
// before the client is told of anything as done, Settle finds out whether the transaction is
// still there.

// untold is an error that the client has not been told of. current says that it was the first
// one since the server last told of the session, as far as who kept it knows.
type untold struct {
	wire.Err
	current bool
}

// KeepUntold keeps an error that the client is not told of. current says that what the server
// had last said of the session was true until then. The first error stays.
func (c *Conn) KeepUntold(m wire.Err, current bool) {
	if c.untold == nil {
		m.Message = slices.Clone(m.Message)
		c.untold = &untold{m, current}
	}
}

// HasUntold reports whether there is an error that the client has not been told of.
func (c *Conn) HasUntold() bool { return c.untold != nil }

// ForgetUntold is for when there was no transaction to be ended, or when what has become of
// it is known.
func (c *Conn) ForgetUntold() { c.untold = nil }

// Told says that the client is told of an error of this number.
func (c *Conn) Told(number uint16) {
	if c.untold != nil && c.untold.Number == number {
		c.untold = nil
	}
}

// Settle returns the error that the client has to be told, if the server has ended its
// transaction in an answer that the client did not get: nil if the transaction is still
// there, or there was none. status is what the server has said last of the session; current
// is false if there has been an error since. It may be called between two commands, and only
// asks the server if there is an error that the client has not been told of. The second
// result is an error of the connection.
func (c *Conn) Settle(status wire.Status, current bool) (*wire.Err, error) {
	kept := c.untold
	c.untold = nil
	switch {
	case kept == nil, status&wire.StatusInTransaction == 0:
		return nil, nil
	case !current && !kept.current && !slices.Contains(endsTransaction, kept.Number):
		return nil, nil // the client has been told of another one since, which may have ended it
	}
	now, failed, err := c.askStatus()
	switch {
	case err != nil:
		return nil, err
	case failed != nil:
		return failed, nil
	case now&wire.StatusInTransaction != 0:
		return nil, nil
	}
	return &kept.Err, nil
}

// endsTransaction are the errors with which servers say that they have rolled a transaction
// back, or may have (the manuals of MySQL and MariaDB, "Server Error Message Reference").
var endsTransaction = []uint16{
	1047,        // ER_UNKNOWN_COM_ERROR: of Galera, that the node is not in the primary component
	1180,        // ER_ERROR_DURING_COMMIT
	errLockWait, // with innodb_rollback_on_timeout
	1213,        // ER_LOCK_DEADLOCK
	1317,        // ER_QUERY_INTERRUPTED: of a COMMIT
	1402,        // ER_XA_RBROLLBACK
	1613,        // ER_XA_RBTIMEOUT
	1614,        // ER_XA_RBDEADLOCK
	3100,        // ER_RUN_HOOK_ERROR
	3101,        // ER_TRANSACTION_ROLLBACK_DURING_COMMIT
}

// EndsTransaction reports whether a server that answers with an error has rolled the transaction back, but for a wait for a
// lock that was too long, which does that only where innodb_rollback_on_timeout is set; MayEndTransaction is with it.
func EndsTransaction(number uint16) bool {
	return number != errLockWait && MayEndTransaction(number)
}

// MayEndTransaction is EndsTransaction, true where in doubt.
func MayEndTransaction(number uint16) bool { return slices.Contains(endsTransaction, number) }

// errLockWait is ER_LOCK_WAIT_TIMEOUT.
const errLockWait = 1205

// asksStatus is answered with the flags of the session, and does nothing.
var asksStatus = []byte("DO 0")

// askStatus asks for the flags of the session; failed is the server's error instead.
func (c *Conn) askStatus() (status wire.Status, failed *wire.Err, err error) {
	_, _, status, _, err = c.rows(asksStatus)
	if c.untold != nil {
		failed, c.untold = &c.untold.Err, nil
		return 0, failed, nil
	}
	return status, nil, err
}
