package binding

import (
	"bytes"

	"tunic/internal/arena"
	"tunic/internal/policy"
)

// OtherValueError is of a row with a token, by which the server has found it or that is in its key, and whose value is
// not the one that the token stands for.
type OtherValueError struct{ Column *Column }

// Error does not say which value.
func (e *OtherValueError) Error() string { return "a token is not that of its row's value" }

// seek is a condition that says which values a column of all rows has, and that the server
// decides by tokens: see recipe.Slot.Sought.
type seek struct {
	column int
	layer  policy.Capabilities
}

// takeSeeks finds the conditions, and the columns of the rows that they are of.
func (st *Statement) takeSeeks() {
	known := map[int]int{}
	for i := range st.Run.Slots {
		s := &st.Run.Slots[i]
		if s.Sought == 0 || st.Columns[s.Column].succeeds != nil {
			continue
		}
		n, there := known[s.Sought]
		if !there {
			n = len(st.seeks)
			known[s.Sought] = n
			st.seeks = append(st.seeks, seek{s.Column, s.Layer})
		}
		st.Slots[i].seek = n + 1
	}
	st.takeComparisons()
	if len(st.seeks) == 0 {
		return
	}
	st.seekAt = make([][]int, len(st.Run.Fetch))
	for at, f := range st.Run.Fetch {
		for n := range st.seeks {
			if f.Opened && !st.Run.Cells[f.Cell].Record && f.Column == st.seeks[n].column {
				st.seekAt[at] = append(st.seekAt[at], n)
			}
		}
	}
}

// Sought are the values that rows are found by. They stay with the session until it executes
// another statement.
type Sought struct {
	of     *Statement
	values []soughtValues // by the number of the seek
	token  []byte
	longer []byte // a value that is longer than what a record has of it
	// computed are tokens of values that were opened, by the number of the comparison, of a statement: rows that
	// come one after the other often have parts of a key in common.
	computed   []computedTokens
	computedOf *Statement
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
func (q *Sought) begin(st *Statement) {
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

// ForgetSought says that the rows that come are not those of the values that were sent last.
func (b *Binder) ForgetSought() { b.Sought.of = nil }

// note keeps a value that is sent, and its token.
func (q *Sought) note(st *Statement, n int, v *Bound, token []byte) {
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

// Check looks whether an opened value, or NULL, is one that the row was found by; one of a family Compare looks at. Values
// that are not the same bytes are compared as the column compares them: by what their tokens are.
func (q *Sought) Check(st *Statement, at int, opened []byte, null bool) error {
	if st.seekAt == nil || q.of != st { // another statement: rows of a cursor, behind one
		return nil
	}
	return q.compare(st, at, opened, null)
}

func (q *Sought) compare(st *Statement, at int, opened []byte, null bool) error {
	for _, n := range st.seekAt[at] {
		if err := q.one(st, n, opened, null); err != nil {
			return err
		}
	}
	return nil
}

// one is Check for one condition.
func (q *Sought) one(st *Statement, n int, opened []byte, null bool) error {
	v, s := &q.values[n], st.seeks[n]
	if v.n == 0 || !null && v.has(opened) {
		return nil
	}
	c := st.Columns[s.column]
	if null {
		return &OtherValueError{c}
	}
	var err error
	if q.token, err = c.Forms.AppendToken(q.token[:0], s.layer, opened); err != nil || !v.hasToken(q.token) {
		return &OtherValueError{c}
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
