package ledger

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
)

// Progress is how far a job has come. It is written in the transaction of the rows that it
// tells of, and so is neither ahead of them nor behind; and it is not under the root, so
// that no two jobs wait for each other. Who puts an older one back makes a job do again
// what it has done. Who changes it otherwise makes it begin at the first row.
//
//	progress.job       the job's ID; with the highest bit set, the beginning of a table's: how far a command is
//	progress.place     sealed: where to go on, in the form of who does the work; empty for the beginning
//	progress.done      rows that were looked at in the stage that is under way
//	progress.expected  rows that there are in it, by the server's estimate; 0 is not known
//	progress.owner     the member that worked at it last
//	progress.beat      counts what was written
//	progress.error     the server's number of the last error; 0 is none
type Progress struct {
	Job            uint64
	Place          []byte
	Done, Expected uint64
	Owner          [16]byte
	Beat           uint64
	Error          uint16
}

// Self is the ID under which this process is a member, and the owner of what it works at.
func (l *Ledger) Self() [16]byte { return l.self }

// ProgressStatement is a statement that writes how far a job is, for who has a transaction
// on a connection of the service account's. Owner and Beat are set by it. Nothing in it
// reads otherwise under another sql_mode or character set.
func (l *Ledger) ProgressStatement(p Progress) string {
	const clause = "INSERT INTO " + progress + " (job, place, done, expected, owner, beat, error) VALUES (%d, %s, %d, %d, X'%s', 1, %d) " +
		"ON DUPLICATE KEY UPDATE place = VALUES(place), done = VALUES(done), expected = VALUES(expected), owner = VALUES(owner), beat = beat + 1, error = VALUES(error)"
	place := "''"
	if len(p.Place) > 0 {
		l.mu.Lock()
		sealed := l.sealer.seal(placeProgress, number(p.Job), 0, p.Place)
		l.mu.Unlock()
		place = "X'" + hex.EncodeToString(sealed) + "'"
	}
	return fmt.Sprintf(clause, p.Job, place, p.Done, p.Expected, hex.EncodeToString(l.self[:]), p.Error)
}

// SaveProgress is ProgressStatement outside of a transaction.
func (l *Ledger) SaveProgress(ctx context.Context, p Progress) error {
	_, err := l.o.DB.ExecContext(ctx, l.ProgressStatement(p))
	return err
}

// NoteError writes down with which error of the server's a job was stopped, and leaves
// where it is as it is.
func (l *Ledger) NoteError(ctx context.Context, id uint64, number uint16) error {
	_, err := l.o.DB.ExecContext(ctx, "INSERT INTO "+progress+" (job, place, done, expected, owner, beat, error) VALUES (?, '', 0, 0, ?, 1, ?) "+
		"ON DUPLICATE KEY UPDATE error = VALUES(error), beat = beat + 1", id, l.self[:], number)
	return err
}

// ForgetProgress is when nobody needs to know any more how far something is.
func (l *Ledger) ForgetProgress(ctx context.Context, id uint64) error {
	_, err := l.o.DB.ExecContext(ctx, "DELETE FROM "+progress+" WHERE job = ?", id)
	return err
}

// Progress reads how far a job is: at its beginning if nothing was written, or if a place
// was not written by tunic.
func (l *Ledger) Progress(ctx context.Context, id uint64) (Progress, error) {
	all, err := l.progresses(ctx, progressOf, id)
	if err != nil || len(all) == 0 {
		return Progress{Job: id}, err
	}
	return all[0], nil
}

// AllProgress reads how far each job is.
func (l *Ledger) AllProgress(ctx context.Context) (map[uint64]Progress, error) {
	all, err := l.progresses(ctx, progressAll)
	out := make(map[uint64]Progress, len(all))
	for _, p := range all {
		out[p.Job] = p
	}
	return out, err
}

const (
	progressAll = "SELECT job, place, done, expected, owner, beat, error FROM " + progress
	progressOf  = progressAll + " WHERE job = ?"
)

func (l *Ledger) progresses(ctx context.Context, query string, args ...any) (all []Progress, err error) {
	found, err := l.o.DB.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		p, err := l.scanProgress(found)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, found.Err()
}

func (l *Ledger) scanProgress(found *sql.Rows) (Progress, error) {
	var (
		p             Progress
		sealed, owner []byte
	)
	if err := found.Scan(&p.Job, &sealed, &p.Done, &p.Expected, &owner, &p.Beat, &p.Error); err != nil {
		return p, err
	}
	copy(p.Owner[:], owner)
	if len(sealed) == 0 {
		return p, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	place, err := l.sealer.open(placeProgress, number(p.Job), 0, sealed)
	if err != nil {
		p.Done = 0
		return p, nil // it begins at its first row, which is never wrong
	}
	p.Place = place
	return p, nil
}
