package report

import (
	"context"
	"errors"
	"slices"

	"tunic/internal/advice"
	"tunic/internal/catalog"
	"tunic/internal/layers"
	"tunic/internal/policy"
)

// ofType is what is known of a layer without a look at values: each occurs once, or what the type says. It
// is nil where nothing is known.
func ofType(t *catalog.Table, c *catalog.Column, l *catalog.Layer) *Values {
	if l.Capability == policy.Equality && t.UniqueAlone(c) {
		return &Values{Basis: "key", Says: "a unique key is over the column alone: each value occurs once"}
	}
	switch why := advice.OfType(&c.Type, l.Capability); {
	case why == advice.Few:
		return &Values{Basis: "type", Against: true, Says: "the type has few values: how often each occurs would name them"}
	case why == advice.Dense && l.Grain == policy.Grain{}:
		return &Values{Basis: "type", Against: true, Says: "values of the type often fill their range: their order would name them"}
	}
	return nil
}

// values reads a sample of each column that has layers, if that was asked for.
func (g *gathering) values(ctx context.Context) error {
	if g.Sample <= 0 {
		return nil
	}
	for i := range g.report.Tables {
		out := &g.report.Tables[i]
		t := g.known.Table(out.Schema, out.Name)
		if out.View || t == nil || out.changed || out.changing {
			continue
		}
		if g.Progress != nil {
			g.Progress(out.FullName(), i, len(g.report.Tables))
		}
		for j := range out.Columns {
			if err := g.sample(ctx, t, &out.Columns[j]); err != nil {
				return err
			}
		}
	}
	return nil
}

// sample judges the layers of one column.
func (g *gathering) sample(ctx context.Context, t *catalog.Table, out *Column) error {
	at := t.Column(out.Name)
	if at < 0 || !slices.ContainsFunc(out.Forms, judged) {
		return nil
	}
	d, err := advice.Look(ctx, g.DB, g.ring, t, at, g.Sample)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i := range out.Forms {
		f := &out.Forms[i]
		if !judged(*f) {
			continue
		}
		switch l := layerOf(&t.Columns[at], f); {
		case l == nil, errors.Is(err, advice.ErrUnsuited):
		case errors.Is(err, layers.ErrForeign):
			f.Values = &Values{Basis: "sample", Says: "a stored value does not open", foreign: true}
		case err != nil:
			f.Values = &Values{Basis: "sample", Says: "the values could not be looked at"}
		default:
			f.Values = ofSample(l, d, f.Values)
		}
	}
	return nil
}

// judged reports whether values can speak against a form.
func judged(f Form) bool { return (f.Form == formEquality || f.Form == formOrder) && f.State != "copy" }

func layerOf(c *catalog.Column, f *Form) *catalog.Layer {
	at := slices.IndexFunc(c.Layers, func(l catalog.Layer) bool { return l.Stored == f.Stored })
	if at < 0 {
		return nil
	}
	return &c.Layers[at]
}

// ofSample is what a sample says of a layer; byType is what was known without it, which stands where there
// are too few values.
func ofSample(l *catalog.Layer, d *advice.Distribution, byType *Values) *Values {
	if byType != nil && byType.Basis == "key" {
		return byType
	}
	v := advice.Judge(d, l.Capability)
	switch {
	case v.Why == advice.Unjudged && byType != nil:
		return byType
	case v.Why == advice.Dense && l.Grain != policy.Grain{}: // it is what a grain is for
		v = advice.Verdict{}
	}
	says := v.Why.String()
	if v.Why == advice.Fine {
		says = "the values do not speak against it"
	}
	return &Values{Basis: "sample", Read: d.Read, Against: v.Refused, Says: says}
}
