package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/identifier"
	"tunic/internal/sqlerr"
)

// Change makes a change of definitions: it announces the steps, has define run
// them at the server, and settles. What define did is not taken from its error
// but from the tables, since a definition can fail after it was done, and be done
// in part; the error is returned beside what came of it.
//
// done are the steps whose tables are as they were to be. An error of the
// ledger's own, which wraps one of this package, means that it is not known; then
// protected tables are not served until it is.
//
// Meanwhile nobody is inside the gates of the tables that the steps change or make: once
// Change has returned, no statement is under way for a definition before it. The catalog
// has those that come, until it is known what has become of them.
//
// A table that is made together with rows is made with the mark Unfinished, and gets its
// own as the last thing of all. If it does not come to that, the table is dropped.
func (l *Ledger) Change(ctx context.Context, steps []Step, define func(context.Context) error) (done []Step, err error) {
	return l.change(ctx, ctx, closed{ids: l.concerned(steps)}, steps, define)
}

// ChangeTogether is Change where define is one statement of the server's, which does nothing
// before it has the tables of all steps: while it waits for a transaction that has used one of
// them, that transaction goes on with the others.
func (l *Ledger) ChangeTogether(ctx context.Context, steps []Step, define func(context.Context) error) (done []Step, err error) {
	return l.change(ctx, ctx, closed{ids: l.concerned(steps), together: both(steps)}, steps, define)
}

// ChangeOpen is Change with the gates open, of tables with a fence (catalog.Table.Fence): the
// server refuses what was planned for the definition before, and who is told so waits until the
// change is settled (CatchUp). It is for what the server does while it serves others.
func (l *Ledger) ChangeOpen(ctx context.Context, steps []Step, define func(context.Context) error) (done []Step, err error) {
	return l.change(ctx, ctx, closed{}, steps, define)
}

// ChangeWithin is Change for one that must not wait for longer than a time. It is ErrBusy if the gates are not empty by
// then, and sqlerr.LockWait if statements in flight keep a name from coming; nothing has been done.
func (l *Ledger) ChangeWithin(ctx context.Context, wait time.Duration, steps []Step, define func(context.Context) error) (done []Step, err error) {
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return l.change(ctx, waiting, closed{ids: l.concerned(steps)}, steps, define)
}

// show makes a version the current one, and has it have the tables and views that steps
// are to make, where their names are free: whoever names one waits at its gate, or is told
// that the ledger is lost, while it is not known what has become of it. Without that the
// statement would be taken for one of nothing protected, and would be answered by what is
// half made.
func (l *Ledger) show(c *catalog.Catalog, steps []Step) {
	var coming []*catalog.Table
	for _, s := range steps {
		if n := s.New; n != nil && c.Table(n.Schema, n.Name) == nil && c.View(n.Schema, n.Name) == nil {
			coming = append(coming, n)
		}
	}
	if l.before = nil; len(coming) > 0 {
		l.before, c = c, c.WithComing(c.Version|ofChange, coming)
	}
	l.current.Store(c)
}

// unsettled are the steps that are left in the journal.
func (l *Ledger) unsettled() (steps []Step) {
	for _, e := range l.left {
		steps = append(steps, e.steps...)
	}
	return steps
}

// ofChange is set in the version of a catalog that has what is coming. No version of the
// database's comes to it, nor does one that a session numbers.
const ofChange = 1 << 62

// Version is that of the newest catalog that is written down.
func (l *Ledger) Version() uint64 { return l.Catalog().Version &^ ofChange }

// written is the catalog as it is written down, without what is coming.
func (l *Ledger) written() *catalog.Catalog {
	if l.before != nil {
		return l.before
	}
	return l.current.Load()
}

// closed are the tables whose gates are closed for a change, and those of them that are changed at
// once or not at all.
type closed struct{ ids, together []catalog.ID }

