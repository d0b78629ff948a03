package outcome

import (
	"tunic/internal/binding"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// What a text asks about the statement before it is known by its plan and its words.

// MayAsk reports whether the first statement of a plan may ask about the one before it; of one by
// name it is what was prepared that does.
func MayAsk(p *plan.Plan) bool { return len(p.Statements) > 0 && !plan.Is[*plan.ByName](p) }

// AsksList reports whether the first statement of a plan asks for the list of warnings, or more.
func AsksList(p *plan.Plan) bool {
	kind := p.Statements[0].Kind
	return kind == sql.ShowWarnings || kind == sql.GetDiagnostics
}

// AsksWarnings reports whether the first statement of a text, whose plan is p, asks
// for the warnings and errors of the one before it.
func AsksWarnings(p *plan.Plan, text []byte, m sql.Modes) bool {
	return MayAsk(p) && (AsksList(p) || sql.AsksIn(text, m).Warnings)
}

// Asks reports whether a text, whose plan is p, may ask anything about the statement before
// it.
func Asks(p *plan.Plan, text []byte, m sql.Modes) bool {
	return AsksWarnings(p, text, m) || sql.AsksIn(text, m).Rows
}

// AsksCounts reports whether a text, whose plan is p, asks for a count of which tunic knows, or
// nobody. What is executed here is told of the counts of rows.
func (l *Last) AsksCounts(p *plan.Plan, text []byte, m sql.Modes) bool {
	rows, warnings := l.Uncertain()
	if !rows && !warnings {
		return false
	}
	asked := sql.AsksIn(text, m)
	return rows && asked.Rows && !TellsCounts(p) || warnings && asked.Warnings
}

// Diagnoses reports whether a statement is a GET DIAGNOSTICS of what the server does not
// know, or not all of.
func (l *Last) Diagnoses(p *plan.Plan) bool {
	return len(p.Statements) == 1 && p.Statements[0].Kind == sql.GetDiagnostics && (l.IsOwn() || !l.Counts.Known())
}

// LeaveOwn is before a statement that the server gets: what there is to say of the
// one before it is past. x has carried that out, if anything has.
func (l *Last) LeaveOwn(x *exec.Session) {
	if !l.IsOwn() {
		return
	}
	notices := 0
	if x != nil {
		notices = x.Notices().Count()
	}
	l.Leave(notices)
}

// Tell is ROW_COUNT() or FOUND_ROWS(), for a statement that is executed here.
func (c *Counts) Tell(of string) (binding.Variable, error) {
	n, ok := c.Value(of)
	if !ok {
		return binding.Variable{}, sqlerr.OutcomeUnknown()
	}
	return binding.Variable{Source: value.IntSource(n)}, nil
}
