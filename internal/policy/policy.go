package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Policy is what the operator has configured.
type Policy struct {
	// Default is for columns that no rule names and no annotation speaks of. Of a
	// protected one, Allowed is the ceiling (policy.ceiling); nothing is wanted.
	Default Protection
	// Rules are asked in their order; the first that matches is the column's.
	Rules []Rule
	// Together says that protected columns of short values of a table are one family, unless somebody says otherwise.
	Together bool
	// Keys is what is done about layers that a definition of a client's gives a column by a
	// key or an annotation.
	Keys Keys
}

// Keys is what is done about a layer that a definition of a client's brings, and no rule.
type Keys uint8

// The values of Keys.
const (
	KeysAllow  Keys = iota // nothing: it comes
	KeysWarn               // it comes, and the client is told
	KeysRefuse             // the same if an annotation has named it; for a key it does not come
)

// Rule says what columns of a name may have.
type Rule struct {
	Columns    Pattern
	Protection Protection
	// Family is the name of the family that they are in, "" if the rule names none; Apart says that they are sealed
	// by themselves.
	Family string
	Apart  bool
	// Waits says that tables with such columns may be plain still: they are to be
	// encrypted, and used meanwhile.
	Waits bool
}

// ParseRule reads a rule's two halves as the configuration has them. An error quotes what is wrong, which an annotation's
// does not: that is of a statement.
func ParseRule(columns, protection string) (Rule, error) {
	pattern, err := ParsePattern(columns)
	if err != nil {
		return Rule{}, err
	}
	n, err := parseNote(protection)
	switch {
	case errors.Is(err, ErrEmpty), n.Silent:
		return Rule{}, ErrEmpty
	case err != nil:
		return Rule{}, fmt.Errorf("%.60q: %w", protection, err)
	}
	return Rule{Columns: pattern, Protection: n.Protection, Family: n.Family, Apart: n.Apart}, nil
}

// Column is what is known of a column when its table is defined.
type Column struct {
	Schema, Table, Name string
	Comment             string
	// AutoIncrement says that the server makes the values, which it can only do
	// for a plain column.
	AutoIncrement bool
}

// Decision is what becomes of a column.
type Decision struct {
	Protection
	// Wanted are the layers that exist from the start because somebody has named
	// them. A key of the table may want more, within Allowed.
	Wanted Capabilities
	// WantedGrain is that of a wanted order layer: the ceiling's, or a coarser one.
	WantedGrain Grain
	Membership
	// By is whose word the protection was.
	By Voice
}

// Membership is what is said of the family of a column. Of a column that comes to be plain nothing comes of it.
type Membership struct {
	// Family is the name of the family that the column is to be in, "" without. Asked says that its annotation names it:
	// a definition that cannot do so is refused. A rule is for columns that can be in one.
	Family string
	Asked  bool
	// Together says that the column is in the table's family of short values if it can be.
	Together bool
}

// Voice is who has decided about a column.
type Voice uint8

// The voices.
const (
	ByDefault Voice = iota
	ByRule
	ByAnnotation
	ByServer // AUTO_INCREMENT: the server makes the values
)

// String is the voice as an explanation names it.
func (v Voice) String() string {
	return [...]string{"the default", "a rule", "its annotation", "AUTO_INCREMENT"}[v]
}

// Errors of Column.
var (
	// ErrWeaker says that an annotation asks for more than the column's rule
	// allows the server to see.
	ErrWeaker = errors.New("the annotation allows more than the rule for this column does")
	// ErrAutoIncrement says that a column cannot be both protected and counted up
	// by the server.
	ErrAutoIncrement = errors.New("an AUTO_INCREMENT column cannot be protected: the server makes its values")
)

// Column decides about a column. An error is about the definition: the table
// must not be created as it is.
func (p *Policy) Column(c Column) (Decision, error) {
	note, annotated, err := Annotation(c.Comment)
	if err != nil {
		return Decision{}, fmt.Errorf("annotation: %w", err)
	}
	d := p.named(c)
	if annotated && !note.Silent {
		if d.By == ByRule && !note.Protection.Within(d.Protection) {
			return Decision{}, ErrWeaker
		}
		p := note.Protection
		d = Decision{Protection: p, Wanted: p.Allowed, WantedGrain: p.Grain, Membership: d.Membership, By: ByAnnotation}
	}
	if note.Family != "" || note.Apart {
		d.Membership = Membership{Family: note.Family, Asked: note.Family != ""}
	}
	if !c.AutoIncrement || !d.Protected {
		return d, nil
	}
	if d.By != ByDefault {
		return Decision{}, ErrAutoIncrement
	}
	return Decision{Protection: Plain, Membership: d.Membership, By: ByServer}, nil
}

