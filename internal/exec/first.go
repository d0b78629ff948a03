package exec

import (
	"bytes"
	"errors"
	"slices"
	"sync/atomic"

	"tunic/internal/arena"
	"tunic/internal/budget"
	"tunic/internal/description"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// A query with a recipe.First is carried out by asking for the first rows of its stored
// statement, and for more where those do not tell which rows the client is to get
// (docs/decisions/0039). What comes out of an answer is held until it is known to be enough.

// errTooFew says that there were not enough rows in a part of an answer.
var errTooFew = errors.New("too few rows")

// errTooMuch says that rows of a part do not fit into the budget twice; they may fit once.
var errTooMuch = errors.New("too much to be held")

// errNotCertain says that rows do not belong to the answer of which the server has said that
// they do for certain. To ask for more would tell it so.
var errNotCertain = errors.New("rows that are not what their tokens say")

// Of a client that wants wantedMost rows or less, OFFSET included, at most portionMost rows
// are asked for before all are.
const (
	wantedMost  = 10_000
	portionMost = 1 << 15
	// portionSpare are rows for those that share their tokens with others, and portionSteps
	// what each further statement asks for more: 1 << portionSteps times as many rows.
	portionSpare = 8
	portionSteps = 2
	// levels are the numbers of rows that are tried; the last one is all.
	levels = 7
	// allAgain is how many executions ask for all rows at once, at most, after one that had to: it
	// is one, and twice as many each time that first rows are tried and are not enough again.
	allAgain = 128
)

// portionOf is how many rows are asked for at a level, for a client that wants so many.
func portionOf(wanted uint64, level int) uint64 {
	return (wanted + wanted/8 + portionSpare) << (portionSteps * level)
}

// firstLevel is the level that the last execution of a statement has come to: the next one
// begins with it. Executions of one text differ in their values, so that one has to ask for all
// rows says little of the next one.
type firstLevel struct{ level, since, patience atomic.Int32 }

// begin is the level to begin with, for a client that wants so many rows.
func (f *firstLevel) begin(wanted uint64) int {
	level := int(f.level.Load())
	if level == levels-1 {
		if f.since.Add(1) <= f.patience.Load() {
			return level
		}
		f.since.Store(0)
		return 0
	}
	for level > 0 && portionOf(wanted, level) > portionMost {
		level--
	}
	return level
}

// neededAll notes that no level was enough.
func (f *firstLevel) neededAll() {
	f.patience.Store(min(max(2*f.patience.Load(), 1), allAgain))
	f.since.Store(0)
	f.level.Store(levels - 1)
}

// took notes that so many rows were enough.
func (f *firstLevel) took(wanted, rows uint64) {
	level := 0
	for level < levels-2 && portionOf(wanted, level) < rows {
		level++
	}
	if f.level.Load() != int32(level) { // most executions leave it alone
		f.level.Store(int32(level))
	}
	if f.patience.Load() != 0 {
		f.patience.Store(0)
	}
}

// askFirst has a statement that is explained ask for as many rows as its execution begins with.
func (s *Session) askFirst(st *Statement) {
	if st.Run.First == nil {
		return
	}
	if _, wanted, ok := s.rowsWanted(st); ok {
		s.binder.Most = portionOf(wanted, 0)
	}
}

// rowsWanted is how many rows the client's LIMIT skips, and how many rows have to be known;
// false if asking for the first ones is not for it.
func (s *Session) rowsWanted(st *Statement) (skip, wanted uint64, ok bool) {
	at := slices.IndexFunc(st.Run.Local, func(of recipe.Step) bool { _, ok := of.(*recipe.Limit); return ok })
	if at < 0 {
		return 0, 0, false
	}
	of := st.Run.Local[at].(*recipe.Limit).Of //nolint:forcetypeassert // it is one
	skip, skips := s.binder.NumberOf(of.Offset)
	left, stops := s.binder.NumberOf(of.Rowcount)
	if !skips || !stops || skip > wantedMost || left > wantedMost || skip+left > wantedMost {
		return 0, 0, false
	}
	return skip, skip + left, true
}

// finishFirst is finish by asking for first rows; false if all rows have to be asked for.
func (s *Session) finishFirst(st *Statement, d *description.Description, a *asked) (done bool, err error) {
	b, p := s.binder, &s.portion
	skip, wanted, ok := s.rowsWanted(st)
	if !ok {
		return false, nil
	}
	level := st.first.begin(wanted)
	if level == levels-1 { // it is not tried, so that says nothing of what is needed
		b.Most = 0
		return false, nil
	}
	defer p.letGo()
	for ; level < levels-1; level++ {
		if b.Most = portionOf(wanted, level); b.Most > portionMost {
			break
		}
		p.begin(st.Run.First, b.Most, skip, wanted)
		err := s.finishRows(st, d, a, p)
		if err == errTooMuch { //nolint:errorlint // it is never wrapped
			b.Most = 0
			return false, nil // all rows are as much at least: nothing is learnt for the next execution
		}
		if err != errTooFew { //nolint:errorlint // it is never wrapped
			if err == nil {
				st.first.took(wanted, p.took)
			}
			return true, err
		}
	}
	b.Most = 0
	st.first.neededAll()
	return false, nil
}

// remote is the stored statement, for all rows or for first ones.
func (st *Statement) remote(all bool) *sql.Printed {
	if first := st.Run.First; all && first != nil && first.All != nil {
		return first.All
	}
	return st.Run.Remote
}

// finishAll is finish for all rows of a prepared query that asks for its first ones: the
// statement for all is prepared for this once, and closed.
func (s *Session) finishAll(st *Statement, d *description.Description, a *asked) error {
	f := a.prepared.all
	f.ShareAll(&a.prepared.Execution)
	s.executes(f)
	if err := s.prepareToExecute(f, f.command); err != nil {
		return err
	}
	all := asked{prepared: f, execute: a.execute}
	all.execute.Statement = s.dialogue.Response.Prepared.ID
	defer s.dialogue.CloseStatement(all.execute.Statement)
	return s.finishRows(st, d, &all, nil)
}

// notCertain is the error for tokens that are not those of their rows' values.
func (s *Session) notCertain(st *Statement) error {
	at := slices.IndexFunc(st.Run.Slots, func(s recipe.Slot) bool { return s.Form == recipe.Most })
	name := st.Columns[st.Run.Slots[at].Column].Full()
	s.engine.alarm(name, errNotCertain)
	return sqlerr.NotAuthentic(name)
}

// portion is what is known of an answer that may have a part of the rows only.
type portion struct {
	of                 *recipe.First
	most, skip, wanted uint64
	// rows have come; certain are those that belong to the answer and that no row that has not
	// come is before; tied are those of them that share their token with the last one.
	rows, certain, tied uint64
	token               []byte
	null                bool   // the token is
	enough              bool   // rows have come to know the answer
	took                uint64 // rows until then
	full                bool   // the steps want no more rows
	// what has come out of the steps, for next
	kept    arena.Rows
	held    []eval.Row
	account *budget.Account
	next    local.Sink
}

func (p *portion) begin(of *recipe.First, most, skip, wanted uint64) {
	p.letGo()
	*p = portion{of: of, most: most, skip: skip, wanted: wanted, token: p.token[:0], kept: p.kept, held: p.held}
}

// letGo empties it; its memory stays.
func (p *portion) letGo() {
	clear(p.held)
	p.kept.Reset()
	p.held, p.account, p.next = arena.Bounded(p.held, arena.ValueBytes)[:0], nil, nil
}

// before is a last sink with the part before it.
func (p *portion) before(last func(*choice, *local.Program) (local.Sink, error)) func(*choice, *local.Program) (local.Sink, error) {
	return func(c *choice, made *local.Program) (local.Sink, error) {
		var err error
		p.next, err = last(c, made)
		p.account = &c.Account
		return (*portionHolder)(p), err
	}
}

// portionHolder takes what comes out of the steps.
type portionHolder portion

// Row implements taker.
func (h *portionHolder) Row(r eval.Row) error {
	if err := h.account.Keep(arena.RowBytes(r)); err != nil {
		return errTooMuch
	}
	h.held = append(h.held, h.kept.Keep(r))
	return nil
}

// End implements taker.
func (h *portionHolder) End() error { return nil }

// takePortion is takeRow for a part of an answer. That rows are enough is told by their tokens,
// and by nothing that comes out of the steps.
func (s *Session) takePortion(st *Statement, c *choice, payload []byte) error {
	types, err := s.decodeRow(st, payload)
	if err != nil {
		return err
	}
	p := c.portion
	if !p.takes(s.rows.Cells, s.rows.Binary) || p.full {
		return nil
	}
	row, err := s.openRow(st, types)
	if err == nil {
		err = c.Row(row)
	}
	if err == local.ErrEnough { //nolint:errorlint // it is never wrapped
		p.full = true
		return nil
	}
	return err
}

// takes counts a row, and reports whether it is one of those that it takes.
func (p *portion) takes(cells []wire.Cell, binary bool) bool {
	if p.enough {
		return false
	}
	p.rows++
	certain := p.of.Certain < 0 || isTrue(&cells[p.of.Certain], binary)
	if p.of.Token < 0 {
		if certain {
			p.certain++
		}
		p.decide()
		return true
	}
	if c := &cells[p.of.Token]; p.rows == 1 || c.Null != p.null || !bytes.Equal(c.Bytes, p.token) {
		p.certain, p.tied = p.certain+p.tied, 0
		p.token, p.null = append(p.token[:0], c.Bytes...), c.Null
		if p.decide(); p.enough {
			return false
		}
	}
	if certain {
		p.tied++
	}
	return true
}

func (p *portion) decide() {
	if p.certain >= p.wanted {
		p.enough, p.took = true, p.rows
	}
}

// isTrue reads a condition that the server has computed.
func isTrue(c *wire.Cell, binary bool) bool {
	if binary {
		return !c.Null && slices.ContainsFunc(c.Bytes, func(b byte) bool { return b != 0 })
	}
	return !c.Null && len(c.Bytes) == 1 && c.Bytes[0] == '1'
}

// end ends the rows of a part. Without all that it was asked for, it has all rows.
func (p *portion) end(first local.Sink) error {
	whole := p.rows < p.most && !p.enough
	switch {
	case whole:
		p.took = p.rows + 1
	case !p.enough:
		return errTooFew
	}
	if !p.full {
		if err := first.End(); err != nil && err != local.ErrEnough { //nolint:errorlint // it is never wrapped
			return err
		}
	}
	if !whole && uint64(len(p.held)) < p.wanted-p.skip {
		return errNotCertain
	}
	return nil
}

// pass hands over what was held.
func (p *portion) pass() error {
	for _, r := range p.held {
		if err := p.next.Row(r); err != nil {
			return err
		}
	}
	return p.next.End()
}
