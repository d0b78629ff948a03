package layers

import (
	"bytes"
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
)

// record is what rows are to get of a family that is being filled: one form of the values that its members copy.
type record struct {
	of     string // what errors call it
	makes  *crypt.Family
	copies []copied // in the order of the family's layout
	values [][]byte // of the row at hand, nil for NULL
	room   []byte   // that they are in
	opened []byte   // what a form was opened to
	longer []byte   // values of it that are longer than what it has of them
}

// copied is where a member of the family has its values from.
type copied struct {
	from *source
	at   int
}

// record is what rows are to get of a family that is being filled.
func (s *sources) record(f *catalog.Family) (r *record, err error) {
	r = &record{of: "family " + f.ID.String()}
	if r.makes, err = s.ring.Family(s.table, f); err != nil {
		return nil, err
	}
	for _, id := range r.makes.Columns() {
		c := s.memberOf(f, id)
		if c == nil {
			return nil, crypt.ErrLayout
		}
		var one copied
		if one.from, one.at, err = s.of(&s.table.Columns[s.table.Column(c.Shadows)]); err != nil {
			return nil, err
		}
		r.copies = append(r.copies, one)
	}
	return r, nil
}

// memberOf finds a member of a family, nil if it has none of this ID.
func (s *sources) memberOf(f *catalog.Family, id catalog.ID) *catalog.Column {
	for _, i := range s.table.Members(f) {
		if c := &s.table.Columns[i]; c.ID == id && c.Shadows != "" {
			return c
		}
	}
	return nil
}

// take takes the values of the row that was opened.
func (r *record) take() error {
	r.values, r.room = r.values[:0], append(r.room[:0], 0) // one byte: what is empty is not nil
	for _, c := range r.copies {
		value, err := c.from.value(c.at)
		if err != nil {
			return err
		}
		if value == nil {
			r.values = append(r.values, nil)
			continue
		}
		from := len(r.room)
		r.room = append(r.room, value...)
		r.values = append(r.values, r.room[from:len(r.room):len(r.room)])
	}
	return nil
}

// form is what the row that was opened gets.
func (r *record) form() ([]byte, error) {
	if err := r.take(); err != nil {
		return nil, err
	}
	sealed, err := r.makes.AppendSealed(nil, r.values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.of, err)
	}
	return sealed, nil
}

// check looks whether the row that was opened has a form of its values.
func (r *record) check(have []byte) error {
	if err := r.take(); err != nil {
		return err
	}
	opened, is, err := r.makes.AppendOpened(r.opened[:0], have)
	r.opened = opened[:0]
	if err != nil {
		return r.unfilled()
	}
	for at, want := range r.values {
		got, longer, ok := is.Value(r.longer[:0], at)
		if r.longer = longer[:0]; !ok || !bytes.Equal(got, want) || (got == nil) != (want == nil) {
			return r.unfilled()
		}
	}
	return nil
}

func (r *record) unfilled() error { return fmt.Errorf("%w: %s", ErrForeignWrite, r.of) }
