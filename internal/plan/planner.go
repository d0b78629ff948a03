package plan

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/cache"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/usage"
)

// Options bound a Planner's cache; the first bound that is reached evicts.
type Options struct {
	// Entries is how many plans are kept; 0 means DefaultEntries.
	Entries int
	// Bytes is how much memory they and their templates may take together; 0
	// means DefaultBytes.
	Bytes int64
	// Names says what is protected; nil means Nothing.
	Names Names
	// Catalog gives the current version of the catalog, which then is the Names;
	// nil where there is none. A version is never given after a later one.
	Catalog func() *catalog.Catalog
	// Policy gives the current policy, which says which columns must not be plain; nil where
	// none are protected.
	Policy func() *policy.Policy
	// Usage knows what statements cost, by template; nil where nobody counts.
	Usage *usage.Top
}

// Defaults and limits of the cache.
const (
	DefaultEntries = 8192
	DefaultBytes   = 32 << 20
	// templateBytesMax is the longest template that is cached: longer ones are
	// made by programs that will not make the same again.
	templateBytesMax = 64 << 10
)

// Planner decides what is done with statements and remembers it. It is safe
// for concurrent use.
type Planner struct {
	names   Names
	catalog func() *catalog.Catalog
	policy  func() *policy.Policy
	usage   *usage.Top
	cache   *cache.Cache[Plan]
}

// New makes a Planner with an empty cache.
func New(o Options) *Planner {
	if o.Entries <= 0 {
		o.Entries = DefaultEntries
	}
	if o.Bytes <= 0 {
		o.Bytes = DefaultBytes
	}
	if o.Names == nil {
		o.Names = Nothing{}
	}
	return &Planner{names: o.Names, catalog: o.Catalog, policy: o.Policy, usage: o.Usage, cache: cache.New[Plan](o.Entries, o.Bytes)}
}

// knowledge is what is known of names when a text is planned.
type knowledge struct {
	names   Names
	catalog *catalog.Catalog // nil if there is none
	policy  *policy.Policy   // nil if none are protected
	schema  string           // the session's default
	plain   []*catalog.Table // that are known to be
	into    bool             // the text is the query of a SetVariables
	left    bool             // what the session could keep is the server's to do
	apart   bool             // no call is computed by itself
	kept    bool             // the text is the query of a view of tunic's, whatever it reads by now
	// elsewhere says that the session is in another schema than the text's.
	elsewhere bool
}

// know takes the current version of the catalog.
func (p *Planner) know(schema string) knowledge {
	if p.catalog == nil {
		return knowledge{names: p.names}
	}
	c := p.catalog()
	return knowledge{names: c, catalog: c, policy: p.rules(), schema: schema}
}

// rules are the current policy, nil if none are protected.
func (p *Planner) rules() *policy.Policy {
	if p.policy == nil {
		return nil
	}
	return p.policy()
}

// version is the catalog's, which a plan is found by.
func (k *knowledge) version() uint64 {
	if k.catalog == nil {
		return 0
	}
	return k.catalog.Version
}

// Plan says what to do with text, sent by a session in modes m whose default
// schema is schema. It uses the session's own fingerprinter, and keeps no reference
// to text. If the plan is to run, the fingerprinter has the text's literals.
func (p *Planner) Plan(fp *sql.Fingerprinter, text []byte, m sql.Modes, schema string) *Plan {
	return p.plan(fp, text, m, p.know(schema))
}

// PlanWith is Plan for a session with a catalog of its own, in which its temporary
// tables are as well. Its version is one that no other catalog has.
func (p *Planner) PlanWith(own *catalog.Catalog, fp *sql.Fingerprinter, text []byte, m sql.Modes, schema string) *Plan {
	return p.plan(fp, text, m, knowledge{names: own, catalog: own, policy: p.rules(), schema: schema})
}

// PlanBeside is PlanWith for a text whose plan was refused and has said in Needs which
// tables it names beside protected ones: plain are those of them that are there, as they
// are now. Such a plan is not kept.
func (p *Planner) PlanBeside(c *catalog.Catalog, plain []*catalog.Table, fp *sql.Fingerprinter, text []byte, m sql.Modes, schema string) *Plan {
	return p.planOnce(fp, text, m, knowledge{names: c, catalog: c, policy: p.rules(), schema: schema, plain: plain})
}

func (p *Planner) plan(fp *sql.Fingerprinter, text []byte, m sql.Modes, known knowledge) *Plan {
	fp.Record(known.catalog != nil)
	f := fp.Fingerprint(text, m)
	if !f.Clean {
		p.cache.Missed(f.Hash)
		return decide(text, m, known, nil)
	}
	if strings.EqualFold(known.schema, catalog.Schema) {
		return decide(text, m, known, fp.Literals()) // the plan of another schema will not do
	}
	at := cache.Key{Hash: f.Hash, Modes: m, Version: known.version(), Policy: known.policy, Schema: known.schema, Into: known.into}
	if plan := p.cache.Find(at, f.Template); plan != nil {
		return plan
	}
	plan := decide(text, m, known, fp.Literals())
	lasting := len(f.Template) <= templateBytesMax && reusable(plan)
	plan.Template = p.usage.Open(&f, m, lasting)
	if lasting {
		p.cache.Insert(at, f.Template, plan, plan.size(), plan.OfSchema)
	}
	return plan
}

// planOnce plans a text by what is known for it alone: such a plan is not kept.
func (p *Planner) planOnce(fp *sql.Fingerprinter, text []byte, m sql.Modes, known knowledge) *Plan {
	fp.Record(true)
	f := fp.Fingerprint(text, m)
	if !f.Clean {
		return decide(text, m, known, nil)
	}
	plan := decide(text, m, known, fp.Literals())
	plan.Template = p.usage.Open(&f, m, false)
	return plan
}

// reusable says that the plan holds for every text with its template. The
// template of a text is made in the modes of its beginning; if a statement
// changes them, those after it were not read as the server reads them.
func reusable(p *Plan) bool {
	switch a := p.Action.(type) {
	case *Forward:
		if a.Locks != nil {
			return false // it seldom comes
		}
	case *Execute:
		if a.Run.Load() != nil {
			return false // it is for one text
		}
	case *Refuse, *Explain:
	default:
		return false // it is for one text, or seldom comes
	}
	for i := range p.Statements {
		s := &p.Statements[i]
		if !s.Kind.Reusable() || (i < len(p.Statements)-1 && s.Effects.ChangesModes()) {
			return false
		}
	}
	return true
}

// Stats are the counters since the start, and what the cache holds now. A text
// that cannot be cached counts as a miss.
func (p *Planner) Stats() (hits, misses, evictions, entries uint64, bytes int64) {
	return p.cache.Stats()
}
