package assess

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/plan"
	"tunic/internal/plan/explanation"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/workload"
)

// Verdict is what becomes of a statement when the tables are protected.
type Verdict string

// The verdicts.
const (
	Passes  Verdict = "passes"  // the server does all of it
	Local   Verdict = "local"   // tunic finishes it, over the rows that the server leaves
	Refused Verdict = "refused" // with a code and a fix
	Unknown Verdict = "unknown" // it cannot be told before
)

// Statement is a statement of the workload, all with one template counted together.
type Statement struct {
	// Text has a question mark for each literal, and is cut at 256 bytes.
	Text, Schema string
	Count        int64
	Verdict      Verdict
	// Code is that of the refusal, as 2001; 0 of others. Reason is its text, with the fix, or why
	// nothing is known.
	Code   sqlerr.Code
	Reason string
	// Lines are what tunic explain would say of what is local, and of layers that would help.
	Lines []explanation.Line
}

// Bounds of what is kept of a workload.
const (
	templatesMax = 50_000
	textMax      = 1 << 20
	keptMax      = 256 << 20 // bytes of all texts
)

// Workload collects statements, and judges them.
type Workload struct {
	a       *Assessment
	modes   sql.Modes
	fp      sql.Fingerprinter
	seen    map[string]*collected
	session eval.Session
	kept    int

	// Counts are how many statements have each verdict; Dropped are those that were beyond the bounds,
	// and Own those that a tunic has sent for itself, or for a client in their stored form.
	Counts       map[Verdict]int64
	Dropped, Own int64

	account string // of tunic: the service account
	tables  map[resolve.Name]*catalog.Table
}

// collected is one of the texts of a template.
type collected struct {
	text   []byte
	schema string
	count  int64
}

// Workload is an empty one, for statements in the modes that the server has by default.
func (a *Assessment) Workload(ctx context.Context) (*Workload, error) {
	var version, mode, account string
	if err := a.o.DB.QueryRowContext(ctx, "SELECT @@version, @@GLOBAL.sql_mode, USER()").Scan(&version, &mode, &account); err != nil {
		return nil, err
	}
	account = account[:max(strings.LastIndexByte(account, '@'), 0)]
	w := &Workload{a: a, account: account, seen: map[string]*collected{}, Counts: map[Verdict]int64{}, tables: map[resolve.Name]*catalog.Table{}}
	w.modes = sql.Modes(0).WithServer(version).WithSQLMode(mode).WithCharset("utf8mb4")
	w.session = w.evalSession(mode)
	return w, nil
}

// Add takes a statement. Its text may change afterwards.
func (w *Workload) Add(s workload.Statement) error {
	if w.own(s) {
		w.Own += s.Count
		return nil
	}
	f := w.fp.Fingerprint(s.Text, w.modes)
	key := s.Schema + "\x00"
	if f.Clean {
		key += string(f.Template)
	} else {
		key += "\x00" + sql.Redact(s.Text, w.modes)
	}
	if c := w.seen[key]; c != nil {
		c.count += s.Count
		return nil
	}
	if len(w.seen) == templatesMax || len(s.Text) > textMax || w.kept+len(key)+len(s.Text) > keptMax {
		w.Dropped += s.Count
		return nil
	}
	w.kept += len(key) + len(s.Text)
	w.seen[key] = &collected{slices.Clone(s.Text), s.Schema, s.Count}
	return nil
}

// ownNames are in statements that a tunic sends, and not in those of its clients: its schema, and the
// fences of stored tables.
var ownNames = [][]byte{[]byte("`" + catalog.Schema + "`"), []byte("`" + catalog.FencePrefix)}

// own reports whether a tunic has sent a statement, and no application. Some logs do not say which
// account a session has: the names that the statement has decide then.
func (w *Workload) own(s workload.Statement) bool {
	return s.User != "" && s.User == w.account ||
		slices.ContainsFunc(ownNames, func(name []byte) bool { return bytes.Contains(s.Text, name) })
}

// Judge says what becomes of the statements that do not pass, the most frequent first.
func (w *Workload) Judge(ctx context.Context) (all []Statement, err error) {
	planner := plan.New(plan.Options{Catalog: func() *catalog.Catalog { return w.a.assumed }})
	for _, c := range w.seen {
		j := judge{Workload: w, ctx: ctx, planner: planner, schema: c.schema}
		s := j.statement(c.text)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.Schema, s.Count = c.schema, c.count
		w.Counts[s.Verdict] += c.count
		if s.Verdict != Passes {
			s.Text = sql.Redact(c.text, w.modes)
			all = append(all, s)
		}
	}
	rank := map[Verdict]int{Refused: 0, Local: 1, Unknown: 2}
	slices.SortFunc(all, func(x, y Statement) int {
		return cmp.Or(cmp.Compare(rank[x.Verdict], rank[y.Verdict]), cmp.Compare(y.Count, x.Count), cmp.Compare(x.Text, y.Text), cmp.Compare(x.Schema, y.Schema))
	})
	return all, nil
}

