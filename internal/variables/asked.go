package variables

import (
	"context"
	"errors"
	"slices"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/identifier"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// Server is who has the variables that are not kept.
type Server interface {
	Rows(text []byte) (columns []wire.ColumnDefinition, rows [][]string, err error)
}

// Ask asks the server for expressions without a table. That the connection is broken is a dialogue.BrokenError.
func Ask(s Server, flavor value.Flavor, expressions []string) ([]binding.Variable, error) {
	columns, rows, err := s.Rows(question(expressions))
	switch {
	case errors.Is(err, backend.ErrAnswered):
		return nil, untold()
	case err != nil:
		return nil, &dialogue.BrokenError{Err: err}
	}
	return answer(flavor, len(expressions), columns, rows)
}

// AskNamed asks the server for variables.
func AskNamed(s Server, flavor value.Flavor, names []string) ([]binding.Variable, error) {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = "@" + identifier.Quoted(name)
	}
	return Ask(s, flavor, all)
}

// Read returns the values of variables. Those that are not kept the server is asked for.
func (u *Kept) Read(s Server, flavor value.Flavor, names []string) ([]binding.Variable, error) {
	all := make([]binding.Variable, len(names))
	var asked []string
	for i, name := range names {
		switch v := u.Get(name); {
		case v != nil:
			all[i] = *v
			all[i].Key = u.WasKey(name)
		case !Keepable(name):
			return nil, sqlerr.StatementRefused("a user variable with such a name on protected data")
		default:
			asked = append(asked, name)
		}
	}
	if len(asked) == 0 {
		return all, nil
	}
	told, err := AskNamed(s, flavor, asked)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if at := slices.Index(asked, name); at >= 0 {
			all[i] = told[at]
		}
	}
	return all, nil
}

// Setter sets variables at the server; a dialogue.Aside does.
type Setter interface {
	Exec(ctx context.Context, text string) error
}

// Give gives the server the kept variables that it is to read, if it may have them. From then on it has them, and
// they are not kept any more.
func (u *Kept) Give(ctx context.Context, s Setter, read plan.Variables) error {
	names, secret := u.Named(read)
	switch {
	case len(names) == 0:
		return nil
	case secret:
		return sqlerr.VariableSecret()
	}
	if err := s.Exec(ctx, string(u.assignment(names))); err != nil {
		return sqlerr.StatementRefused("a user variable that the server does not take")
	}
	for _, name := range names {
		u.Drop(name)
	}
	return nil
}

// assignment is the statement that sets variables of the server's to what is kept of them.
func (u *Kept) assignment(names []string) []byte {
	text := []byte("SET ")
	for i, name := range names {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(text, "@"+identifier.Quoted(name)+" = "...)
		text = u.Get(name).AppendLiteral(text)
	}
	return text
}