// change is Change, by closing the gates of some tables; waiting, which is made of ctx, ends when it is too late
// to begin.
func (l *Ledger) change(ctx, waiting context.Context, gates closed, steps []Step, define func(context.Context) error) (done []Step, err error) {
	if err := l.Usable(); err != nil {
		return nil, err
	}
	for _, s := range steps {
		if err := s.check(); err != nil {
			return nil, err
		}
	}
	if err := l.maySettle(waiting, steps); err != nil {
		return nil, err
	}
	end, err := l.begin(ctx, waiting.Done())
	if err != nil {
		return nil, err
	}
	defer end()
	open, ok := l.gate.Close(gates.ids, gates.together, waiting.Done())
	if !ok {
		return nil, cmp.Or(ctx.Err(), ErrBusy)
	}
	defer open()
	e, link, err := l.announceNow(ctx, steps)
	if err != nil {
		return nil, err
	}
	defer l.endOwn()
	crash.Point("ledger.announced")
	cause := l.makeKnown(ctx, waiting, e, link)
	began := cause == nil
	if began {
		crash.Point("ledger.known")
		cause = define(ctx)
		crash.Point("ledger.defined")
	}
	// A client that leaves now must not keep the change from being settled.
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), patient)
	defer cancel()
	if _, answered := errors.AsType[*sqlerr.Error](cause); began && cause != nil && !answered {
		err = l.outlast(settling, steps)
	}
	if err == nil {
		done, err = l.settleOwn(settling, e, link)
	}
	if err != nil {
		l.fail(err)
		return nil, errors.Join(err, cause)
	}
	return done, cause
}

// concerned are the tables whose gates a change closes.
func (l *Ledger) concerned(steps []Step) []catalog.ID {
	l.mu.Lock()
	defer l.mu.Unlock()
	return concerned(steps, l.written())
}

// fail is become for who does not hold mu.
func (l *Ledger) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.become(err)
}

// announceNow announces a change if its tables are still what it is to begin with. link is
// the connection that has the lock meanwhile.
func (l *Ledger) announceNow(ctx context.Context, steps []Step) (e *entry, link int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := uncut(ctx)
	defer cancel()
	for _, s := range steps {
		if s.Old != nil && !l.written().Knows(s.Old) || s.New != nil && !l.serves(s.New) {
			return nil, 0, ErrOutdated
		}
	}
	if e, err = l.announce(ctx, steps); err != nil {
		l.become(ErrLost)
		return nil, 0, fmt.Errorf("%w: %w", ErrLost, err)
	}
	l.own = steps
	return e, l.links, nil
}

// endOwn is after the change of this process, whatever came of it.
func (l *Ledger) endOwn() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.own = nil
}

// makeKnown has all members know the names that a change makes, and sees that the lock is
// held still: in its place somebody else might have settled the change by now. Statements from before that
// do not end in time are what servers say of a lock that is not to be had.
func (l *Ledger) makeKnown(ctx, waiting context.Context, e *entry, link int) error {
	var err error
	waiting, cancelWait := context.WithTimeout(waiting, cmp.Or(l.o.patience, patient))
	defer cancelWait()
	if slices.ContainsFunc(e.steps, Step.Comes) {
		err = l.awaitStatements(ctx, waiting, e)
	}
	switch {
	case errors.Is(err, ErrBusy):
		return sqlerr.LockWait()
	case err != nil:
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := uncut(ctx)
	defer cancel()
	return l.holds(ctx, link)
}

// awaitStatements waits until no statement is in flight that the names of an entry would make another one: of members, and of
// those that have gone; nor an event runs. One that was gone may have joined again meanwhile, with its statements.
func (l *Ledger) awaitStatements(ctx, waiting context.Context, e *entry) error {
	for {
		if err := l.awaitInFlight(ctx, waiting, e.id); err != nil {
			return err
		}
		if err := l.awaitEvents(ctx, waiting); err != nil {
			return err
		}
		blind, err := l.awaitDeparted(ctx, waiting, slices.ContainsFunc(e.steps, Step.lacksCheck))
		if err != nil || blind {
			return err
		}
		if clear, err := l.isClear(ctx, e.id); err != nil || clear {
			return err
		}
	}
}

// isClear reports whether there is at one time neither a member that holds a version back nor one that has gone.
func (l *Ledger) isClear(ctx context.Context, version uint64) (clear bool, err error) {
	var left int
	err = l.connected(ctx, func(ctx context.Context) error {
		return l.conn.QueryRowContext(ctx, "SELECT (SELECT COUNT(*) FROM "+departed+") + (SELECT COUNT(*) FROM "+member+" WHERE id <> ? AND COALESCE(clear, seen) < ?)",
			l.self[:], version).Scan(&left)
	})
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrLost, err)
	}
	return left == 0, nil
}

