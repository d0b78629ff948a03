package exec

import (
	"errors"

	"tunic/internal/description"
	"tunic/internal/dialogue"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
)

// recallingEither is recalling for a statement whose rows may come apart: by the alternative for that, if a join has had many rows.
// What it refuses has sent the client nothing, and the server joins the rows.
func (s *Session) recallingEither(st *Statement, d *description.Description, a *asked) error {
	other := st.alternatives[recipe.Apart]
	if other == nil || s.namesOnce() {
		return s.recalling(st, d, a)
	}
	apart := *a
	if apart.rowsMost = st.apart.Most(); apart.rowsMost == 0 {
		return s.recalling(st, d, a)
	}
	err := s.recalling(other, d, &apart)
	if refusal, ok := errors.AsType[*sqlerr.Error](err); err != dialogue.ErrPacket && (!ok || refusal.Code == 0) { //nolint:errorlint // it is never wrapped
		return err
	}
	st.apart.Refused()
	s.binder.Notices.Begin(s.env.NoticesMax)
	return s.recalling(st, d, a)
}

// boundApart bounds the rows of a choice that come apart.
func (c *choice) boundApart(most int64) {
	if most > 0 && most < c.Account.Budget.Rows {
		bounded := *c.Account.Budget
		bounded.Rows = most
		c.Account.Budget = &bounded
	}
}

// noteJoined notes how many rows the server has joined for a statement whose rows could come apart.
func (st *Statement) noteJoined(c *choice) {
	if st.alternatives[recipe.Apart] != nil {
		st.apart.Joined(c.Account.Rows)
	}
}
