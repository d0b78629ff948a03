package layers

import (
	"bytes"
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// target is what rows are to get of one column: forms of a value that they have already, or
// that is given.
type target struct {
	read *catalog.Column // whose value rows have
	from *source         // where they have it,
	at   int             // and at which place
	// given is what rows get that have no sealed form; nil if NULL stays NULL.
	given []byte
	// convert makes of the value that rows have the one that they get; nil if it is
	// the same.
	convert func(canonical []byte) ([]byte, error)

	makes  *crypt.Column
	sealed string // the name of the sealed form that rows get; "" if they keep theirs
	tokens []token

	// record is what they get of a family: then none of the above is there but sealed.
	record *record
}

// token is a layer that rows get, and its stored name.
type token struct {
	capability policy.Capabilities
	stored     string
	// bare is the type of a plain form, which is no token but the value; nil of others.
	bare *value.Type
}

// tokenOf makes a layer of a column a token that rows get.
func tokenOf(c *catalog.Column, l *catalog.Layer) token {
	if l.Bare() {
		return token{l.Capability, l.Stored, &c.Type}
	}
	return token{l.Capability, l.Stored, nil}
}

// is reports whether a row has of a layer what it is to have.
func (l *token) is(want, have []byte) bool {
	if l.bare != nil {
		return isShown(l.bare, want, have)
	}
	return bytes.Equal(want, have) && (want == nil) == (have == nil)
}

// targetsOf are the columns of a table of which something is to be backfilled: by a job what is
// its own, by 0 everything.
func targetsOf(s *sources, given map[catalog.ID][]byte, job uint64, env *value.Env, warned func([]value.Condition)) ([]target, error) {
	var all []target
	for i := range s.table.Columns {
		c := &s.table.Columns[i]
		if c.Shadows != "" && job == 0 {
			x, err := s.shadowTarget(c, env, warned)
			if err != nil {
				return nil, err
			}
			if x.sealed != "" || len(x.tokens) > 0 {
				all = append(all, x)
			}
			continue
		}
		x := target{read: c}
		for _, l := range c.Layers {
			if job != 0 && l.Job != job {
				continue
			}
			if c.Backfilling || l.State == catalog.Backfilling {
				x.tokens = append(x.tokens, tokenOf(c, &l))
			}
		}
		if c.Backfilling && job == 0 {
			x.sealed = c.Stored()
			if x.given = given[c.ID]; x.given == nil {
				x.given = append([]byte{}, c.Default.Canonical...)
			}
		} else if len(x.tokens) == 0 {
			continue
		}
		if err := x.key(s); err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	for i := range s.table.Families {
		f := &s.table.Families[i]
		if job != 0 || !f.Backfills() {
			continue
		}
		made, err := s.record(f)
		if err != nil {
			return nil, err
		}
		all = append(all, target{sealed: f.Stored, record: made})
	}
	return all, nil
}

// hides reports whether the server does not see whether a row lacks what the target gives it.
func (x *target) hides() bool { return x.record == nil && x.from.hides() }

// key has the target make forms of what it reads by the same keys.
func (x *target) key(s *sources) (err error) {
	if x.from, x.at, err = s.of(x.read); err == nil {
		x.makes, err = s.ring.Column(x.read)
	}
	return err
}

// stored are the names of the columns that the target backfills, in the order of cells.
func (x *target) stored() []string {
	var names []string
	if x.sealed != "" {
		names = append(names, x.sealed)
	}
	for _, l := range x.tokens {
		names = append(names, l.stored)
	}
	return names
}

// selectedStored are the expressions that read them.
func (x *target) selectedStored() []string {
	var all []string
	if x.sealed != "" {
		all = append(all, identifier.Quoted(x.sealed))
	}
	for _, l := range x.tokens {
		if l.bare != nil {
			all = append(all, selectedPlain(l.stored, l.bare))
		} else {
			all = append(all, identifier.Quoted(l.stored))
		}
	}
	return all
}

// assigned is the expression that the i-th of them is set to, whose cell form is.
func (x *target) assigned(i int, form string) string {
	if x.sealed != "" {
		i--
	}
	if i >= 0 && x.tokens[i].bare != nil {
		return storedPlain(form, x.tokens[i].bare)
	}
	return form
}

// lacks is the condition of a row that lacks something. Where the server does not see which values are NULL, it is one of
// rows as well whose value is.
func (x *target) lacks() string {
	text := ""
	for i, name := range x.stored() {
		if i > 0 {
			text += " OR "
		}
		text += identifier.Quoted(name) + " IS NULL"
	}
	if x.record != nil || x.given != nil || x.from.hides() {
		return "(" + text + ")"
	}
	return "(" + identifier.Quoted(x.from.stored) + " IS NOT NULL AND (" + text + "))"
}

// value is what the row that was opened gets, in canonical form, nil for NULL.
func (x *target) value() ([]byte, error) {
	value, err := x.from.value(x.at)
	switch {
	case err != nil:
		return nil, err
	case value == nil:
		return x.given, nil
	case x.convert == nil:
		return value, nil
	}
	return x.convert(value)
}

// cells are what the columns of stored are to have in the row that was opened, nil for NULL.
func (x *target) cells() ([][]byte, error) {
	if x.record != nil {
		form, err := x.record.form()
		return [][]byte{form}, err
	}
	value, err := x.value()
	if err != nil {
		return nil, err
	}
	if value == nil {
		return make([][]byte, len(x.stored())), nil // NULL is NULL in every form
	}
	var cells [][]byte
	if x.sealed != "" {
		sealed := x.from.cell
		if sealed == nil || x.sealed != x.from.stored {
			if sealed, err = x.makes.AppendSealed(nil, value); err != nil {
				return nil, fmt.Errorf("column %s: %w", x.read.ID, err)
			}
		}
		cells = append(cells, sealed)
	}
	for _, l := range x.tokens {
		if l.bare != nil {
			cells = append(cells, shownOf(l.bare, value))
			continue
		}
		made, err := x.makes.AppendToken(nil, l.capability, value)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", x.read.ID, err)
		}
		cells = append(cells, made)
	}
	return cells, nil
}

// check looks whether the row that was opened has what it is to have: have are the cells of stored.
func (x *target) check(have [][]byte) error {
	if x.record != nil {
		return x.record.check(have[0])
	}
	want, err := x.cells()
	if err != nil {
		return err
	}
	if x.sealed != "" && want[0] != nil {
		if have[0] == nil {
			return x.unfilled()
		}
		value, err := x.value()
		if err != nil {
			return err
		}
		got, err := x.makes.AppendOpened([]byte{}, have[0])
		if err != nil || !bytes.Equal(got, value) {
			return x.unfilled()
		}
		want, have = want[1:], have[1:]
	}
	for i, l := range x.tokens {
		if !l.is(want[i], have[i]) {
			return x.unfilled()
		}
	}
	return nil
}

func (x *target) unfilled() error { return fmt.Errorf("%w: column %s", ErrForeignWrite, x.read.ID) }
