package local

import (
	"tunic/internal/arena"
	"tunic/internal/eval"
)

// mapEntryBytes is about what a map of rows takes for an entry beside its key.
const mapEntryBytes = 96

// rowIndex finds rows by their keys. What it has no pointers in costs the collector nothing, whatever the number of rows.
//
//	from[n] … from[n+1]   where in rows those are that have key n, in the order in which they came
type rowIndex struct {
	keys arena.Keys
	from []int32
	rows []eval.Row
}

// of are the rows that have a key.
func (x *rowIndex) of(key []byte) []eval.Row {
	n := x.keys.Number(key)
	if n < 0 {
		return nil
	}
	return x.rows[x.from[n]:x.from[n+1]]
}

// indexBytes is what a row takes of an index beside its key.
const indexBytes = arena.ValueBytes + 8

// makeIndex makes the index of the rows by their keys.
func (s *sourceRun) makeIndex() error {
	made := &rowIndex{}
	if err := s.account.Keep(indexBytes * len(s.rows)); err != nil {
		return err
	}
	numbers := make([]int32, len(s.rows)) // of the row's key and 1; 0 for a row without
	for i, r := range s.rows {
		if err := s.x.step(); err != nil {
			return err
		}
		ok, err := s.finder.keyOf(ownSide, s.spread(r))
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		number, added := made.keys.Add(s.finder.key)
		numbers[i] = int32(number) + 1
		if added {
			made.from = append(made.from, 0)
			if err := s.account.Keep(len(s.finder.key) + arena.KeyBytes); err != nil {
				return err
			}
		}
	}
	made.sort(s.rows, numbers)
	s.index = made
	return nil
}

// sort puts rows with one number beside each other.
func (x *rowIndex) sort(rows []eval.Row, numbers []int32) {
	x.from = append(x.from, 0, 0) // one more than keys, and one to count with: the end of key n is counted at n + 2
	for _, n := range numbers {
		if n > 0 {
			x.from[n+1]++
		}
	}
	for n := 1; n < len(x.from); n++ {
		x.from[n] += x.from[n-1]
	}
	x.rows = make([]eval.Row, x.from[len(x.from)-1])
	for i, n := range numbers {
		if n > 0 {
			x.rows[x.from[n]] = rows[i]
			x.from[n]++
		}
	}
}
