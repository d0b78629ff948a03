package exec

import (
	"bytes"
	"errors"

	"tunic/internal/arena"
	"tunic/internal/policy"
)

// errOtherValue is a row that the server has found by a token, and whose value is not the one that the
// token stands for.
var errOtherValue = errors.New("a token is not that of its row's value")

// seek is a condition that says which values a column of all rows has, and that the server
// decides by tokens: see recipe.Slot.Sought.
type seek struct {
	column int
	layer  policy.Capabilities
}

// takeSeeks finds the conditions, and the columns of the rows that they are of.
func (st *boundStatement) takeSeeks() {
	known := map[int]int{}
	for i := range st.run.Slots {
		s := &st.run.Slots[i]
		if s.Sought == 0 || st.columns[s.Column].succeeds != nil {
			continue
		}
		n, there := known[s.Sought]
		if !there {
			n = len(st.seeks)
			known[s.Sought] = n
			st.seeks = append(st.seeks, seek{s.Column, s.Layer})
		}
		st.slots[i].seek = n + 1
	}
	if len(st.seeks) == 0 {
		return
	}
	st.seekAt = make([][]int, len(st.run.Fetch))
	for at, f := range st.run.Fetch {
		for n := range st.seeks {
			if f.Opened && f.Column == st.seeks[n].column {
				st.seekAt[at] = append(st.seekAt[at], n)
			}
		}
	}
}

// sought are the values that rows are found by. They stay with the session until it executes
// another statement.
type sought struct {
	of     *boundStatement
	values []soughtValues // by the number of the seek
	token  []byte
}

// soughtValues are those of one condition: the first as it is, and all of them if there are
// several.
type soughtValues struct {
	n                  int
	exact              bool // canonical is the first value, and not only near it
	canonical, token   []byte
	canonicals, tokens arena.Keys
}

// begin prepares for an execution.
func (q *sought) begin(st *boundStatement) {
	q.of = st
	for len(q.values) < len(st.seeks) {
		q.values = append(q.values, soughtValues{})
	}
	for i := range q.values[:len(st.seeks)] {
		q.values[i].clear()
	}
}

func (v *soughtValues) clear() {
	if v.n > 1 {
		v.canonicals.Clear()
		v.tokens.Clear()
	}
	v.n, v.canonical, v.token = 0, arena.Bounded(v.canonical, 1)[:0], arena.Bounded(v.token, 1)[:0]
}

// forgetSought says that the rows that come are not those of the values that were sent last.
func (b *binder) forgetSought() { b.sought.of = nil }

// note keeps a value that is sent, and its token.
func (q *sought) note(st *boundStatement, n int, v *bound, token []byte) {
	if q.of != st {
		return
	}
	to := &q.values[n]
	if to.n++; to.n == 1 {
		to.exact = v.reach == within
		to.canonical, to.token = append(to.canonical[:0], v.canonical...), append(to.token[:0], token...)
		return
	}
	if to.n == 2 {
		to.keep(to.exact, to.canonical, to.token)
	}
	to.keep(v.reach == within, v.canonical, token)
}

func (v *soughtValues) keep(exact bool, canonical, token []byte) {
	if exact {
		v.canonicals.Add(canonical)
	}
	v.tokens.Add(token)
}

// check looks whether an opened value, or NULL, is one that the row was found by. Values that are
// not the same bytes are compared as the column compares them: by what their tokens are.
func (q *sought) check(st *boundStatement, at int, opened []byte, null bool) error {
	if st.seekAt == nil || q.of != st { // another statement: rows of a cursor, behind one
		return nil
	}
	return q.compare(st, at, opened, null)
}

func (q *sought) compare(st *boundStatement, at int, opened []byte, null bool) error {
	for _, n := range st.seekAt[at] {
		v, s := &q.values[n], st.seeks[n]
		if v.n == 0 || !null && v.has(opened) {
			continue
		}
		if null {
			return errOtherValue
		}
		var err error
		if q.token, err = st.columns[s.column].forms.AppendToken(q.token[:0], s.layer, opened); err != nil || !v.hasToken(q.token) {
			return errOtherValue
		}
	}
	return nil
}

func (v *soughtValues) has(canonical []byte) bool {
	if v.n == 1 {
		return v.exact && bytes.Equal(v.canonical, canonical)
	}
	return v.canonicals.Number(canonical) >= 0
}

func (v *soughtValues) hasToken(token []byte) bool {
	if v.n == 1 {
		return bytes.Equal(v.token, token)
	}
	return v.tokens.Number(token) >= 0
}
