package layers

import (
	"context"
	"database/sql"
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// Reseal gives rows the forms of columns of another type or domain, beside those that
// they have, while nobody else uses the table.
type Reseal struct {
	// Exec and Query run statements on the connection that has locked the table. Its
	// settings are as for a Judge.
	Exec  func(ctx context.Context, statement string) error
	Query func(ctx context.Context, statement string) ([][]*string, error)
	Ring  *crypt.Ring
	// Table is the table as it is.
	Table   *catalog.Table
	Columns []Replacement
	// Env is the session whose statement changes the types.
	Env *value.Env
}

// Replacement is a column that becomes another one.
type Replacement struct {
	Old, New *catalog.Column
	// Same says that a canonical form of the old column is the same value's of the new
	// one.
	Same bool
	// Sealed and Tokens are the names of the new forms while the old ones are there.
	Sealed string
	Tokens map[policy.Capabilities]string
}

// Backfill gives the rows their new forms, and looks at all of them. Errors are those of
// Job.Backfill, and ErrConversion.
func (r *Reseal) Backfill(ctx context.Context) error {
	var targets []target
	from := &sources{table: r.Table, ring: r.Ring}
	for i := range r.Columns {
		x, err := from.replaced(&r.Columns[i], r.Env)
		if err != nil {
			return err
		}
		targets = append(targets, x)
	}
	w, err := newWorker(from, targets)
	if err != nil {
		return err
	}
	w.link, w.alone = (*theirLink)(r), true
	f := backfiller{worker: w, pace: newPace(true, w), at: placeOf(nil, w.key.names())}
	return f.run(ctx)
}

// replaced is what rows are to get of a column that takes the place of another one.
func (s *sources) replaced(c *Replacement, env *value.Env) (x target, err error) {
	x = target{read: c.Old, sealed: c.Sealed}
	if !c.Same {
		x.convert = Converter(&c.Old.Type, &c.New.Type, env)
	}
	for _, l := range c.New.Layers {
		x.tokens = append(x.tokens, token{l.Capability, c.Tokens[l.Capability], nil})
	}
	if x.from, x.at, err = s.of(c.Old); err == nil {
		x.makes, err = s.ring.Column(c.New)
	}
	return x, err
}

// theirLink is the connection of a Reseal.
type theirLink Reseal

// ExecContext is of a Link, which only a Progress uses.
func (l *theirLink) ExecContext(context.Context, string, ...any) (sql.Result, error) {
	return nil, errors.ErrUnsupported
}

func (l *theirLink) exec(ctx context.Context, statement string) error { return l.Exec(ctx, statement) }

func (l *theirLink) update(ctx context.Context, statement string, _ int) error {
	return l.Exec(ctx, statement)
}

func (l *theirLink) query(ctx context.Context, statement string) ([][][]byte, error) {
	rows, err := l.Query(ctx, statement)
	all := make([][][]byte, len(rows))
	for i, r := range rows {
		all[i] = make([][]byte, len(r))
		for j, cell := range r {
			if cell != nil {
				all[i][j] = []byte(*cell)
			}
		}
	}
	return all, err
}
