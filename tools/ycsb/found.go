package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/magiconair/properties"
	"github.com/pingcap/go-ycsb/pkg/prop"
	"github.com/pingcap/go-ycsb/pkg/util"
)

// errNothing is of a statement whose record is there, and that has not found it. go-ycsb's
// driver answers it with neither a record nor an error.
var errNothing = errors.New("nothing was found")

// found judges what statements have found by the keys that there are.
type found struct {
	highest string   // of the keys that were there from the first
	lost    sync.Map // keys whose insert the server has broken off
}

// newFound knows the keys that a load has made, as the core workload names them by default.
func newFound(p *properties.Properties) *found {
	f := new(found)
	for n := range p.GetInt64(prop.RecordCount, 0) {
		f.highest = max(f.highest, keyOf(n))
	}
	return f
}

func keyOf(n int64) string { return fmt.Sprintf("%s%d", prop.KeyPrefixDefault, util.Hash64(n)) }

// record judges a read: a workload asks for what is there, or for what it has inserted
// itself.
func (f *found) record(key string, values map[string][]byte) error {
	if _, lost := f.lost.Load(key); lost || len(values) > 0 {
		return nil
	}
	return fmt.Errorf("read %s: %w", key, errNothing)
}

// records judges a scan. It may begin at a key that is still to be inserted, and behind all
// that are there; as for the rest, there is a record at least.
func (f *found) records(from string, count int, rows []map[string][]byte) error {
	if len(rows) > 0 || count == 0 || from > f.highest {
		return nil
	}
	return fmt.Errorf("scan from %s: %w", from, errNothing)
}

// absent keeps in mind that a key is not there.
func (f *found) absent(key string) { f.lost.Store(key, true) }

// Read sends a statement.
func (s statements) Read(ctx context.Context, table, key string, fields []string) (map[string][]byte, error) {
	s.sent.Add(1)
	values, err := s.DB.Read(ctx, table, key, fields)
	if err == nil {
		err = s.record(key, values)
	}
	return values, err
}

// Scan sends a statement.
func (s statements) Scan(ctx context.Context, table, from string, count int, fields []string) ([]map[string][]byte, error) {
	s.sent.Add(1)
	rows, err := s.DB.Scan(ctx, table, from, count, fields)
	if err == nil {
		err = s.records(from, count, rows)
	}
	return rows, err
}

// Insert sends a statement.
func (s statements) Insert(ctx context.Context, table, key string, values map[string][]byte) error {
	s.sent.Add(1)
	err := s.DB.Insert(ctx, table, key, values)
	if err != nil {
		s.absent(key)
	}
	return err
}
