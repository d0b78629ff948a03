package kill

import (
	"slices"

	"tunic/internal/backend"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// Pending are the KILL QUERYs of a command, from before the server gets them until it has answered them.
type Pending struct{ all []pending }

type pending struct {
	of   backend.Process
	at   int // the number of its result; atEnd where that is not known
	aims []Aim
}

// atEnd is a result that has come when all have.
const atEnd = -1

// Any reports whether there are some that are not answered.
func (p *Pending) Any() bool { return len(p.all) > 0 }

// Forget is between two commands.
func (p *Pending) Forget() { p.all = nil }

// Note notes the KILL QUERY of a connection before a server gets it, which is to answer it with the result of that number. Of a
// server that has not told which it is nobody is told.
func (p *Pending) Note(among *Registry, at backend.Process, connection uint64, result int) {
	if at.Server == "" || connection == 0 {
		return
	}
	at.Connection = connection
	if aims := among.Aims(connection); len(aims) > 0 {
		p.all = append(p.all, pending{at, result, aims})
	}
}

// NoteText notes those of a text, whose plan is of.
func (p *Pending) NoteText(among *Registry, at backend.Process, of *plan.Plan, text []byte, m sql.Modes) {
	if !Has(of) {
		return
	}
	all, err := sql.Parse(text, m)
	if err != nil || len(all) != len(of.Statements) {
		return
	}
	for i, several := 0, false; i < len(all); i++ {
		if connection, ok := all[i].KilledQuery(); ok && several {
			p.Note(among, at, connection, atEnd)
		} else if ok {
			p.Note(among, at, connection, i)
		}
		several = several || of.Statements[i].Effects.Stale // it may have several results
	}
}

// Tell is behind a part of the server's answer that the client has not got yet: it tells of what the
// server has executed by then. TiDB may have only warned that it does nothing.
func (p *Pending) Tell(r *wire.Response, m sql.Modes) {
	for len(p.all) > 0 {
		k := &p.all[0]
		if k.at == atEnd && (!r.Done() || r.Failed) || k.at >= r.Succeeded {
			return
		}
		if m&sql.TiDB == 0 || r.Warnings == 0 {
			for _, a := range k.aims {
				a.Tell(k.of)
			}
		}
		p.all = p.all[1:]
	}
}

// Has reports whether a KILL is among the statements of a plan.
func Has(of *plan.Plan) bool {
	return slices.ContainsFunc(of.Statements, func(st plan.Statement) bool { return st.Kind == sql.Kill })
}

// Killed is the connection of the KILL QUERY that a text is, whose plan is of; 0 if that is a parameter.
func Killed(of *plan.Plan, text []byte, m sql.Modes) (connection uint64, ok bool) {
	if len(of.Statements) != 1 || !Has(of) {
		return 0, false
	}
	all, err := sql.Parse(text, m)
	if err != nil || len(all) != 1 {
		return 0, false
	}
	return all[0].KilledQuery()
}
