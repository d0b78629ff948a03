package report

import (
	"errors"
	"strings"

	"tunic/internal/advice"
	"tunic/internal/catalog"
	"tunic/internal/jobs"
	"tunic/internal/policy"
)

// The catalog says what a column has, and not who has asked for it. What asks for it now is found here: the
// rules of the configuration, annotations, keys, and the jobs that the ledger keeps.

// voice is what the policy says of a column now.
type voice struct {
	policy.Decision
	known bool
	// rule is the rule as the configuration has it.
	rule string
	// waits says that the rule lets the column be plain for a while.
	waits bool
	// above says that the annotation asks for more than the rule allows.
	above bool
}

// voice asks the policy.
func (g *gathering) voice(schema, table string, c *columnFacts) voice {
	v := voice{known: true}
	if at := g.Policy.RuleOf(schema, table, c.name); at >= 0 {
		v.waits = g.Policy.Rules[at].Waits
		if at < len(g.Config.Policy.Rules) {
			r := &g.Config.Policy.Rules[at]
			v.rule = r.Columns + " = " + r.Protection
		}
	}
	of := policy.Column{Schema: schema, Table: table, Name: c.name, Comment: c.comment}
	d, err := g.Policy.Column(of)
	if errors.Is(err, policy.ErrWeaker) {
		v.above = true
		of.Comment = ""
		d, err = g.Policy.Column(of)
	}
	if err != nil { // a comment that speaks to tunic and cannot be read
		v.known = false
	}
	v.Decision = d
	return v
}

// asker is the voice as one that asks.
func (v *voice) asker() Asker {
	switch v.By {
	case policy.ByRule:
		return Asker{By: "rule", Name: v.rule}
	case policy.ByAnnotation:
		return Asker{By: "annotation"}
	default:
		return Asker{By: "default"}
	}
}

// plain is who has a column be plain.
func (v *voice) plain(counts bool) Asker {
	switch {
	case counts:
		return Asker{By: "AUTO_INCREMENT"}
	case v.known && !v.Protected:
		return v.asker()
	}
	return Asker{By: "none"} // it was there before, or was made around tunic
}

// guarded is why a column must not be plain; "" if it may.
func (v *voice) guarded() string {
	switch {
	case v.above:
		return "its annotation allows more than rule " + v.rule + " does"
	case !v.known || !v.Protected:
		return ""
	case v.By == policy.ByRule && v.waits:
		return "rule " + v.rule + " waits for it to be encrypted"
	case v.By == policy.ByRule:
		return "rule " + v.rule + " protects it"
	case v.By == policy.ByAnnotation:
		return "its annotation protects it"
	}
	return "" // the default is of tables that are still to come
}

// protected is who has a column be protected as it is.
func (v *voice) protected(c *catalog.Column) Asker {
	if v.known && v.Protection == c.Protection {
		return v.asker()
	}
	return Asker{By: "earlier"}
}

// weaker is why a column's ceiling is above what the policy allows now; "" if it is not.
func (v *voice) weaker(c *catalog.Column) string {
	switch {
	case v.above:
		return "its annotation allows more than rule " + v.rule + " does"
	case v.known && !c.Protection.Within(v.Protection):
		a := v.asker()
		return "it may have " + c.Protection.String() + ", and " + a.words() + " now says " + v.Protection.String()
	}
	return ""
}

// askers are who asks for a layer: none if nothing does any more.
func (g *gathering) askers(t *catalog.Table, c *catalog.Column, l *catalog.Layer, v voice) (all []Asker) {
	if v.known && v.Wanted.Has(l.Capability) {
		all = append(all, v.asker())
	}
	all = append(all, over(t, c, l.Capability)...)
	if j := g.jobOf(t, c, l.Capability); j != nil {
		asked := j.Asked.UTC()
		one := Asker{By: "job", Name: "CALL tunic.add_layer", Reason: j.Reason, When: &asked}
		if why, auto := strings.CutPrefix(j.Reason, advice.AutoReason); auto {
			one.By, one.Name, one.Reason = "auto", "policy.layers", why
		}
		all = append(all, one)
	}
	return all
}

// jobOf is the last job that has added a layer, or adds it; nil if there is none.
func (g *gathering) jobOf(t *catalog.Table, c *catalog.Column, layer policy.Capabilities) (last *catalog.Job) {
	for _, j := range g.known.Jobs() {
		if j.Kind == jobs.AddLayer && j.Table == t.ID && j.Column == c.ID && j.Layer == layer && j.State != catalog.JobCancelled {
			last = j
		}
	}
	return last
}

// words are who asks, in a sentence.
func (a *Asker) words() string {
	switch a.By {
	case "rule", "key", "foreign key":
		return a.By + " " + a.Name
	case "annotation":
		return "its annotation"
	case "default":
		return "the default of the policy"
	case "AUTO_INCREMENT":
		return "AUTO_INCREMENT"
	case "generated":
		return "being computed from plain columns"
	case "earlier":
		return "an earlier policy or annotation"
	}
	words := a.Name
	if a.When != nil {
		words += " of " + a.When.Format("2006-01-02")
	}
	if a.Reason != "" {
		words += ": " + a.Reason
	}
	return words
}
