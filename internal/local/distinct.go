package local

import (
	"encoding/binary"
	"slices"
	"sync"

	"tunic/internal/arena"
	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/document"
)

// distinct compiles DISTINCT, of rows of items.
func (c *compiler) distinct() error {
	types := make([]*value.Type, len(c.Items))
	for i := range c.Items {
		types[i] = c.Items[i].Typ
		stored := types[i].Kind == value.JSON && c.Items[i].Expression == nil // what is made may have values of SQL's types in it
		if !value.Ordered(types[i]) && !stored {
			return sqlerr.ExpressionRefused("DISTINCT", types[i].Kind.String())
		}
	}
	c.phases = append(c.phases, func(x *Execution, next Sink) (Sink, error) {
		return newDistinct(x, types, next), nil
	})
	return nil
}

// distinct drops rows that are equal to one before.
type distinct struct {
	types   []*value.Type
	next    Sink
	account *budget.Account
	dates   partDates
	// documents says that a column is of documents.
	documents bool
	*distinctMemory
}

// distinctMemory is the memory of a distinct, which another one has after it.
type distinctMemory struct {
	key   []byte
	known arena.Keys
	exact arena.Keys // of documents as they are written
}

// distinctMemories are those that nobody has.
var distinctMemories = sync.Pool{New: func() any { return new(distinctMemory) }}

func (d *distinctMemory) giveBack() {
	d.key = arena.Bounded(d.key, 1)
	d.known.Clear()
	d.exact.Clear()
	distinctMemories.Put(d)
}

func newDistinct(x *Execution, types []*value.Type, next Sink) *distinct {
	return &distinct{
		types: types, next: next, account: &x.Account, dates: partDatesOf(x.Inputs.Env, types),
		documents:      slices.ContainsFunc(types, func(t *value.Type) bool { return t.Kind == value.JSON }),
		distinctMemory: borrow[*distinctMemory](x, &distinctMemories),
	}
}

func (d *distinct) Row(r eval.Row) error {
	if err := d.dates.allow(r); err != nil {
		return err
	}
	if d.documents {
		return d.rowOfDocuments(r)
	}
	d.key = d.key[:0]
	for i, v := range r {
		d.key = AppendKey(d.key, d.types[i], v)
	}
	if _, added := d.known.Add(d.key); !added {
		return nil
	}
	if err := d.account.Keep(len(d.key) + arena.KeyBytes); err != nil {
		return err
	}
	return d.next.Row(r)
}

func (d *distinct) End() error { return d.next.End() }

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
	_, first := d.known.Add(key[:exact])
	_, other := d.exact.Add(key)
	switch {
	case !first && other:
		return sqlerr.ValueRefused("DISTINCT of documents whose numbers are written in two ways")
	case !first:
		return nil
	}
	if err := d.account.Keep(exact + len(key) + 2*arena.KeyBytes); err != nil {
		return err
	}
	return d.next.Row(r)
}

// appendAlike appends the key of a row in which documents that may be equal are so.
func (d *distinct) appendAlike(key []byte, r eval.Row) ([]byte, error) {
	for i, v := range r {
		if d.types[i].Kind != value.JSON || v == nil {
			key = AppendKey(key, d.types[i], v)
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
