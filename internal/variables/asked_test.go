package variables

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"tunic/internal/backend"
	"tunic/internal/dialogue"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// server has variables that are all 9, or none, and notes what it was asked and told.
type server struct {
	err  error
	said []string
}

func (s *server) Rows(text []byte) ([]wire.ColumnDefinition, [][]string, error) {
	s.said = append(s.said, string(text))
	n := strings.Count(string(text), "IS NULL")
	columns, row := make([]wire.ColumnDefinition, 4*n), make([]string, 4*n)
	for i := range n {
		columns[4*i].Type = wire.TypeLongLong
		row[4*i+1], row[4*i+2], row[4*i+3] = "0", "9", "binary"
	}
	return columns, [][]string{row}, s.err
}

func (s *server) Exec(_ context.Context, text string) error {
	s.said = append(s.said, text)
	return s.err
}

// TestRead: what is kept is read here, and only the rest is asked for.
func TestRead(t *testing.T) {
	var u Kept
	var s server
	set(t, &u, "a", number(1))
	set(t, &u, "k", number(2))
	u.IsKey([]string{"k"})
	all, err := u.Read(&s, value.MariaDB, []string{"a", "b", "k"})
	if err != nil || len(all) != 3 {
		t.Fatalf("%d, %v", len(all), err)
	}
	for i, want := range []int64{1, 9, 2} {
		if got := int64(all[i].Source.Number); got != want || all[i].Key != (i == 2) {
			t.Errorf("%d: %d, a key %t; want %d", i, got, all[i].Key, want)
		}
	}
	if len(s.said) != 1 || strings.Contains(s.said[0], "@`a`") || !strings.Contains(s.said[0], "@`b`") {
		t.Errorf("the server was asked %q", s.said)
	}
	if _, err := u.Read(&s, value.MariaDB, []string{"a"}); err != nil || len(s.said) != 1 {
		t.Errorf("the server was asked for what is kept: %v", err)
	}
	s.err = backend.ErrAnswered
	if _, err := u.Read(&s, value.MariaDB, []string{"b"}); !errors.Is(err, untold()) {
		t.Errorf("a server that does not tell: %v", err)
	}
	s.err = io.EOF
	if _, err := u.Read(&s, value.MariaDB, []string{"b"}); !errors.As(err, new(*dialogue.BrokenError)) {
		t.Errorf("a server that has gone: %v", err)
	}
}

// TestGive: the server gets the variables that a statement reads, and has them from then on; none if one of them is
// secret, or it does not take them.
func TestGive(t *testing.T) {
	var u Kept
	var s server
	for _, name := range []string{"a", "b", "secret"} {
		set(t, &u, name, number(7731))
	}
	u.Hide("secret")
	if err := u.Give(t.Context(), &s, plan.Variables{Names: []string{"other"}}); err != nil || len(s.said) > 0 {
		t.Errorf("what is not kept was given: %q, %v", s.said, err)
	}
	if err := u.Give(t.Context(), &s, plan.Variables{Names: []string{"a", "secret"}}); !errors.Is(err, sqlerr.VariableSecret()) || len(s.said) > 0 || u.Get("a") == nil {
		t.Errorf("beside a secret: %q, %v", s.said, err)
	}
	s.err = backend.ErrAnswered
	if err := u.Give(t.Context(), &s, plan.Variables{Names: []string{"a"}}); err == nil || u.Get("a") == nil {
		t.Errorf("the server did not take it: %v", err)
	}
	s.err, s.said = nil, nil
	if err := u.Give(t.Context(), &s, plan.Variables{Names: []string{"a"}}); err != nil || u.Get("a") != nil || u.Get("b") == nil {
		t.Errorf("%v", err)
	}
	if len(s.said) != 1 || !strings.HasPrefix(s.said[0], "SET @`a` = ") || strings.Contains(s.said[0], "secret") {
		t.Errorf("the server got %q", s.said)
	}
}