// holds is an error unless the connection is the one that has taken the lock, and has it.
func (l *Ledger) holds(ctx context.Context, link int) error {
	if l.conn == nil || l.links != link {
		return ErrLost
	}
	var mine sql.NullInt64
	err := l.conn.QueryRowContext(ctx, "SELECT IS_USED_LOCK(?) = CONNECTION_ID()", lockName).Scan(&mine)
	if err != nil || mine.Int64 != 1 {
		return errors.Join(ErrLost, err)
	}
	return nil
}

// settleOwn settles a change by the connection that has taken the lock for it.
func (l *Ledger) settleOwn(ctx context.Context, e *entry, link int) (done []Step, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil || l.links != link {
		return nil, ErrLost
	}
	return l.settle(ctx, e)
}

// both are the tables that steps change or make.
func both(steps []Step) []catalog.ID {
	var ids []catalog.ID
	for _, s := range steps {
		for _, t := range []*catalog.Table{s.Old, s.New} {
			if t != nil {
				ids = append(ids, t.ID)
			}
		}
	}
	return ids
}

// concerned are those, and the tables from which foreign keys lead to them.
func concerned(steps []Step, c *catalog.Catalog) []catalog.ID {
	ids := both(steps)
	for _, s := range steps {
		for _, t := range []*catalog.Table{s.Old, s.New} {
			if t == nil {
				continue
			}
			for _, above := range c.Above(t) {
				ids = append(ids, above.ID)
			}
		}
	}
	return ids
}

// check refuses a step that could not be settled.
func (s Step) check() error {
	switch {
	case s.New == nil:
		return nil
	case s.Old != nil && s.Old.ID != s.New.ID:
		return fmt.Errorf("%w: a step from one table to another", catalog.ErrContent)
	case s.Old != nil && markOf(s.Old) == markOf(s.New) && s.Old.Schema == s.New.Schema && s.Old.Name == s.New.Name:
		return fmt.Errorf("%w: a step that leaves no mark", catalog.ErrContent)
	}
	return s.New.Check()
}

// settleAll settles what was left in the journal when the ledger was read. Who has the lock
// does, and so whoever has left it is no more, or has lost the lock and is about to notice.
func (l *Ledger) settleAll(ctx context.Context) error {
	for len(l.left) > 0 {
		e := l.left[0]
		if err := l.outlast(ctx, e.steps); err != nil {
			return err
		}
		if err := l.takeOver(ctx, e); err != nil {
			return err
		}
		crash.Point("ledger.taken")
		l.left = l.left[1:]
		done, err := l.settle(ctx, e)
		if err != nil {
			l.left = slices.Insert(l.left, 0, e)
			return err
		}
		l.o.Log.Warn("settled a change of definitions that was under way",
			"tables", len(e.steps), "done", len(done))
	}
	return nil
}

// settle looks at the tables of an entry, writes down what they are, and takes the
// entry out of the journal, all in one transaction.
func (l *Ledger) settle(ctx context.Context, e *entry) (done []Step, err error) {
	for _, s := range e.steps {
		if err := l.dropUnfinished(ctx, s); err != nil {
			return nil, err
		}
		was, err := l.happened(ctx, s)
		if err != nil {
			return nil, err
		}
		if was != nil {
			done = append(done, *was)
		}
	}
	version := l.written().Version + 1
	err = l.transact(ctx, version, func(tx *sql.Tx, rows map[row]digest) error {
		for _, s := range done {
			if err := l.write(ctx, tx, rows, version, s); err != nil {
				return err
			}
		}
		delete(rows, row{placeJournal, number(e.id)})
		_, err := tx.ExecContext(ctx, "DELETE FROM "+journal+" WHERE id = ?", e.id)
		crash.Point("ledger.settling")
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLost, err)
	}
	crash.Point("ledger.settled")
	removed, added := Sides(done)
	l.show(l.written().Next(version, removed, added), l.unsettled())
	return done, nil
}

// dropUnfinished drops a table whose rows have not all come.
func (l *Ledger) dropUnfinished(ctx context.Context, s Step) error {
	if s.Old != nil || s.New.View != nil {
		return nil
	}
	switch comment, err := l.comment(ctx, s.New); {
	case err != nil || comment != Unfinished(s.New):
		return err
	}
	if _, err := l.conn.ExecContext(ctx, "DROP TABLE "+identifier.Quoted(s.New.Schema)+"."+identifier.Quoted(s.New.Name)); err != nil {
		return fmt.Errorf("%w: a table whose rows have not all come cannot be dropped: %w", ErrLost, err)
	}
	crash.Point("ledger.unfinished.dropped")
	return nil
}

