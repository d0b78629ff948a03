package rotation

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/keys"
	"tunic/internal/scheme"
)

// Count adds what keys seal in this process to what all tunics have sealed, which the ledger has,
// and gives tables another key before one has sealed too much (scheme.SealsMax).
//
// A tunic that is killed has not told of what it has sealed since the last look. The bound is half
// of what a key is good for: that is room for more seals than kills leave out.
type Count struct {
	// Rotation does the work of a change of keys. Its Tables, Layers and RateMax are not used.
	Rotation *Rotation
	Seals    *crypt.Seals
	// Most is how many values a key may seal before its table gets another one; 0 is scheme.SealsMax.
	Most uint64
	// Told is told after each look how many values the key has sealed that has sealed most of
	// those in use, and how many tables have got another one. It may be nil.
	Told func(busiest uint64, moved int)
	Log  *slog.Logger

	left map[keys.Use]uint64 // not yet in the ledger
	said time.Time           // that a table could not be moved
}

// Times of a Count.
const (
	countEvery = 10 * time.Second
	flushLimit = 5 * time.Second // to tell of the last seals at the end
	sayEvery   = time.Hour       // of what keeps a table from getting another key
)

// Run looks again and again until ctx ends, and once more then.
func (c *Count) Run(ctx context.Context) {
	ticker := time.NewTicker(countEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushLimit)
			defer cancel()
			if err := c.Add(last); err != nil {
				c.Log.Warn("what keys have sealed is not counted", "cause", err)
			}
			return
		case <-ticker.C:
			c.report(c.Look(ctx))
		}
	}
}

// report says what has kept a look from its end, but not each time.
func (c *Count) report(err error) {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, ErrUnderway) || time.Since(c.said) < sayEvery {
		return
	}
	c.said = time.Now()
	c.Log.Warn("the seals of keys are not counted, or a table does not get another key", "cause", err)
}

// Add tells the ledger what was sealed since it was told last.
func (c *Count) Add(ctx context.Context) error {
	if c.left == nil {
		c.left = map[keys.Use]uint64{}
	}
	for use, n := range c.Seals.Take() {
		c.left[use] += n
	}
	return c.Rotation.Ledger.AddSeals(ctx, c.left)
}

// Look does it once. Errors are those of Add and Advance, and errNoFence.
func (c *Count) Look(ctx context.Context) error {
	if err := c.Add(ctx); err != nil {
		return err
	}
	sealed, err := c.Rotation.Ledger.Seals(ctx)
	if err != nil {
		return err
	}
	known := c.Rotation.Ledger.Catalog()
	c.Seals.Keep(known)
	used := uses(known)
	due, busiest := c.due(used, sealed)
	moved, err := 0, error(nil)
	if len(due) > 0 {
		moved, err = c.Rotation.Advance(ctx, due)
	}
	if c.Told != nil {
		c.Told(busiest, moved)
	}
	return errors.Join(err, c.forget(ctx, used, sealed))
}

// due are the keys in use that have sealed too much, and busiest is how many values the one has
// sealed that has sealed most.
func (c *Count) due(used map[keys.Use]*catalog.Table, sealed map[keys.Use]uint64) (due []keys.Use, busiest uint64) {
	for use := range used {
		busiest = max(busiest, sealed[use])
		if sealed[use] >= cmp.Or(c.Most, scheme.SealsMax) {
			due = append(due, use)
		}
	}
	return due, busiest
}

// uses are the keys that the columns and families of a catalog are sealed with now.
func uses(known *catalog.Catalog) map[keys.Use]*catalog.Table {
	all := map[keys.Use]*catalog.Table{}
	for t := range known.Tables() {
		for s := range t.StoredColumns() {
			switch s.Kind {
			case catalog.StoredSealed:
				all[keys.Use{Domain: keys.Domain(s.Column.ID), Epoch: s.Column.Epoch}] = t
			case catalog.StoredFamily:
				all[keys.Use{Domain: keys.Domain(s.Family.ID), Epoch: s.Family.Epoch}] = t
			default: // nothing is sealed for it
			}
		}
	}
	return all
}

// forget forgets the counts of columns that are gone, and of keys that are not in use any more.
func (c *Count) forget(ctx context.Context, used map[keys.Use]*catalog.Table, sealed map[keys.Use]uint64) error {
	there := map[keys.Domain]uint16{}
	for use := range used {
		there[use.Domain] = use.Epoch
	}
	for use := range sealed {
		epoch, has := there[use.Domain]
		if has && use.Epoch >= epoch {
			continue // or another tunic is ahead
		}
		if err := c.Rotation.Ledger.ForgetSeals(ctx, use); err != nil {
			return err
		}
	}
	return nil
}

// errNoFence says that a table keeps its key though that has sealed too much.
var errNoFence = errors.New("a key has sealed as much as it should, and its table cannot get another one: tunic rotate --dry-run says why")

// Advance has what is written be sealed under newer keys from now on, in the tables that have one
// of the keys given; rows that are there stay as they are. moved is how many tables have got
// one. Errors are those of Run, and errNoFence.
func (r *Rotation) Advance(ctx context.Context, due []keys.Use) (moved int, err error) {
	return moved, r.alone(ctx, func(ctx context.Context) error {
		if err := r.Ledger.Refresh(ctx, nil); err != nil {
			return err
		}
		used := uses(r.Ledger.Catalog())
		due = slices.DeleteFunc(due, func(use keys.Use) bool { return used[use] == nil }) // another tunic was first
		movable := slices.DeleteFunc(slices.Clone(due), func(use keys.Use) bool { return hindranceOf(used[use]).stays() })
		if len(movable) > 0 {
			if moved, err = r.advance(ctx, movable, used); err != nil {
				return err
			}
		}
		if len(movable) < len(due) {
			return errNoFence
		}
		return nil
	})
}

// advance gives the tables of keys a newer one.
func (r *Rotation) advance(ctx context.Context, due []keys.Use, used map[keys.Use]*catalog.Table) (moved int, err error) {
	if err := r.awaitHolders(ctx); err != nil {
		return 0, err
	}
	epoch := r.Ledger.Tree().Newest()
	if slices.ContainsFunc(due, func(use keys.Use) bool { return use.Epoch >= epoch }) {
		if epoch, err = r.Ledger.AddMaster(ctx); err != nil {
			return 0, err
		}
	}
	tables := map[catalog.ID]bool{}
	for _, use := range due {
		if id := used[use].ID; !tables[id] {
			tables[id] = true
			if err := r.Definer.Layers.MoveEpoch(ctx, id, epoch); err != nil {
				return moved, err
			}
			moved++
		}
	}
	return moved, nil
}
