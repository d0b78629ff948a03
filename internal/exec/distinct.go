package exec

import (
	"encoding/binary"
	"slices"
	"sync"

	"tunic/internal/eval"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/document"
)

// distinct compiles DISTINCT, of rows of items.
func (c *compiler) distinct() error {
	types := make([]*value.Type, len(c.items))
	for i := range c.items {
		types[i] = c.items[i].typ
		stored := types[i].Kind == value.JSON && c.items[i].expression == nil // what is made may have values of SQL's types in it
		if !value.Ordered(types[i]) && !stored {
			return sqlerr.ExpressionRefused("DISTINCT", types[i].Kind.String())
		}
	}
	c.phases = append(c.phases, func(x *execution, next taker) (taker, error) {
		return newDistinct(x, types, next), nil
	})
	return nil
}

// distinct drops rows that are equal to one before.
type distinct struct {
	types   []*value.Type
	next    taker
	account *account
	dates   partDates
	// documents says that a column is of documents.
	documents bool
	*distinctMemory
}

// distinctMemory is the memory of a distinct, which another one has after it.
type distinctMemory struct {
	key   []byte
	known keySet
	exact keySet // of documents as they are written
}

// distinctMemories are those that nobody has.
var distinctMemories = sync.Pool{New: func() any { return new(distinctMemory) }}

func (d *distinctMemory) giveBack() {
	d.key = bounded(d.key, 1)
	d.known.clear()
	d.exact.clear()
	distinctMemories.Put(d)
}

func newDistinct(x *execution, types []*value.Type, next taker) *distinct {
	return &distinct{
		types: types, next: next, account: &x.account, dates: partDatesOf(x.inputs.Env, types),
		documents:      slices.ContainsFunc(types, func(t *value.Type) bool { return t.Kind == value.JSON }),
		distinctMemory: borrow[*distinctMemory](x, &distinctMemories),
	}
}

func (d *distinct) row(r eval.Row) error {
	if err := d.dates.allow(r); err != nil {
		return err
	}
	if d.documents {
		return d.rowOfDocuments(r)
	}
	d.key = d.key[:0]
	for i, v := range r {
		d.key = appendKey(d.key, d.types[i], v)
	}
	if _, added := d.known.add(d.key); !added {
		return nil
	}
	if err := d.account.keep(len(d.key) + keySetBytes); err != nil {
		return err
	}
	return d.next.row(r)
}

func (d *distinct) end() error { return d.next.end() }

// rowOfDocuments is row where columns are of documents. Documents that are written in one
// way are equal; those that differ in how numbers are written may be, and are refused.
func (d *distinct) rowOfDocuments(r eval.Row) error {
	key, err := d.appendAlike(d.key[:0], r)
	if err != nil {
		return err
	}
	exact := len(key)
	for i, v := range r {
		if d.types[i].Kind == value.JSON {
			key = append(binary.AppendUvarint(key, uint64(len(v))), v...)
		}
	}
	d.key = key
	_, first := d.known.add(key[:exact])
	_, other := d.exact.add(key)
	switch {
	case !first && other:
		return sqlerr.ValueRefused("DISTINCT of documents whose numbers are written in two ways")
	case !first:
		return nil
	}
	if err := d.account.keep(exact + len(key) + 2*keySetBytes); err != nil {
		return err
	}
	return d.next.row(r)
}

// appendAlike appends the key of a row in which documents that may be equal are so.
func (d *distinct) appendAlike(key []byte, r eval.Row) ([]byte, error) {
	for i, v := range r {
		if d.types[i].Kind != value.JSON || v == nil {
			key = appendKey(key, d.types[i], v)
			continue
		}
		doc, ok := document.Parse(v)
		if !ok {
			return key, sqlerr.ValueRefused("DISTINCT of a document")
		}
		text := doc.AppendAlike(nil)
		key = append(binary.AppendUvarint(append(key, 1), uint64(len(text))), text...)
	}
	return key, nil
}
