package difftest

import (
	"context"
	"fmt"
	"slices"

	"tunic/internal/wire"
)

// errUnsupportedPS is ER_UNSUPPORTED_PS: the statement cannot be prepared.
const errUnsupportedPS = 1295

// refusesCursor reports whether the server means that there is nothing to open a
// cursor for, as MySQL does: ER_WRONG_ARGUMENTS, ER_SP_BAD_CURSOR_QUERY.
func refusesCursor(number uint16) bool { return number == 1210 || number == 1322 }

// session is a client of a script on one side.
type session struct {
	side    *side
	spec    SessionSpec
	client  *Client
	held    map[string]*Statement
	pending chan []Reply // the answer to a background step
}

// open connects and logs in. The session has no client if that fails.
func (s *side) open(ctx context.Context, spec SessionSpec) (*session, []Reply) {
	client, err := connect(ctx, s.target.Addr)
	if err != nil {
		return nil, []Reply{{Label: "connect", Broken: brokenBy(err)}}
	}
	client.caps = s.caps
	for _, name := range spec.Without {
		client.caps &^= optionalCapabilities[name]
	}
	if spec.User == "" {
		spec.User, spec.Password = s.defaults.User, s.defaults.Password
	}
	if spec.Database == "" {
		spec.Database = s.defaults.Database
	}
	if spec.Collation == 0 {
		spec.Collation = defaultCollation
	}
	reply := client.login(spec, spec.Collation, s.config.TLS)
	replies := []Reply{reply}
	if reply.Broken != "" || reply.failed() != 0 {
		return nil, replies
	}
	return &session{side: s, spec: spec, client: client, held: map[string]*Statement{}}, replies
}

// run does what the step says and returns every reply, SHOW WARNINGS included.
func (x *session) run(step *Step) []Reply {
	switch step.Kind {
	case StepSQL:
		return x.sql(step, []byte(x.side.substitute(step.SQL, x)))
	case StepCommand:
		return x.diagnosed(commandKinds[step.Command[0]].run(x, step.Command[1:]))
	case StepHeld:
		s := x.held[step.Target]
		if s == nil {
			return []Reply{{Label: "held", Broken: "nothing is held as " + step.Target}}
		}
		return x.executeAll(s, step)
	case StepReap, StepAwait: // the side's business
	}
	return nil
}

func (x *session) sql(step *Step, text []byte) []Reply {
	if len(step.Executions) > 0 || step.Hold != "" {
		return x.prepared(step, text)
	}
	if x.side.config.Mode == ModeText || step.Multi || step.TextOnly != "" {
		return x.query(step, text)
	}
	replies := x.prepared(step, text)
	if replies[0].failed() == errUnsupportedPS {
		replies = append(replies, x.query(step, text)...)
	}
	return replies
}

func (x *session) query(step *Step, text []byte) []Reply {
	return x.diagnosed(x.client.Query("query", text, x.attributes(step), step.localFile()))
}

func (s *Step) localFile() *[]byte {
	if !s.HasLocal {
		return nil
	}
	return &s.LocalFile
}

func (x *session) attributes(step *Step) []Attribute {
	if len(step.Attributes) > 0 {
		return step.Attributes
	}
	return x.side.config.Attributes
}

// diagnosed adds SHOW WARNINGS where it has something to say. It runs as text in
// every mode: it is part of looking, not of what is looked at.
func (x *session) diagnosed(reply Reply) []Reply {
	replies := []Reply{reply}
	if reply.Broken == "" && reply.diagnostics() {
		replies = append(replies, x.client.Query("warnings", []byte("SHOW WARNINGS"), nil, nil))
	}
	return replies
}

// prepared prepares the text, executes it with every set of parameters, and
// closes it, unless the step holds it for later.
func (x *session) prepared(step *Step, text []byte) []Reply {
	s, reply := x.client.Prepare(text)
	replies := x.diagnosed(reply)
	if s == nil || reply.Broken != "" {
		return replies
	}
	if step.Hold != "" {
		x.held[step.Hold] = s
		return replies
	}
	replies = append(replies, x.executeAll(s, step)...)
	if replies[len(replies)-1].Broken == "" {
		replies = append(replies, x.client.CloseStatement(s))
	}
	return replies
}

// executeAll executes a statement with every set of parameters.
func (x *session) executeAll(s *Statement, step *Step) []Reply {
	executions := step.Executions
	if len(executions) == 0 {
		executions = []Execution{{}}
	}
	replies, ok := x.bulk(s, executions)
	if ok && replies[0].failed() != errUnsupportedPS {
		return replies
	}
	long := step.LongData
	for i, e := range executions {
		if slices.Contains(step.Skip, i) {
			continue
		}
		e.SameTypes = e.SameTypes && len(step.Skip) == 0 // the types may have come with one that is left out
		for _, l := range long {
			replies = append(replies, x.client.SendLongData(s, l))
		}
		if step.Reset {
			replies = append(replies, x.client.ResetStatement(s))
			long = nil
		}
		replies = append(replies, x.execute(s, step, i, e, long)...)
		if replies[len(replies)-1].Broken != "" {
			return replies
		}
		long = nil
	}
	return replies
}

// fetches are how many rows a client with a cursor asks for, one time after the
// other; the last number is for all times that follow.
var fetches = []uint32{1, 3, 1 << 20}

func (x *session) execute(s *Statement, step *Step, i int, e Execution, long []LongData) []Reply {
	cursor := byte(cursorNone)
	if x.side.config.Mode == ModeCursor && step.NoCursor == "" {
		cursor = cursorReadOnly
	}
	label := fmt.Sprintf("execute-%d", i)
	reply := x.client.Execute(label, s, e, long, cursor, x.attributes(step), step.localFile())
	replies := x.diagnosed(reply)
	if cursor != cursorNone && refusesCursor(reply.failed()) {
		cursor = cursorNone
		reply = x.client.Execute(label, s, e, long, cursor, x.attributes(step), step.localFile())
		replies = append(replies, x.diagnosed(reply)...)
	}
	if reply.Broken != "" || len(reply.Results) == 0 || cursor == cursorNone || !openCursor(&reply.Results[len(reply.Results)-1]) {
		return replies
	}
	for n := 0; ; n++ {
		rows := fetches[min(n, len(fetches)-1)]
		reply = x.client.Fetch(fmt.Sprintf("fetch-%d-%d", i, n), s, rows)
		replies = append(replies, x.diagnosed(reply)...)
		if reply.Broken != "" || reply.failed() != 0 || reply.Results[0].Status&wire.StatusLastRowSent != 0 {
			return replies
		}
	}
}

// openCursor reports whether a client that has asked for a cursor has got one.
// Procedures that use cursors of their own set the flag, too: MariaDB on their
// results, which are followed by more, MySQL on the OK at their end.
func openCursor(last *Result) bool {
	return last.ErrNumber == 0 && len(last.Columns) > 0 &&
		last.Status&wire.StatusCursorExists != 0 && last.Status&wire.StatusMoreResults == 0
}
