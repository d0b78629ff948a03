package exec

import (
	"errors"
	"testing"
	"time"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// TestAlternative: which alternative takes the place of a Statement, by what an execution knows.
func TestAlternative(t *testing.T) {
	var all, none Statement
	for c := range all.alternatives {
		all.alternatives[c] = &Statement{params: c}
	}
	const stays = -1
	other := errors.New("another error")
	for _, c := range []struct {
		name string
		of   facts
		want int // the condition
	}{
		{"nothing is known yet", facts{}, stays},
		{"the client counts rows that change", facts{countsChanged: true}, int(recipe.CountsChanged)},
		{"the server would get a secret variable", facts{secretVariable: true}, int(recipe.SecretVariable)},
		{"no token stands for a value", facts{failed: binding.ErrComparison}, int(recipe.NoToken)},
		{"a value is refused in another way", facts{failed: sqlerr.ValueRefused("a value")}, stays},
		{"the server has failed", facts{failed: other}, stays},
		{"a secret variable, of a client that counts rows that change", facts{countsChanged: true, secretVariable: true}, int(recipe.SecretVariable)},
		{"no token, and a secret variable", facts{secretVariable: true, failed: binding.ErrComparison}, int(recipe.NoToken)},
		{"an error, of a client that counts rows that change", facts{countsChanged: true, secretVariable: true, failed: other}, stays},
	} {
		want := (*Statement)(nil)
		if c.want != stays {
			want = all.alternatives[c.want]
		}
		if got := all.alternative(c.of); got != want {
			t.Errorf("%s: the wrong alternative, %v", c.name, got)
		}
		if none.alternative(c.of) != nil {
			t.Errorf("%s: an alternative of a statement that has none", c.name)
		}
	}
}

// TestTokensServe: in which sessions rows are put together by tokens.
func TestTokensServe(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	session := func(flavor value.Flavor, mode value.Mode, zone *time.Location) *environment.Environment {
		return &environment.Environment{Value: value.Env{Flavor: flavor, Mode: mode, Location: zone}}
	}
	dates, moments := recipe.Run{Does: &recipe.Query{HiddenDates: true}}, recipe.Run{Does: &recipe.Query{Moments: true}}
	for _, c := range []struct {
		name string
		run  recipe.Run
		in   *environment.Environment
		want error
	}{
		{"dates", dates, session(value.MySQL, 0, time.UTC), nil},
		{"dates with NO_ZERO_IN_DATE", dates, session(value.MariaDB, value.NoZeroInDate, time.UTC), binding.ErrComparison},
		{"timestamps with NO_ZERO_IN_DATE", moments, session(value.MySQL, value.NoZeroInDate, time.UTC), nil},
		{"timestamps where clocks are set back", moments, session(value.MySQL, 0, berlin), binding.ErrComparison},
		{"timestamps on MariaDB", moments, session(value.MariaDB, 0, berlin), nil},
		{"neither, where both would be", recipe.Run{}, session(value.MySQL, value.NoZeroInDate, berlin), nil},
	} {
		st := &Statement{Statement: binding.Statement{Run: c.run}}
		if got := st.tokensServe(c.in); got != c.want { //nolint:errorlint // it is never wrapped
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestAlternativesReady: the alternative for CountsChanged has the one for NoToken of the Run that it is of, unless it
// has its own; and it knows the Statement that it may be run outright as.
func TestAlternativesReady(t *testing.T) {
	e := New(Options{})
	ready := func(run *recipe.Run) *Statement {
		st, err := e.ready(run)
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	own := ready(&recipe.Run{Alternatives: recipe.Alternatives{recipe.NoToken: {}}})
	if own.alternatives[recipe.NoToken] == nil || own.alternatives[recipe.CountsChanged] != nil || own.alternatives[recipe.SecretVariable] != nil {
		t.Error("other alternatives than those of the run")
	}
	for _, outright := range []bool{false, true} {
		changed := &recipe.Run{Table: &catalog.Table{}, Does: &recipe.Rewrite{Write: &recipe.Write{}, Outright: outright}}
		st := ready(&recipe.Run{Alternatives: recipe.Alternatives{recipe.CountsChanged: changed, recipe.NoToken: {}}})
		got := st.alternatives[recipe.CountsChanged]
		if got.alternatives[recipe.NoToken] != st.alternatives[recipe.NoToken] {
			t.Error("the alternative for NoToken is not that of the run")
		}
		if (got.whole == st) != outright {
			t.Errorf("outright is %v, and the statement that is run outright %p", outright, got.whole)
		}
	}
	changed := &recipe.Run{Table: &catalog.Table{}, Does: &recipe.Rewrite{Write: &recipe.Write{}}, Alternatives: recipe.Alternatives{recipe.NoToken: {}}}
	st := ready(&recipe.Run{Alternatives: recipe.Alternatives{recipe.CountsChanged: changed, recipe.NoToken: {}}})
	if got := st.alternatives[recipe.CountsChanged]; got.alternatives[recipe.NoToken] == st.alternatives[recipe.NoToken] {
		t.Error("the alternative's own one for NoToken is lost")
	}
}
