package main

import (
	"context"
	"errors"
	"testing"

	"github.com/magiconair/properties"
	"github.com/pingcap/go-ycsb/pkg/prop"
	"github.com/pingcap/go-ycsb/pkg/ycsb"
)

// emptyDB has no records, and may break off what is inserted.
type emptyDB struct {
	ycsb.DB
	inserts error
}

func (emptyDB) Read(context.Context, string, string, []string) (map[string][]byte, error) {
	return nil, nil
}

func (emptyDB) Scan(context.Context, string, string, int, []string) ([]map[string][]byte, error) {
	return nil, nil
}

func (d emptyDB) Insert(context.Context, string, string, map[string][]byte) error { return d.inserts }

// A record that is there and is not found is an error, by its key and by a scan.
func TestNothingFound(t *testing.T) {
	p := properties.NewProperties()
	set(p, prop.RecordCount, "100")
	s := statements{emptyDB{inserts: errors.New("a deadlock")}, new(meter), newFound(p)}
	if _, err := s.Read(t.Context(), "t", keyOf(7), nil); !errors.Is(err, errNothing) {
		t.Errorf("a read that has found nothing: %v", err)
	}
	if _, err := s.Scan(t.Context(), "t", keyOf(7), 10, nil); !errors.Is(err, errNothing) {
		t.Errorf("a scan that has found nothing: %v", err)
	}
	if _, err := s.Scan(t.Context(), "t", s.highest+"0", 10, nil); err != nil {
		t.Errorf("a scan from behind the last key: %v", err)
	}
	if err := s.Insert(t.Context(), "t", keyOf(100), nil); err == nil {
		t.Error("an insert that was broken off is none")
	}
	if _, err := s.Read(t.Context(), "t", keyOf(100), nil); err != nil {
		t.Errorf("a read of what was never inserted: %v", err)
	}
}

// What was found is handed on.
func TestFound(t *testing.T) {
	f := new(found)
	row := map[string][]byte{"FIELD0": nil}
	if err := errors.Join(f.record("user1", row), f.records("", 1, []map[string][]byte{row})); err != nil {
		t.Error(err)
	}
}
