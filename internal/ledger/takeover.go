package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
)

// Who has announced a change and then lost the lock may be stopped, not dead, and send its
// definition when it goes on, long after somebody else has found the table unchanged and
// said so in the ledger. So before it is said, the table is taken from it: its fence is
// given a revision that nobody else gives, and the late definition, which renames the fence
// that it knows, is refused.

// taken is the table of a step as who settles it takes it; nil of one that has no fence to
// be renamed by.
func (s Step) taken() *catalog.Table {
	if !s.changes() || s.Old.View != nil || !s.Old.Fenced || !s.New.Fenced || s.Old.Revision == s.New.Revision {
		return nil
	}
	next := *s.Old
	next.Revision = s.New.Revision + 1
	return &next
}

// takeOver takes the tables of a change that has not been done. It is ErrBusy if a
// transaction has one of them for now.
func (l *Ledger) takeOver(ctx context.Context, e *entry) error {
	for _, s := range e.steps {
		taken := s.taken()
		if taken == nil {
			continue
		}
		was, err := l.comment(ctx, s.Old)
		if err != nil {
			return err
		}
		if was != markOf(s.Old) {
			continue // done, or taken before
		}
		if err := l.moveFence(ctx, s.Old, taken); err != nil {
			return err
		}
	}
	return nil
}

// moveFence gives a stored table another revision, and nothing else.
func (l *Ledger) moveFence(ctx context.Context, from, to *catalog.Table) error {
	if _, err := l.conn.ExecContext(ctx, "SET SESSION lock_wait_timeout = 1"); err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	_, err := l.conn.ExecContext(ctx, "ALTER TABLE "+identifier.Quoted(from.Schema)+"."+identifier.Quoted(from.Name)+
		" RENAME COLUMN "+identifier.Quoted(from.Fence())+" TO "+identifier.Quoted(to.Fence())+", COMMENT='"+Mark(to)+"'")
	refusal, answered := errors.AsType[*mysql.MySQLError](err)
	switch {
	case err == nil:
		return nil
	case answered && refusal.Number == errLockWait:
		return ErrBusy
	case Denied(err):
		return blind(from, err)
	}
	return fmt.Errorf("%w: a table cannot be taken from a change that was not done: %w", ErrLost, err)
}

// errLockWait is ER_LOCK_WAIT_TIMEOUT.
const errLockWait = 1205
