package made

import (
	"errors"
	"strconv"
	"strings"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// drawnMax is how many values the server is asked for at a time; a query has no more than
// 4096 columns (MySQL manual, "Limits on Table Column Count and Row Size").
const drawnMax = 1000

// sequences are the values of sequences that the rows of a statement have.
func sequences(run *recipe.Run) []recipe.Sequence {
	if insert, ok := run.Does.(*recipe.Insert); ok {
		if rows, ok := insert.Rows.(*recipe.TextRows); ok {
			return rows.Sequences
		}
	}
	return nil
}

// Server has sequences. A backend.Conn is one.
type Server interface {
	Rows(text []byte) (columns []wire.ColumnDefinition, rows [][]string, err error)
}

// DrawSequences takes the values of sequences for a statement, row by row.
func DrawSequences(s Server, b *binding.Binder, run *recipe.Run) error {
	all := sequences(run)
	if b.Drawn = nil; len(all) == 0 {
		return nil
	}
	b.Drawn = make(binding.Drawn, len(all))
	var asks []string
	var into []int
	for from := 0; from < len(all); {
		to, elements := from, 1
		for to < len(all) && all[to].Row == all[from].Row {
			to++
		}
		if g := all[from].Group; g >= 0 {
			elements = b.ElementCount(g)
		}
		for range elements {
			for i := from; i < to; i++ {
				asks, into = append(asks, all[i].Ask), append(into, i)
			}
		}
		from = to
	}
	for len(asks) > 0 {
		n := min(len(asks), drawnMax)
		values, err := askSequences(s, asks[:n])
		if err != nil {
			return err
		}
		for i, v := range values {
			b.Drawn[into[i]] = append(b.Drawn[into[i]], v)
		}
		asks, into = asks[n:], into[n:]
	}
	return nil
}

// askSequences asks the server for values of sequences, on the client's connection.
func askSequences(s Server, asks []string) ([]value.Source, error) {
	_, rows, err := s.Rows([]byte("SELECT " + strings.Join(asks, ", ") + " LIMIT 1"))
	if answer, ok := errors.AsType[*backend.AnswerError](err); ok {
		return nil, dialogue.ErrorOf(&answer.Err)
	}
	if err != nil {
		return nil, &dialogue.BrokenError{Err: err}
	}
	if len(rows) != 1 || len(rows[0]) != len(asks) {
		return nil, sqlerr.StatementRefused("a sequence that the server does not tell of")
	}
	values := make([]value.Source, len(asks))
	for i, text := range rows[0] {
		if text == "" { // NULL: the session has taken none yet
			values[i] = value.NullSource()
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, sqlerr.StatementRefused("a sequence that the server does not tell of")
		}
		values[i] = value.IntSource(n)
	}
	return values, nil
}
