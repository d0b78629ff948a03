package definition

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Kept is what a column has already.
type Kept struct {
	Protection policy.Protection
	layers     policy.Capabilities
	// grain is that of its order layer, which may be coarser than its ceiling's.
	grain policy.Grain
	// Settled says that the definition is not about the column, so that nothing of
	// it is decided anew.
	Settled bool
}

// KeptOf is what a column has. A layer that is being backfilled it does not have yet.
func KeptOf(c *catalog.Column) Kept {
	k := Kept{Protection: c.Protection}
	for _, l := range c.Layers {
		if l.State == catalog.Ready && !l.IsShadow() {
			k.Add(&l)
		}
	}
	return k
}

// Add notes a layer that the column has.
func (k *Kept) Add(l *catalog.Layer) {
	k.layers |= l.Capability
	if l.Capability == policy.Order {
		k.grain = l.Grain
	}
}

// decision is that it keeps all of it.
func (k *Kept) decision(by policy.Voice) policy.Decision {
	return policy.Decision{Protection: k.Protection, Wanted: k.layers, WantedGrain: k.grain, By: by}
}

// KeptProtected are the protected columns of a table, by folded name.
func KeptProtected(t *catalog.Table) map[string]Kept {
	all := map[string]Kept{}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Protected() {
			all[catalog.Folded(c.Name)] = KeptOf(c)
		}
	}
	return all
}

// InParentheses puts the expressions in parentheses that are defaults: MariaDB shows some
// of them without.
func InParentheses(definition string) string {
	account, err := showcreate.Read(definition)
	if err != nil {
		return definition
	}
	for i := range account.Columns {
		c := &account.Columns[i]
		at := showcreate.PartsOf(c.Text).Value
		words := showcreate.Tokens(c.Text[at.From:at.To])
		if len(words) < 2 || isNow(c.Text[at.From:]) || words[0].Kind != showcreate.TokenWord || !words[1].Is(c.Text[at.From:at.To], "(") {
			continue
		}
		c.Text = showcreate.Edited(c.Text, showcreate.Edit{Span: at, Text: "(" + c.Text[at.From:at.To] + ")"})
	}
	return account.SQL(showcreate.BeginOf(definition), identifier.Quoted(showcreate.NameIn(definition)))
}

// WithoutNames leaves out of a definition what LIKE does not copy: foreign keys,
// the counter, and on MySQL the names of CHECKs, which belong to the schema.
func WithoutNames(spec *ast.TableSpec, flavor value.Flavor) {
	constraints := spec.Constraints[:0:0]
	for _, c := range spec.Constraints {
		if _, ok := c.Details.(*ast.ForeignKeyDefinition); ok {
			continue
		}
		if flavor != value.MariaDB {
			c.Name = ast.Identifier("")
		}
		constraints = append(constraints, c)
	}
	options := spec.Options[:0:0]
	for _, o := range spec.Options {
		if !strings.EqualFold(o.Name, "AUTO_INCREMENT") {
			options = append(options, o)
		}
	}
	spec.Constraints, spec.Options = constraints, options
}
