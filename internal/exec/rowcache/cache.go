package rowcache

import (
	"encoding/binary"
	"sync"
	"sync/atomic"

	"github.com/coocood/freecache"

	"tunic/internal/catalog"
)

// Cache has forms by their keys: see AppendKey. Where there is no room, forms go that have not been used for long. The zero value keeps
// nothing. It is safe for concurrent use.
type Cache struct {
	// Bytes is the memory that it may take; 0 for none. It takes it when there is the first form to keep, and some megabytes at least.
	Bytes int

	made  sync.Once
	forms atomic.Pointer[freecache.Cache]
	// wanted has how many more rows that are queried it is to get of a table, by the first byte of its ID.
	wanted [256]atomic.Int32
}

// Keeps reports whether it keeps anything.
func (c *Cache) Keeps() bool { return c != nil && c.Bytes > 0 }

// AppendKey appends the key of a form: that of its row, and the number of its column in the revision of a table.
func AppendKey(dst []byte, t *catalog.Table, column int, row []byte) []byte {
	dst = append(dst, t.ID[:]...)
	dst = binary.BigEndian.AppendUint64(dst, t.Revision)
	dst = binary.BigEndian.AppendUint32(dst, uint32(column))
	return append(dst, row...)
}

// The byte before a form.
const (
	isForm = iota
	isNull
)

// AppendForm appends a form as it is kept.
func AppendForm(dst, form []byte, null bool) []byte {
	if null {
		return append(dst, isNull)
	}
	return append(append(dst, isForm), form...)
}

// Form is what AppendForm has appended.
func Form(kept []byte) (form []byte, null bool) { return kept[1:], kept[0] == isNull }

// Find appends a form as it is kept; false if it is not.
func (c *Cache) Find(dst, key []byte) (_ []byte, ok bool) {
	forms := c.forms.Load()
	if forms == nil {
		return dst, false
	}
	err := forms.GetFn(key, func(kept []byte) error {
		dst = append(dst, kept...)
		return nil
	})
	return dst, err == nil
}

// Has reports whether there is a form.
func (c *Cache) Has(key []byte) bool {
	forms := c.forms.Load()
	return forms != nil && forms.PeekFn(key, func([]byte) error { return nil }) == nil
}

// indexShare is the part of the memory that is left to the index, which freecache does not count: a third. Forms of single numbers need
// some more for it, longer ones less.
const indexShare = 3

// Put keeps what AppendForm has appended. A form that is too long is not kept.
func (c *Cache) Put(key, form []byte) {
	c.made.Do(func() { c.forms.Store(freecache.NewCache(c.Bytes / indexShare * (indexShare - 1))) })
	if forms := c.forms.Load(); forms.Set(key, form, 0) != nil {
		forms.Del(key)
	}
}

// After a row was written that was not known, the next rows that are queried of its table are kept, so that they are known where rows are
// read and then written. Of a table that is only read nothing is kept.
const (
	wantedOfMiss = 8
	wantedMost   = 1024
)

// Misses says that a row was not known that is written.
func (c *Cache) Misses(t *catalog.Table) {
	if !c.Keeps() {
		return
	}
	if wanted := &c.wanted[t.ID[0]]; wanted.Load() < wantedMost {
		wanted.Add(wantedOfMiss)
	}
}

// Wants reports whether a row that is queried by its key is to be kept.
func (c *Cache) Wants(t *catalog.Table) bool {
	if !c.Keeps() {
		return false
	}
	wanted := &c.wanted[t.ID[0]]
	return wanted.Load() > 0 && wanted.Add(-1) >= 0 // others may take the last of them meanwhile
}
