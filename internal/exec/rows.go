package exec

import (
	"errors"
	"log/slog"

	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/local"
	"tunic/internal/scheme"
	"tunic/internal/sqlerr"
	"tunic/internal/usage"
	"tunic/internal/wire"
)

// passRow opens a row and writes it.
func (s *Session) passRow(st *Statement, payload []byte) error {
	client := s.link.Client
	out := client.OpenPacket()
	var at int
	var err error
	since := s.link.Clock.Start()
	if s.rows.Binary {
		out, at, err = s.rows.AppendBinaryRow(out, &st.Statement, payload)
	} else {
		out, at, err = s.rows.AppendTextRow(out, &st.Statement, payload)
	}
	s.link.Clock.Stop(usage.Open, since)
	if err != nil {
		client.DropPacket(out)
		return s.failRow(st, at, err)
	}
	client.ClosePacket(out)
	s.rows.Passed++
	if s.recall.Taking() {
		s.recall.Come(&st.Statement, s.rows.Cells)
	}
	if client.Pending() >= wire.BufferBytes {
		return s.link.Waiter.Write()
	}
	return nil
}

// failRow ends a result with a row that cannot be shown. What follows of the answer
// is read and dropped.
func (s *Session) failRow(st *Statement, at int, err error) error {
	if errors.Is(err, wire.ErrMalformed) {
		return &dialogue.BrokenError{Err: err}
	}
	e := local.ErrPartDate
	if !errors.Is(err, local.ErrPartDate) {
		e = s.notAuthentic(st, at, err)
	}
	s.link.Client.WriteMessage(wire.Err{Number: e.Number, State: e.State, Message: []byte(e.Message)})
	s.foreign = true
	return nil
}

// notAuthentic is the error for a value that does not open; at is the number of its
// column in the rows that are fetched.
func (s *Session) notAuthentic(st *Statement, at int, err error) *sqlerr.Error {
	if other, ok := errors.AsType[*binding.OtherValueError](err); ok {
		name := other.Column.Full()
		s.engine.alarmMoved(name)
		return sqlerr.TokenMoved(name)
	}
	name := st.Columns[st.Run.Fetch[at].Column].Full()
	s.engine.alarm(name, err)
	return sqlerr.NotAuthentic(name)
}

// alarmMoved counts and logs a row with a token of another value.
func (e *Engine) alarmMoved(column string) {
	if e.options.MovedTokens != nil {
		e.options.MovedTokens.Inc()
	}
	e.options.Log.Error("a row has a token that is not of its value", slog.String("column", column))
}

// alarm counts and logs a stored value that does not open: never the value.
func (e *Engine) alarm(column string, err error) {
	why := "altered"
	for _, known := range [...]struct {
		err  error
		name string
	}{{scheme.ErrForm, "no stored form"}, {scheme.ErrEpoch, "unknown key epoch"}, {scheme.ErrSuite, "unknown suite"}, {scheme.ErrPadding, "padding"}} {
		if errors.Is(err, known.err) {
			why = known.name
		}
	}
	if e.options.OpenFailures != nil {
		e.options.OpenFailures.Inc()
	}
	e.options.Log.Error("a stored value is not what tunic stored", slog.String("column", column), slog.String("reason", why))
}
