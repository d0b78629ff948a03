package program

import (
	"errors"
	"time"

	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// ErrShape says that a bind has another form than the one the expression was
// compiled for.
var ErrShape = errors.New("eval: a bind of another form than the expression was compiled for")

// Row is one row: the canonical form of every column, nil for NULL. The bytes
// must stay as they are until the row's results have been used.
type Row [][]byte

// Inputs is what a run is given beside rows.
type Inputs struct {
	// Env is that of the statement. Flavor and Mode are those of the Session that
	// the expression was compiled for.
	Env *value.Env
	// Binds are the sources of the bind variables, by the indexes of the Scope.
	Binds []value.Source
	// Lists are the items of IN, by the indexes of Scope.Items.
	Lists [][]value.Source
	// Now is the statement's start, in any zone: what NOW() says.
	Now time.Time
	// ZoneUnknown says that the session's time zone is not known, and that Env has
	// no Location for that reason.
	ZoneUnknown bool
}

// Run is one execution of an expression, for one goroutine.
type Run struct {
	X   *Expression
	In  Inputs
	Lax value.Env // Env without modes that make errors of warnings
	// clocks is the session's zone if its clocks are ever set and the server is one that keeps the
	// moment of a TIMESTAMP while it computes; nil for all others.
	clocks *time.Location
	Slots  []Datum
	// Cached notes which slots hold what is computed once a run.
	Cached []bool
	// States are what operators build once a run: the set of IN, the pattern of
	// LIKE.
	States []any
	Row    Row
	Number int // of the evaluation, from 1 on
	Arena  []byte
	room   []*Datum // of functions with many arguments
	Store  []byte   // what constants are made of: lives as long as the run
	Conds  []value.Condition
	Err    error
}

// conditionsMax is how many conditions a run keeps: max_error_count of the
// servers, above its default.
const conditionsMax = 1024

// Start begins a run.
func (x *Expression) Start(in Inputs) (*Run, error) {
	r := &Run{X: x}
	return r, r.Restart(in)
}

// Restart begins another run of the same expression in the same memory.
func (r *Run) Restart(in Inputs) error {
	r.In, r.Lax = in, *in.Env
	r.Lax.Mode &^= value.StrictAllTables | value.StrictTransTables
	r.Lax.Ignore, r.Lax.NullFails = false, false
	r.clocks = nil
	if r.X.Session.IsMariaDB() && value.SetsBack(in.Env.Location) {
		r.clocks = in.Env.Location
	}
	if r.Slots == nil {
		r.Slots, r.Cached = make([]Datum, r.X.Slots), make([]bool, r.X.Slots)
	}
	clear(r.Cached)
	r.States = append(r.States[:0], make([]any, r.X.States)...)
	r.Row, r.Store, r.Conds, r.Err = nil, r.Store[:0], r.Conds[:0], nil
	for i := range r.X.Consts {
		if err := r.fix(&r.X.Consts[i]); err != nil {
			return err
		}
	}
	for _, ev := range r.X.Eager {
		if ev(r); r.Err != nil {
			return r.failStart()
		}
	}
	return nil
}

// Eval computes the expression for a row. The result is good until the next call.
func (r *Run) Eval(row Row) (Result, error) {
	r.begin(row)
	d := r.X.Root.Ev(r)
	if r.Err != nil {
		return Result{}, r.Fail()
	}
	return Result{Run: r, D: d}, nil
}

// Constant is that of the expression.
func (r *Run) Constant() bool { return r.X.Constant() }

// Column is that of the expression.
func (r *Run) Column() (index int, ok bool) { return r.X.Column() }

// begin begins the evaluation of a row.
func (r *Run) begin(row Row) {
	r.Row, r.Arena, r.room = row, r.Arena[:0], r.room[:0]
	r.Number++
}

// Truth is the value of a condition.
type Truth uint8

// The truths. A row passes a filter if the condition is True.
const (
	False Truth = iota
	True
	Unknown
)

// Truth computes the expression as a condition.
func (r *Run) Truth(row Row) (Truth, error) {
	if r.X.Truth == nil {
		return Unknown, r.X.Refusal
	}
	r.begin(row)
	d := r.X.Truth(r)
	switch {
	case r.Err != nil:
		return Unknown, r.Fail()
	case d.Null:
		return Unknown, nil
	case d.N != 0:
		return True, nil
	}
	return False, nil
}

// Fail returns the error of an evaluation, once.
func (r *Run) Fail() error {
	err := r.Err
	r.Err = nil
	return err
}

// failStart is fail for a constant. Whether the server computes one that fails
// where no row asks for it is not known, so an error of the server's is a refusal
// here.
func (r *Run) failStart() error {
	err := r.Fail()
	var own *sqlerr.Error
	if errors.As(err, &own) && own.Code == 0 {
		return sqlerr.ValueRefused("a constant")
	}
	return err
}

// Conditions returns the warnings of all evaluations so far, in order. They are
// the run's.
func (r *Run) Conditions() []value.Condition { return r.Conds }

// Drain returns the warnings since the last time, and forgets them. They are the
// run's until it evaluates again.
func (r *Run) Drain() []value.Condition {
	conds := r.Conds
	r.Conds = r.Conds[:0]
	return conds
}

// warn notes a warning.
func (r *Run) warn(code value.Code, what string) {
	if len(r.Conds) < conditionsMax {
		r.Conds = append(r.Conds, value.Condition{Code: code, Level: value.Warning, What: what})
	}
}

// Refuse ends the evaluation: its answer is not known here. The operation is
// named by the word that SQL has for it.
func (r *Run) Refuse(operation string) *Datum {
	if r.Err == nil {
		r.Err = sqlerr.ValueRefused(operation)
	}
	return NullDatum
}

// Overflow ends the evaluation as the server does.
func (r *Run) Overflow(what string) *Datum {
	if r.Err == nil {
		r.Err = &sqlerr.Error{Number: outOfRange, State: "22003", Message: what + " value is out of range"}
	}
	return NullDatum
}

// outOfRange is the server's ER_DATA_OUT_OF_RANGE.
const outOfRange = 1690

// divisionByZero is the server's ER_DIVISION_BY_ZERO.
const divisionByZero value.Code = 1365
