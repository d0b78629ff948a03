package layers

import (
	"bytes"
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/policy"
)

// target is a column of which something is to be filled.
type target struct {
	column *catalog.Column
	crypt  *crypt.Column
	// layers are those that are to be filled; all of them if the column itself is.
	layers []policy.Capabilities
	// given is what rows get in a column that is to be filled, in canonical form.
	given []byte
}

// targetsOf are the columns of a table of which something is to be filled.
func targetsOf(t *catalog.Table, ring *crypt.Ring, given map[catalog.ID][]byte) ([]target, error) {
	var all []target
	for i := range t.Columns {
		c := &t.Columns[i]
		x := target{column: c}
		for j := range c.Layers {
			if c.Filling || c.Layers[j].State == catalog.Filling {
				x.layers = append(x.layers, c.Layers[j].Capability)
			}
		}
		if c.Filling {
			if x.given = given[c.ID]; x.given == nil {
				x.given = append([]byte{}, c.Default.Canonical...)
			}
		} else if len(x.layers) == 0 {
			continue
		}
		var err error
		if x.crypt, err = ring.Column(c); err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// stored are the names of the columns that the target fills, in the order of cells.
func (x *target) stored() []string {
	var names []string
	if x.column.Filling {
		names = append(names, x.column.Name)
	}
	for _, l := range x.layers {
		names = append(names, x.column.Layer(l).Stored)
	}
	return names
}

// lacks is the condition of a row that lacks something.
func (x *target) lacks() string {
	if x.column.Filling {
		return quoteName(x.column.Name) + " IS NULL"
	}
	text := "(" + quoteName(x.column.Name) + " IS NOT NULL AND ("
	for i, name := range x.stored() {
		if i > 0 {
			text += " OR "
		}
		text += quoteName(name) + " IS NULL"
	}
	return text + "))"
}

// cells are what the columns of stored are to have in a row, nil for NULL. sealed is
// the sealed form that the row has, nil if it has none. The second result is the
// same, if the row has a sealed form already.
func (x *target) cells(sealed []byte) ([][]byte, error) {
	var cells [][]byte
	value := x.given
	switch {
	case sealed != nil:
		var err error
		if value, err = x.crypt.AppendOpened(nil, sealed); err != nil {
			return nil, fmt.Errorf("%w: column %s: %w", ErrForeign, x.column.ID, err)
		}
		defer clear(value)
	case !x.column.Filling:
		return make([][]byte, len(x.layers)), nil // NULL is NULL in every form
	default:
		var err error
		if sealed, err = x.crypt.AppendSealed(nil, value); err != nil {
			return nil, fmt.Errorf("column %s: %w", x.column.ID, err)
		}
	}
	if x.column.Filling {
		cells = append(cells, sealed)
	}
	for _, l := range x.layers {
		token, err := x.crypt.AppendToken(nil, l, value)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", x.column.ID, err)
		}
		cells = append(cells, token)
	}
	return cells, nil
}

// check looks whether a row has what it is to have.
func (x *target) check(sealed []byte, have [][]byte) error {
	if x.column.Filling && sealed == nil {
		return fmt.Errorf("%w: column %s", ErrUnfilled, x.column.ID)
	}
	want, err := x.cells(sealed)
	if err != nil {
		return err
	}
	for i := range want {
		if !bytes.Equal(want[i], have[i]) || (want[i] == nil) != (have[i] == nil) {
			return fmt.Errorf("%w: column %s", ErrUnfilled, x.column.ID)
		}
	}
	return nil
}
