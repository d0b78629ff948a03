package first

import (
	"bytes"
	"slices"

	"tunic/internal/arena"
	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/wire"
)

// Portion is what is known of an answer that may have a part of the rows only.
type Portion struct {
	of                 *recipe.First
	most, skip, wanted uint64
	// rows have come; certain are those that belong to the answer and that no row that has not
	// come is before; tied are those of them that share their token with the last one.
	rows, certain, tied uint64
	token               []byte
	null                bool   // the token is
	enough              bool   // rows have come to know the answer
	Took                uint64 // rows until then
	Full                bool   // the steps want no more rows
	// what has come out of the steps, for next
	kept    arena.Rows
	held    []eval.Row
	account *budget.Account
	next    local.Sink
}

// Begin begins with an answer of at most so many rows, of which the client skips some and has to know so many.
func (p *Portion) Begin(of *recipe.First, most, skip, wanted uint64) {
	p.LetGo()
	*p = Portion{of: of, most: most, skip: skip, wanted: wanted, token: p.token[:0], kept: p.kept, held: p.held}
}

// LetGo empties it; its memory stays.
func (p *Portion) LetGo() {
	clear(p.held)
	p.kept.Reset()
	p.held, p.account, p.next = arena.Bounded(p.held, arena.ValueBytes)[:0], nil, nil
}

// Holds is a last sink that holds what comes out of the steps for the next one, within the account.
func (p *Portion) Holds(next local.Sink, account *budget.Account) local.Sink {
	p.next, p.account = next, account
	return (*holder)(p)
}

// holder takes what comes out of the steps.
type holder Portion

// Row implements taker.
func (h *holder) Row(r eval.Row) error {
	if err := h.account.Keep(arena.RowBytes(r)); err != nil {
		return ErrTooMuch
	}
	h.held = append(h.held, h.kept.Keep(r))
	return nil
}

// End implements taker.
func (h *holder) End() error { return nil }

// Takes counts a row, and reports whether it is one of those that it takes.
func (p *Portion) Takes(cells []wire.Cell, binary bool) bool {
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

func (p *Portion) decide() {
	if p.certain >= p.wanted {
		p.enough, p.Took = true, p.rows
	}
}

// isTrue reads a condition that the server has computed.
func isTrue(c *wire.Cell, binary bool) bool {
	if binary {
		return !c.Null && slices.ContainsFunc(c.Bytes, func(b byte) bool { return b != 0 })
	}
	return !c.Null && len(c.Bytes) == 1 && c.Bytes[0] == '1'
}

// End ends the rows of a part. Without all that it was asked for, it has all rows.
func (p *Portion) End(first local.Sink) error {
	whole := p.rows < p.most && !p.enough
	switch {
	case whole:
		p.Took = p.rows + 1
	case !p.enough:
		return ErrTooFew
	}
	if !p.Full {
		if err := first.End(); err != nil && err != local.ErrEnough { //nolint:errorlint // it is never wrapped
			return err
		}
	}
	if !whole && uint64(len(p.held)) < p.wanted-p.skip {
		return ErrNotCertain
	}
	return nil
}

// Pass hands over what was held.
func (p *Portion) Pass() error {
	for _, r := range p.held {
		if err := p.next.Row(r); err != nil {
			return err
		}
	}
	return p.next.End()
}
