package pace

import (
	"bytes"
	"context"
	"encoding/binary"
	"maps"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/turn"
	"tunic/internal/layers"
	"tunic/internal/ledger"
)

// Pace is how a command goes through the rows of a table beside clients. It leaves the server to
// them in any case; this is what it keeps to beyond that.
type Pace struct {
	// RateMax is how many rows a second are gone through at most, 0 for no bound: each is gone
	// through twice.
	RateMax int
	// LatencyMax is how long the server may take for a small write: while it takes longer, no
	// rows are gone through. 0 is no bound.
	LatencyMax time.Duration
	// Told hears how far it is, after each chunk and while it waits. It may be nil.
	Told func(Passed)
}

// Passed is how far it is.
type Passed struct {
	// Rows of about Expected have been gone through, those before the work was cut off and gone
	// on with among them. Each counts twice.
	Rows, Expected int64
	// Compared are rows whose two forms this process has compared.
	Compared int64
	// Slow is what the server has taken for a small write just now, if it is waited for because
	// that is too long; else 0.
	Slow time.Duration
	// Locked are rows that are waited for because somebody has locked them, if nothing else is left.
	Locked int
}

// Passage is rows being gone through at a Pace. How far it is is kept in the ledger, in the
// transactions of the rows themselves, so that whoever goes on begins there.
type Passage struct {
	pace   Pace
	ledger *ledger.Ledger
	number uint64
	of     string // what is done with the rows, so that no other work takes the place for its own
	began  time.Time
	from   int64 // rows that were done when this process began
	base   int64 // rows that were done before the first was compared
	at     Passed
}

// Of begins a passage through the rows of a table; of is what is done with them.
func Of(l *ledger.Ledger, pace Pace, t *catalog.Table, of string) *Passage {
	return &Passage{pace: pace, ledger: l, number: PlaceNumber(t.ID), of: of + "\x00", began: time.Now()}
}

// PlaceNumber is under what the ledger keeps how far a table is. Numbers of jobs are below.
func PlaceNumber(table catalog.ID) uint64 { return firstPlace | binary.BigEndian.Uint64(table[:]) }

const firstPlace = 1 << 63

// DropPlaces forgets how far tables were that are not on their way any more, as one that was
// dropped on it. Places are read first: who has written one since has its table in the catalog.
func DropPlaces(ctx context.Context, l *ledger.Ledger) error {
	kept, err := l.AllProgress(ctx)
	if err != nil {
		return err
	}
	maps.DeleteFunc(kept, func(number uint64, _ ledger.Progress) bool { return number < firstPlace })
	if len(kept) == 0 {
		return nil
	}
	if err := l.Refresh(ctx, nil); err != nil {
		return err
	}
	for t := range l.Catalog().Tables() {
		if t.Converting() {
			delete(kept, PlaceNumber(t.ID))
		}
	}
	for number := range kept {
		if err := l.ForgetProgress(ctx, number); err != nil {
			return err
		}
	}
	return nil
}

// ForgetPlace is when nothing of a table is left to be gone through.
func ForgetPlace(ctx context.Context, l *ledger.Ledger, t *catalog.Table) error {
	return l.ForgetProgress(ctx, PlaceNumber(t.ID))
}

// Load implements layers.Progress.
func (p *Passage) Load(ctx context.Context) ([]byte, error) {
	kept, err := p.ledger.Progress(ctx, p.number)
	if err != nil {
		return nil, err
	}
	place, mine := bytes.CutPrefix(kept.Place, []byte(p.of))
	if !mine {
		return nil, nil
	}
	p.from, p.base = int64(kept.Done), int64(kept.Done)
	return place, nil
}

// Save implements layers.Progress.
func (p *Passage) Save(ctx context.Context, link layers.Link, at layers.Mark) error {
	place := append([]byte(p.of), at.Place...)
	statement := p.ledger.ProgressStatement(ledger.Progress{Job: p.number, Place: place, Done: uint64(max(at.Done, 0)), Expected: uint64(max(at.Expected, 0))})
	_, err := link.ExecContext(ctx, statement)
	p.at.Rows, p.at.Expected = at.Done, at.Expected
	return err
}

// Looked is told after each chunk.
func (p *Passage) Looked(comparing bool, rows int64) {
	if !comparing {
		p.base = rows
	}
	p.at.Rows, p.at.Compared, p.at.Locked = rows, rows-p.base, 0
	p.tell(0)
}

// Locked is told while only rows are left that somebody has locked.
func (p *Passage) Locked(rows int) {
	p.at.Locked = rows
	p.tell(0)
}

func (p *Passage) tell(slow time.Duration) {
	if p.pace.Told != nil {
		p.at.Slow = slow
		p.pace.Told(p.at)
	}
}

// Times of waiting for a server that is slow.
const (
	slowFirst = 100 * time.Millisecond
	slowMost  = 2 * time.Second
)

// Gate is before each chunk, outside of a transaction.
func (p *Passage) Gate(ctx context.Context) error {
	if p.pace.RateMax > 0 {
		due := time.Duration(float64(p.at.Rows-p.from) / float64(p.pace.RateMax) * float64(time.Second))
		if err := turn.Sleep(ctx, due-time.Since(p.began)); err != nil {
			return err
		}
	}
	for pause := slowFirst; p.pace.LatencyMax > 0; pause = min(2*pause, slowMost) {
		begun := time.Now()
		if err := p.ledger.NoteError(ctx, p.number, 0); err != nil {
			return err
		}
		took := time.Since(begun)
		if took <= p.pace.LatencyMax {
			break
		}
		p.tell(took)
		if err := turn.Sleep(ctx, pause); err != nil {
			return err
		}
	}
	return ctx.Err()
}