// judge is one text under way.
type judge struct {
	*Workload
	ctx     context.Context //nolint:containedctx // for one text
	planner *plan.Planner
	schema  string
}

// statement judges a text, which may be several statements: the worst counts.
func (j *judge) statement(text []byte) (worst Statement) {
	worst.Verdict = Passes
	for len(text) > 0 {
		first, rest := sql.First(text, j.modes)
		if len(rest) >= len(text) {
			break
		}
		if s := j.one(first); worst.Verdict == Passes || s.Verdict == Refused {
			worst = s
		}
		text = rest
	}
	return worst
}

// one judges one statement.
func (j *judge) one(text []byte) Statement {
	p := j.planned(text)
	if reason := j.unknown(p); reason != "" {
		return Statement{Verdict: Unknown, Reason: reason}
	}
	switch a := p.Action.(type) {
	case *plan.Refuse, *plan.Each:
		s := Statement{Verdict: Refused, Reason: "it is refused"}
		if refusal, ok := errors.AsType[*sqlerr.Error](p.Refusal()); ok {
			s.Code, s.Reason = refusal.Code, refusal.Message
		}
		return s
	case *plan.Execute:
		if refusal := j.uncomputed(a.Run); refusal != nil {
			return Statement{Verdict: Refused, Code: refusal.Code, Reason: refusal.Message}
		}
		if isLocal(a.Run) {
			return Statement{Verdict: Local, Lines: j.explained(text)}
		}
	case *plan.Fold, *plan.ByName:
		return Statement{Verdict: Unknown, Reason: "it is planned when its values are known"}
	case *plan.Define, *plan.DefineView, *plan.Grant:
		if j.names(p) {
			return Statement{Verdict: Unknown, Reason: "it is a definition, which is looked at when it is made"}
		}
	default:
	}
	return Statement{Verdict: Passes}
}

// planned plans a text, with the plain tables that it names beside protected ones.
func (j *judge) planned(text []byte) *plan.Plan {
	p := j.planner.Plan(&j.fp, text, j.modes, j.schema)
	if !plan.Is[*plan.Refuse](p) || len(p.Needs()) == 0 {
		return p
	}
	var plain []*catalog.Table
	for _, n := range p.Needs() {
		t := j.plainTable(j.ctx, n)
		if t == nil {
			return p
		}
		plain = append(plain, t)
	}
	return j.planner.PlanBeside(j.a.assumed, plain, &j.fp, text, j.modes, j.schema)
}

// unknown is why nothing can be told of a statement: it is over what is not there yet as it is to be.
func (j *judge) unknown(p *plan.Plan) string {
	for _, n := range slices.Concat(p.Names, p.Needs()) {
		name := strings.ToLower(cmp.Or(n.Schema, j.schema) + "." + n.Table)
		switch {
		case j.a.views[name]:
			return "it reads a view that hinders, which is to be made again through tunic first: " + name
		case j.a.blind[name]:
			return "it names a table of which it is not known what it would be: " + name
		}
	}
	return ""
}

// names reports whether a statement names a table that would be protected.
func (j *judge) names(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Names, func(n resolve.Name) bool { return j.a.assumed.Table(cmp.Or(n.Schema, j.schema), n.Table) != nil })
}

// isLocal reports whether tunic has something to do with the rows, but for opening them.
func isLocal(r *recipe.Run) bool {
	if r == nil || r.FinishesRows() {
		return r != nil
	}
	return r.Rewrite() != nil || len(r.Targets()) > 0 || r.Upsert() != nil || r.From() != nil
}

// explained is what EXPLAIN says of what is local.
func (j *judge) explained(text []byte) (lines []explanation.Line) {
	p := j.planned(slices.Concat([]byte("EXPLAIN "), text))
	e := p.Explained()
	if e == nil {
		return nil
	}
	for _, l := range e.Lines(e.Run, false) {
		if l.About == "local" || l.About == "write" || l.About == "advice" || strings.HasPrefix(l.Text, "local, ") {
			lines = append(lines, l)
		}
	}
	return lines
}

// plainTable is a plain table as the server has it; nil if it is not known.
func (w *Workload) plainTable(ctx context.Context, n resolve.Name) *catalog.Table {
	if t, ok := w.tables[n]; ok {
		return t
	}
	t, err := readPlain(ctx, w.a.o.DB, w.a.o.Flavor, n)
	if err != nil {
		t = nil // the account may not see it, or it has what tunic does not know
	}
	w.tables[n] = t
	return t
}
