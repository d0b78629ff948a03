package advice

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/layers"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// Bounds of a check.
const (
	sampleRows    = 20_000
	sampleBytes   = 64 << 20
	verdictsKept  = 1 << 10
	verdictsFresh = 24 * time.Hour // after which a column is looked at anew
)

// ErrUnsuited says that no layer of the capability is made of values of the column's type, or
// that the column is not protected.
var ErrUnsuited = errors.New("advice: the column can have no such layer")

// Checker judges columns by their values. Its methods are safe for concurrent use.
type Checker struct {
	db   *sql.DB
	ring *crypt.Ring
	now  func() time.Time

	mu       sync.Mutex
	verdicts map[layerOf]judged
}

type judged struct {
	Verdict
	at time.Time
}

// NewChecker makes a Checker that reads with the service account, and opens with the ring.
func NewChecker(db *sql.DB, ring *crypt.Ring) *Checker {
	return &Checker{db: db, ring: ring, now: time.Now, verdicts: map[layerOf]judged{}}
}

// Check says what the values of a column of a table speak against a layer. It reads a sample
// of the table, and takes as long as the server takes to read all of it, a minute at most;
// of the same column it says the same for a day. Whether the column's ceiling allows the
// layer is not looked at. Errors are ErrUnsuited and those of layers.Sample.
func (c *Checker) Check(ctx context.Context, t *catalog.Table, column int, capability policy.Capabilities) (Verdict, error) {
	at := &t.Columns[column]
	if !suits(at) || capability == policy.Order && value.OrderBits(&at.Type) == 0 {
		return Verdict{}, ErrUnsuited
	}
	of := layerOf{at.ID, capability}
	if v, ok := c.known(of); ok && v.Why != Unjudged {
		return v, nil
	}
	d, err := Look(ctx, c.db, c.ring, t, column, sampleRows)
	if err != nil {
		return Verdict{}, err
	}
	for _, each := range policy.Each() {
		c.keep(layerOf{at.ID, each}, Judge(d, each))
	}
	return Judge(d, capability), nil
}

// suits reports whether a column can have layers.
func suits(c *catalog.Column) bool { return c.Protected() && value.Ordered(&c.Type) }

// Look is how the values of a protected column are distributed, by about so many of them, 64 MiB at most.
// It reads a sample of the table with a service account, and takes as long as the server takes to read
// all of it, a minute at most. Errors are ErrUnsuited and those of layers.Sample.
func Look(ctx context.Context, db *sql.DB, ring *crypt.Ring, t *catalog.Table, column int, rows int64) (*Distribution, error) {
	at := &t.Columns[column]
	if !suits(at) {
		return nil, ErrUnsuited
	}
	h := NewHistogram(&at.Type)
	defer h.Wipe()
	sample := layers.Sample{DB: db, Ring: ring, Table: t, Column: at, Rows: rows, Bytes: sampleBytes}
	of, err := sample.Run(ctx, h.Add)
	if err != nil {
		return nil, err
	}
	return h.Distribution(of), nil
}

// known is the verdict of the last day; ok is false if there is none.
func (c *Checker) known(of layerOf) (Verdict, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.verdicts[of]
	return v.Verdict, ok && c.now().Sub(v.at) < verdictsFresh
}

func (c *Checker) keep(of layerOf, v Verdict) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.verdicts) >= verdictsKept {
		clear(c.verdicts)
	}
	c.verdicts[of] = judged{v, c.now()}
}