// Sides are the tables that go and those that come.
func Sides(steps []Step) (removed, added []*catalog.Table) {
	for _, s := range steps {
		if s.Old != nil {
			removed = append(removed, s.Old)
		}
		if s.New != nil {
			added = append(added, s.New)
		}
	}
	return removed, added
}

// write writes down a step that was done.
func (l *Ledger) write(ctx context.Context, tx *sql.Tx, rows map[row]digest, version uint64, s Step) error {
	if s.New == nil {
		delete(rows, row{placeObject, s.Old.ID})
		_, err := tx.ExecContext(ctx, "DELETE FROM "+object+" WHERE id = ?", s.Old.ID[:])
		return err
	}
	plain, err := s.New.Encode()
	if err != nil {
		return err
	}
	sealed := l.sealer.seal(placeObject, s.New.ID, version, plain)
	rows[row{placeObject, s.New.ID}] = digestOf(version, sealed)
	_, err = tx.ExecContext(ctx, "REPLACE INTO "+object+" (id, version, sealed) VALUES (?, ?, ?)", s.New.ID[:], version, sealed)
	return err
}

// happened looks what has become of a step, by the marks of the stored tables: nothing,
// which is nil; the step itself; or that somebody has taken the table from it.
func (l *Ledger) happened(ctx context.Context, s Step) (*Step, error) {
	was, is, err := l.marks(ctx, s)
	if err != nil {
		return nil, err
	}
	isOld, isNew := s.Old != nil && was == markOf(s.Old), s.New != nil && is == markOf(s.New)
	taken := s.taken()
	switch {
	case s.New == nil && !isOld, s.Old == nil && isNew, s.changes() && isNew && !isOld:
		return &s, nil
	case s.New == nil || s.Old == nil || isOld && !isNew:
		return nil, nil //nolint:nilnil // nothing has
	case taken != nil && was == markOf(taken):
		return &Step{Old: s.Old, New: taken}, nil
	}
	return nil, l.unexplained(ctx, s)
}

// unexplained is nil where the server has neither table of a step: MySQL loses one whose engine's
// definitions are not atomic, such as MEMORY, when it is killed within ALTER TABLE, and has
// what was in it under names of its own. Nothing can be written to it, so that it keeps no other table
// from being used, and its keys stay for whoever brings it back.
func (l *Ledger) unexplained(ctx context.Context, s Step) error {
	if !s.changes() || s.Old.View != nil {
		return ErrUnexplained
	}
	var tables int
	err := l.conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? OR TABLE_SCHEMA = ? AND TABLE_NAME = ?",
		s.Old.Schema, s.Old.Name, s.New.Schema, s.New.Name).Scan(&tables)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrLost, err)
	case tables > 0:
		return ErrUnexplained
	}
	l.o.Log.Error("a protected table that was being changed is not at the server; bring it back, or drop it through tunic", "table", s.Old.Schema+"."+s.Old.Name)
	return nil
}

func (s Step) changes() bool { return s.Old != nil && s.New != nil }

// marks are the comments of the tables of a step's old and new names; "" where
// there is no table.
func (l *Ledger) marks(ctx context.Context, s Step) (was, is string, err error) {
	if s.Old != nil {
		if was, err = l.comment(ctx, s.Old); err != nil {
			return "", "", err
		}
	}
	if s.New != nil {
		is, err = l.comment(ctx, s.New)
	}
	return was, is, err
}

// comment is the mark that the table or view of a name has.
func (l *Ledger) comment(ctx context.Context, t *catalog.Table) (string, error) {
	if t.View != nil {
		return l.viewMark(ctx, t)
	}
	var comment string
	err := l.conn.QueryRowContext(ctx,
		"SELECT TABLE_COMMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND TABLE_TYPE = 'BASE TABLE'",
		t.Schema, t.Name).Scan(&comment)
	if errors.Is(err, sql.ErrNoRows) {
		return "", l.isFree(ctx, t)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrLost, err)
	}
	return comment, nil
}