// rule is the rule of a column: the first that matches; nil without one.
func (p *Policy) rule(schema, table, column string) *Rule {
	for i := range p.Rules {
		if r := &p.Rules[i]; r.Columns.Matches(schema, table, column) {
			return r
		}
	}
	return nil
}

// RuleOf is the number of the rule of a column in Rules: the first that matches; -1 without one.
func (p *Policy) RuleOf(schema, table, column string) int {
	return slices.IndexFunc(p.Rules, func(r Rule) bool { return r.Columns.Matches(schema, table, column) })
}

// Ruled reports whether a rule protects a column, be it that it waits to be encrypted.
func (p *Policy) Ruled(schema, table, column string) bool {
	r := p.rule(schema, table, column)
	return r != nil && r.Protection.Protected
}

// named is what the configuration says of a column.
func (p *Policy) named(c Column) Decision {
	if r := p.rule(c.Schema, c.Table, c.Name); r != nil {
		return Decision{
			Protection: r.Protection, Wanted: r.Protection.Allowed, WantedGrain: r.Protection.Grain,
			Membership: Membership{Family: r.Family, Together: p.Together && r.Family == "" && !r.Apart}, By: ByRule,
		}
	}
	return Decision{Protection: p.Default, Membership: Membership{Together: p.Together}, By: ByDefault}
}

// guards reports whether columns that the rule is of must not be plain; nil is no rule.
func (r *Rule) guards() bool { return r != nil && r.Protection.Protected && !r.Waits }

// guarding reports whether a rule of columns that must not be plain is as asked for.
func (p *Policy) guarding(is func(Pattern) bool) bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool { return r.guards() && is(r.Columns) })
}

// HasGuards reports whether there are columns that must not be plain.
func (p *Policy) HasGuards() bool { return p.guarding(func(Pattern) bool { return true }) }

// Guards reports whether a table of such a name must not have columns of some names
// that are plain.
func (p *Policy) Guards(schema, table string) bool {
	return p.guarding(func(of Pattern) bool { return of.matchesTable(schema, table) })
}

// GuardsByName is Guards by a rule that has the table's whole name, and no pattern of it.
func (p *Policy) GuardsByName(schema, table string) bool {
	return p.guarding(func(of Pattern) bool { return of.namesTable() && of.matchesTable(schema, table) })
}

// Guarded reports whether a column must not be plain: whoever finds it so uses it no more.
func (p *Policy) Guarded(schema, table, column string) bool {
	return p.rule(schema, table, column).guards()
}

// GuardsWord is Guarded for a word of a text that may name a column, by a rule that says more of
// columns than that they are all meant: by such a one every word would.
func (p *Policy) GuardsWord(schema, table, word string) bool {
	r := p.rule(schema, table, word)
	return r.guards() && r.Columns.column != "*"
}

// MayGuardAmong reports whether words in lower case may name a table that Guards is true of; schema is where names without one
// are looked for.
func (p *Policy) MayGuardAmong(schema string, words []string) bool {
	schema = strings.ToLower(schema)
	return p.guarding(func(of Pattern) bool {
		return slices.ContainsFunc(words, func(word string) bool { return matches(of.table, word) }) &&
			(matches(of.schema, schema) || slices.ContainsFunc(words, func(word string) bool { return matches(of.schema, word) }))
	})
}

// GuardedAmong is a table that a rule names in full if words in lower case may name it and a guarded column of it, or if the
// column may be unnamed; schema is where names without one are looked for. Tables for which except is true do not count.
func (p *Policy) GuardedAmong(schema string, words []string, unnamed bool, except func(schema, table string) bool) (table string, ok bool) {
	schema = strings.ToLower(schema)
	for i := range p.Rules {
		of := &p.Rules[i].Columns
		if !p.Rules[i].guards() || !of.namesTable() || !slices.Contains(words, of.table) || of.schema != schema && !slices.Contains(words, of.schema) ||
			except(of.schema, of.table) {
			continue
		}
		if unnamed || slices.ContainsFunc(words, func(word string) bool { return p.Guarded(of.schema, of.table, word) }) {
			return of.table, true
		}
	}
	return "", false
}

// MayProtect reports whether a table could have a protected column whatever its
// columns and their annotations are; if not, only an annotation can.
func (p *Policy) MayProtect(schema, table string) bool {
	for i := range p.Rules {
		if r := &p.Rules[i]; r.Protection.Protected && r.Columns.matchesTable(schema, table) {
			return true
		}
	}
	return p.Default.Protected
}
