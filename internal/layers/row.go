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

// target is what rows are to get of one column: forms of a value that they have in a
// sealed form already, or that is given.
type target struct {
	read  *catalog.Column // whose sealed form rows have
	opens *crypt.Column
	// given is what rows get that have no sealed form; nil if NULL stays NULL.
	given []byte
	// convert makes of the value that rows have the one that they get; nil if it is
	// the same.
	convert func(canonical []byte) ([]byte, error)

	// plain makes the canonical form of what rows have in a plain column; nil if they have
	// a sealed form there.
	plain func(cell []byte) ([]byte, error)

	// family has the sealed form of a column that is in one, and place is the column's among its columns; nil of
	// one that is sealed by itself. beside is the number behind that of an earlier target that has the
	// form too, 0 without.
	family        *crypt.Family
	place, beside int

	makes  *crypt.Column
	sealed string // the name of the sealed form that rows get; "" if they keep theirs
	tokens []token
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
func targetsOf(t *catalog.Table, ring *crypt.Ring, given map[catalog.ID][]byte, job uint64, env *value.Env, warned func([]value.Condition)) ([]target, error) {
	var all []target
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Shadows != "" && job == 0 {
			x, err := shadowTarget(t, c, ring, env, warned)
			if err != nil {
				return nil, err
			}
			all = append(all, x)
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
		if err := x.key(ring); err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// key has the target make forms of what it opens by the same keys.
func (x *target) key(ring *crypt.Ring) (err error) {
	x.opens, err = ring.Column(x.read)
	x.makes = x.opens
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

// lacks is the condition of a row that lacks something.
func (x *target) lacks() string {
	text := ""
	for i, name := range x.stored() {
		if i > 0 {
			text += " OR "
		}
		text += identifier.Quoted(name) + " IS NULL"
	}
	if x.given != nil {
		return "(" + text + ")"
	}
	return "(" + identifier.Quoted(x.read.Stored()) + " IS NOT NULL AND (" + text + "))"
}

// value is what a row gets, in canonical form, nil for NULL. sealed is the sealed form
// that it has, nil if it has none.
func (x *target) value(sealed []byte) ([]byte, error) {
	switch {
	case sealed == nil:
		return x.given, nil
	case x.plain != nil:
		return x.plain(sealed)
	case x.family != nil:
		return x.member(sealed)
	}
	value, err := x.opens.AppendOpened([]byte{}, sealed)
	if err != nil {
		return nil, fmt.Errorf("%w: column %s: %w", ErrForeign, x.read.ID, err)
	}
	if x.convert == nil {
		return value, nil
	}
	return x.convert(value)
}

// member is value of a column of a family.
func (x *target) member(sealed []byte) ([]byte, error) {
	_, record, err := x.family.AppendOpened(nil, nil, sealed)
	if err != nil {
		return nil, fmt.Errorf("%w: family of column %s: %w", ErrForeign, x.read.ID, err)
	}
	value, _, ok := record.Value(nil, x.place)
	if !ok {
		return nil, fmt.Errorf("%w: a layout without column %s", ErrForeign, x.read.ID)
	}
	return value, nil
}

// cells are what the columns of stored are to have in a row, nil for NULL.
func (x *target) cells(sealed []byte) ([][]byte, error) {
	value, err := x.value(sealed)
	if err != nil {
		return nil, err
	}
	if value == nil {
		return make([][]byte, len(x.stored())), nil // NULL is NULL in every form
	}
	var cells [][]byte
	if x.sealed != "" {
		if sealed == nil || x.sealed != x.read.Stored() {
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

// check looks whether a row has what it is to have: have are the cells of stored.
func (x *target) check(sealed []byte, have [][]byte) error {
	want, err := x.cells(sealed)
	if err != nil {
		return err
	}
	if x.sealed != "" && want[0] != nil {
		if have[0] == nil {
			return x.unfilled()
		}
		value, err := x.value(sealed)
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
