package exec

import (
	"errors"

	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/environment"
	"tunic/internal/recipe"
	"tunic/internal/value"
)

// errWarnedTwice says that the server has warned of rows, and may have done so twice, as it was asked for some twice: the client has
// got nothing.
var errWarnedTwice = errors.New("exec: a warning may have been raised twice")

// facts are what the conditions of recipe.Alternatives go by. An execution learns them one after the other;
// what it does not know yet is the zero value.
type facts struct {
	// countsChanged says that the client has no CLIENT_FOUND_ROWS: known from the beginning.
	countsChanged bool
	// namedOnce says that a statement is to name no table twice: known from the beginning.
	namedOnce bool
	// secretVariable says that the server would get a secret variable as it is: known when the
	// variables have been read.
	secretVariable bool
	// failed is what the Statement has failed with before the server has got anything of it: known
	// when its slots are filled.
	failed error
}

// alternative is the Statement that takes the place of this one for an execution of which these facts
// are so; nil if none does: none of the conditions holds, or there is none for it. What an execution learns
// later it asks of the one that has taken the place.
func (st *Statement) alternative(f facts) *Statement {
	switch {
	case f.failed == binding.ErrComparison: //nolint:errorlint // it is never wrapped
		return st.alternatives[recipe.NoToken]
	case f.failed == dialogue.ErrPacket, f.failed == errWarnedTwice: //nolint:errorlint // likewise
		return st.alternatives[recipe.NamedOnce]
	case f.failed != nil:
		return nil
	case f.secretVariable:
		return st.alternatives[recipe.SecretVariable]
	case f.countsChanged && st.alternatives[recipe.CountsChanged] != nil:
		return st.alternatives[recipe.CountsChanged]
	case f.namedOnce:
		return st.alternatives[recipe.NamedOnce]
	}
	return nil
}

// tokensServe is binding.ErrComparison, as of a value that no token stands for, if the server is not
// to put rows together by tokens in such a session: see recipe.Query.HiddenDates and recipe.Query.Moments.
func (st *Statement) tokensServe(env *environment.Environment) error {
	q, ok := st.Run.Does.(*recipe.Query)
	if ok && (q.HiddenDates && env.Value.Mode&value.NoZeroInDate != 0 || q.Moments && env.Clocks() != nil) {
		return binding.ErrComparison
	}
	return nil
}

// readyAlternatives makes the Statements of the alternatives of a Run.
func (e *Engine) readyAlternatives(st *Statement, run *recipe.Run) (err error) {
	for c, other := range run.Alternatives {
		if other == nil {
			continue
		}
		if st.alternatives[c], err = e.ready(other); err != nil {
			return err
		}
	}
	if once := st.alternatives[recipe.NamedOnce]; once != nil {
		once.alternatives[recipe.NoToken] = st.alternatives[recipe.NoToken]
		once.alternatives[recipe.SecretVariable] = st.alternatives[recipe.SecretVariable]
	}
	changed := st.alternatives[recipe.CountsChanged]
	if changed == nil {
		return nil
	}
	if changed.Run.Rewrite().Outright {
		changed.whole = st
	}
	if changed.alternatives[recipe.NoToken] == nil {
		changed.alternatives[recipe.NoToken] = st.alternatives[recipe.NoToken]
	}
	return nil
}
