package plan

import (
	"slices"

	"tunic/internal/plan/build"
	"tunic/internal/plan/functions"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// deciding is a text about which rules decide, one after the other.
type deciding struct {
	*knowledge
	plan *Plan
	text []byte
	read []sql.Statement
	// unread is why the text cannot be read with certainty; literals are those that were
	// recorded of it, nil then.
	unread   error
	literals *sql.Literals
	modes    sql.Modes
	// statement is the one under way; mentions says that a name in it may be protected. tree is
	// that of one that may be executed.
	statement *sql.Statement
	mentions  bool
	tree      *sql.Tree
}

// rule decides about a text, or leaves it to the rules behind it.
type rule struct {
	name    string // "" of one that asks other rules
	decides func(*deciding) bool
}

// first has the first of some rules decide that does, and reports whether one has.
func (d *deciding) first(rules []rule) bool {
	for i := range rules {
		if !rules[i].decides(d) {
			continue
		}
		if rules[i].name != "" {
			d.plan.rule = rules[i].name
		}
		return true
	}
	return false
}

// The names of rules that are in no list: of a text that nothing speaks against, and of those
// that look at what the others have decided.
const (
	ruleOthers  = "others"
	ruleNoted   = "noted"
	ruleAlias   = "handler-alias"
	ruleCipher  = "cipher-key"
	ruleSeveral = "several"
)

// textRules decide about a text as a whole, whatever its statements are.
func textRules() []rule {
	return []rule{
		{"set-statement", func(d *deciding) bool { return d.inside(d.plan, d.text, d.read, d.modes) }},
		{"within-own-schema", func(d *deciding) bool { return d.withinOwn(d.plan, d.read) }},
		{"query-within", func(d *deciding) bool { return d.refuseQueries(d.plan, d.read, d.modes) }},
		{"own-procedure", func(d *deciding) bool { return d.unread == nil && d.calls(d.plan, d.read) }},
		{"own-table", func(d *deciding) bool { return d.writesOwn(d.plan, d.read) }},
		{"unread-execute", func(d *deciding) bool { return d.misexecutes(d.plan, d.read) }},
	}
}

// sessionRules decide about a text that changes what a session or the schema has. Keys of ciphers
// may be in it.
func sessionRules() []rule {
	return []rule{
		{"named-statement", func(d *deciding) bool { return d.unread == nil && d.uses(d.plan, d.read) }},
		{"user-variables", func(d *deciding) bool { return d.unread == nil && d.sets(d.plan, d.read) }},
		{"definition", func(d *deciding) bool { return d.define(d.plan, d.read, d.text, d.modes) }},
		{"grant", func(d *deciding) bool { return d.unread == nil && d.grants(d.plan, d.read) }},
		{"lock-tables", func(d *deciding) bool { return d.unread == nil && d.locks(d.plan, d.read) }},
	}
}

// statementRules decide about each statement of a text, as long as it is to be forwarded.
func statementRules() []rule {
	return []rule{
		{"question", func(d *deciding) bool { return d.inquire(d.plan, d.statement, d.unread == nil && len(d.read) == 1) }},
		{ruleOthers, (*deciding).othersOnly},
		{"named-by-string", (*deciding).namedByString},
		{"", (*deciding).protected},
		{"unread-word", func(d *deciding) bool {
			return d.unread != nil && len(d.read) == 1 && d.letUnread(d.plan, d.statement, d.text)
		}},
		{"unplanned", (*deciding).byKind},
	}
}

// protectedRules decide about a statement that has a name in it that is protected, perhaps as the
// name of something else.
func protectedRules() []rule {
	return []rule{
		{"explain", (*deciding).explains},
		{"load-data", (*deciding).loads},
		{"histogram", (*deciding).givesHistogram},
		{"words", (*deciding).wordsAlone},
		{"kind", (*deciding).planless},
		{"unread-tree", (*deciding).unreadTree},
		{"other-schema", func(d *deciding) bool {
			return d.refuseIf(d.elsewhere && !d.qualify(d.tree.Root(), d.modes), NeedsPreparing())
		}},
		{"plain-tables", (*deciding).plainOnly},
		{"own-schema", func(d *deciding) bool { return d.refuseIf(namesOwn(d.tree.Root()), sqlerr.OwnSchema()) }},
		{"execute", (*deciding).executes},
	}
}

// decideRead is decide for a text that was read; err is that of reading it.
func decideRead(text []byte, read []sql.Statement, err error, m sql.Modes, known knowledge, l *sql.Literals) *Plan {
	p := &Plan{Action: &Forward{}, Quiet: true, Statements: make([]Statement, 0, len(read)), rule: ruleOthers}
	for i := range read {
		s := &read[i]
		p.Statements = append(p.Statements, Statement{Kind: s.Kind, Effects: s.Effects, Tableless: tableless(s, text)})
		p.Quiet = p.Quiet && s.Effects.Quiet()
	}
	d := &deciding{knowledge: &known, plan: p, text: text, read: read, unread: err, literals: l, modes: m}
	if d.first(textRules()) {
		return p
	}
	if d.first(sessionRules()) {
		known.ciphers(p, read, text, m, nil)
		known.nameDefined(p, read)
		return p
	}
	for i := 0; i < len(read) && Is[*Forward](p) && !known.names.Empty(); i++ {
		d.begin(&read[i])
		d.first(statementRules())
	}
	d.conclude()
	return p
}

// begin begins a statement.
func (d *deciding) begin(s *sql.Statement) {
	d.statement, d.mentions = s, s.Mentions(d.names.Protected)
}

// conclude notes what there is to know of a text that is forwarded, and looks for what may not be in
// it, whatever the rules have decided.
func (d *deciding) conclude() {
	p := d.plan
	d.name(p, d.read, d.text, d.modes)
	if d.catalog != nil && Is[*Forward](p) && !d.names.Empty() && sql.Noted(d.text, d.modes, d.names.Protected) {
		p.refuse(sqlerr.StatementUnread())
		p.rule = ruleNoted
	}
	if d.catalog != nil && Is[*Forward](p) && slices.ContainsFunc(d.read, func(s sql.Statement) bool { return s.Renames() }) {
		p.refuse(sqlerr.StatementRefused("HANDLER with an alias")) // the table may be protected when it is read by that
		p.rule = ruleAlias
	}
	if f, ok := p.Action.(*Forward); ok && d.catalog != nil {
		f.Variables = VariablesOf(d.text, d.modes)
		f.Variables.Programs, f.Variables.Calls = functions.MayRun(d.read, d.modes)
		d.own(p, f, d.read, d.modes, d.literals)
	}
	d.ciphers(p, d.read, d.text, d.modes, d.literals)
}

// refuseIf refuses the text with an error, if it is to be refused.
func (d *deciding) refuseIf(refused bool, refusal error) bool {
	if refused {
		d.plan.refuse(refusal)
	}
	return refused
}

// othersOnly lets a statement pass in which nothing may be protected, nor a string be such a name.
func (d *deciding) othersOnly() bool {
	return !d.kept && !d.mentions && !d.statement.NamesByString(d.names.Protected)
}

// namedByString refuses a statement of which a string may be such a name.
func (d *deciding) namedByString() bool {
	return d.refuseIf(!d.kept && !d.mentions, sqlerr.StatementUnread())
}

// protected has a statement decided that can be planned.
func (d *deciding) protected() bool {
	if d.catalog == nil || d.literals == nil || d.unread != nil || len(d.read) != 1 {
		return false
	}
	d.plan.OfSchema = true
	return d.first(protectedRules())
}

// byKind decides by the kind of a statement that is not planned.
func (d *deciding) byKind() bool {
	d.plan.judge(d.statement.Kind, d.unread)
	if Is[*Refuse](d.plan) && d.literals == nil && len(d.read) == 1 { // as where a parenthesis does not end
		d.plan.refuse(sqlerr.StatementUnread())
	}
	return true
}

// explains plans an EXPLAIN.
func (d *deciding) explains() bool {
	if d.statement.Kind != sql.Explain {
		return false
	}
	d.plan.judge(d.statement.Kind, nil)
	d.explain(d.statement)
	return true
}

// loads plans LOAD DATA.
func (d *deciding) loads() bool {
	if d.statement.Kind != sql.LoadData {
		return false
	}
	d.plan.judge(d.statement.Kind, nil)
	d.load(d.plan, d.statement, d.modes)
	return true
}

// givesHistogram refuses ANALYZE TABLE … UPDATE HISTOGRAM … USING DATA, which has values of a
// column.
func (d *deciding) givesHistogram() bool {
	s := d.statement
	return d.refuseIf(s.Kind == sql.AnalyzeTable && s.HasString(), sqlerr.StatementRefused(s.Kind.String()+" with a string in it, on protected tables,"))
}

// wordsAlone lets a statement pass whose names are words, variables and what is plain.
func (d *deciding) wordsAlone() bool {
	if !d.setsFromOthers(d.statement, d.modes) && (!namesNoTable[d.statement.Kind] || d.statement.HasQuery()) {
		return false
	}
	d.plan.forward()
	return true
}

// planless decides by the kind of a statement that is not executed.
func (d *deciding) planless() bool {
	if carried[d.statement.Kind] {
		return false
	}
	d.plan.judge(d.statement.Kind, nil)
	return true
}

// unreadTree refuses a statement whose tree cannot be read.
func (d *deciding) unreadTree() bool {
	var err error
	d.tree, err = d.statement.TreeWithPlaces(d.literals)
	return d.refuseIf(err != nil, sqlerr.StatementUnread())
}

// plainOnly lets a statement pass whose tables are plain.
func (d *deciding) plainOnly() bool {
	returning := d.tree.Returning()
	if d.kept || d.about(d.tree.Root()) || returning != nil && d.about(returning) {
		return false
	}
	d.plan.forward()
	return true
}

// executes plans a statement over protected tables.
func (d *deciding) executes() bool {
	lacks := &build.Lacking{}
	b := &build.Builder{Catalog: d.catalog, Schema: d.schema, Modes: d.modes, Tree: d.tree, Plain: d.plain, Into: d.into, Kept: d.kept, Lacks: lacks}
	run, err := b.Start()
	if err != nil {
		d.plan.Action = refuseLacking(lacks, refusalOf(err))
		return true
	}
	d.plan.Action = &Execute{Run: run}
	return true
}

// refuseLacking is the action of a plan that refuses a statement, and says what is lacking.
func refuseLacking(l *build.Lacking, refusal error) *Refuse {
	return &Refuse{Refusal: refusal, Needs: l.Needs, Via: l.Via, Outdated: l.Outdated}
}
