package report

import (
	"cmp"
	"slices"
	"strings"

	"tunic/internal/audit"
	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/policy"
)

// plain is a table or view that only the server has.
func (g *gathering) plain(t *tableFacts) Table {
	out := Table{Schema: t.schema, Name: t.name, View: t.view, Keys: t.keys, ForeignKeys: t.foreign, Columns: []Column{}}
	for i := range t.columns {
		c := &t.columns[i]
		typ := typeWords(c.typ)
		one := Column{Name: c.name, Type: typ, Forms: []Form{{Form: formPlain, Stored: c.name, Type: typ, State: "ready", Tells: "the values"}}}
		v := g.voice(t.schema, t.name, c)
		one.By = v.plain(c.counts)
		if !t.view {
			one.guarded = v.guarded()
		}
		out.Columns = append(out.Columns, one)
	}
	return out
}

// protected is a table or view of the catalog.
func (g *gathering) protected(t *catalog.Table) Table {
	out := Table{Schema: t.Schema, Name: t.Name, View: t.View != nil, Protected: true, Columns: []Column{}}
	g.found(&out)
	if out.View {
		return out
	}
	notes := account.Annotations(t)
	for i := range t.Known() {
		c := &t.Columns[i]
		comment := ""
		if note, said := notes[c.Name]; said {
			comment = "tunic: " + note.String()
		}
		v := g.voice(t.Schema, t.Name, &columnFacts{name: c.Name, comment: comment, counts: c.AutoIncrement})
		out.Columns = append(out.Columns, g.column(t, i, v))
	}
	for i := range t.Families {
		out.Families = append(out.Families, g.family(t, &t.Families[i]))
	}
	for i := range t.Keys {
		out.Keys = append(out.Keys, keyOf(t, &t.Keys[i]))
	}
	for i := range t.ForeignKeys {
		k := &t.ForeignKeys[i]
		out.ForeignKeys = append(out.ForeignKeys, Foreign{Name: k.Name, Columns: k.Columns, References: k.Schema + "." + k.Table})
	}
	return out
}

// found is what the look at a stored table has found.
func (g *gathering) found(out *Table) {
	t := g.looked[out.FullName()]
	if t == nil {
		out.State, out.changing = "was changed while it was looked at", true
		return
	}
	out.State, out.changing, out.Programs = "as the catalog says", t.Changing, t.Programs
	for _, p := range t.Plain {
		out.plain = append(out.plain, plainLeft{p.Column, p.Says(), p.Next})
		out.Faults = append(out.Faults, p.Says())
	}
	if out.unchecked = t.Unchecked; t.Unchecked {
		out.Faults = append(out.Faults, audit.UncheckedSays)
	}
	for _, m := range t.Mismatches {
		switch {
		case m.Leftover():
			out.leftover = append(out.leftover, m.Name)
		case m.Reader():
			out.read = append(out.read, audit.MismatchSays(m))
		default:
			out.changed, out.wrong, out.fix = true, append(out.wrong, audit.MismatchSays(m)), t.Fix(m)
		}
		out.Faults = append(out.Faults, audit.MismatchSays(m))
	}
	switch {
	case t.Changing:
		out.State = "is being changed: not looked at"
	case out.changed:
		out.State = "not as the catalog says"
	case t.Between:
		out.State = "between two steps of tunic encrypt, decrypt or rotate --families"
	case len(out.Faults) > 0:
		out.State = "as the catalog says, with something left to do"
	}
}

// column is a column of a protected table.
func (g *gathering) column(t *catalog.Table, at int, v voice) Column {
	c := &t.Columns[at]
	one := Column{Name: c.Name, Type: typeWords(c.TypeText), Protected: c.Protected()}
	if !c.Protected() {
		one.By = plainBy(t, c, v)
		one.Forms = []Form{{Form: formPlain, Stored: c.Stored(), Type: g.storedType(t, c.Stored()), State: "ready", Tells: "the values", Over: named(over(t, c, 0))}}
		one.guarded, one.beside = v.guarded(), true
		if shadow := t.PlainShadow(at); shadow >= 0 {
			one.Forms = append(one.Forms, g.forms(t, &t.Columns[shadow], voice{}, "copy")...)
			one.guarded = "" // it is on its way
		}
		return one
	}
	one.Ceiling, one.By = c.Protection.String(), v.protected(c)
	one.weaker = v.weaker(c)
	one.Forms = g.forms(t, c, v, "ready")
	if next := t.Shadow(at); next >= 0 {
		one.Forms = append(one.Forms, g.forms(t, &t.Columns[next], voice{}, "copy")...)
	}
	return one
}

// plainBy is who has a column of a protected table be plain.
func plainBy(t *catalog.Table, c *catalog.Column, v voice) Asker {
	by := v.plain(c.AutoIncrement)
	if by.By != "none" {
		return by
	}
	if c.Generated {
		return Asker{By: "generated"}
	}
	for i := range t.ForeignKeys {
		k := &t.ForeignKeys[i]
		for j, name := range k.Columns {
			if strings.EqualFold(name, c.Name) && foreignLayer(k, j) == 0 {
				return Asker{By: "foreign key", Name: k.Name}
			}
		}
	}
	return Asker{By: "earlier"}
}

// forms are the stored forms of a protected column.
func (g *gathering) forms(t *catalog.Table, c *catalog.Column, v voice, state string) []Form {
	sealed := Form{Form: formSealed, Stored: c.Stored(), Type: g.storedType(t, c.Stored()), Scheme: schemeGCM, State: state, Tells: sealedTells(t, c)}
	g.epoch(&sealed, c.Epoch)
	all := []Form{sealed}
	for i := range c.Layers {
		l := &c.Layers[i]
		f := Form{Form: formOf(l), Stored: l.Stored, Type: g.storedType(t, l.Stored), Scheme: l.Scheme.String(), State: l.State.String(), Tells: tells(l)}
		if l.Grain != (policy.Grain{}) {
			f.Grain = l.Grain.String()
		}
		if !l.Bare() {
			g.epoch(&f, l.Epoch)
			f.Over = named(over(t, c, l.Capability))
		}
		if c.Family != "" && !c.Type.NotNull { // the family's form does not tell it
			f.Tells = "which are NULL, " + f.Tells
		}
		if l.IsShadow() || state == "copy" {
			f.State = "copy"
		} else if !l.Bare() {
			f.AskedBy = g.askers(t, c, l, v)
			f.unasked = len(f.AskedBy) == 0
			f.Values = ofType(t, c, l)
		}
		all = append(all, f)
	}
	return all
}

// family is a family of a protected table.
func (g *gathering) family(t *catalog.Table, f *catalog.Family) Family {
	out := Family{Stored: f.Stored, Type: g.storedType(t, f.Stored), Most: f.Bytes, Tells: familyTells(t, f.Stored)}
	for _, i := range t.Members(f) {
		out.Columns = append(out.Columns, cmp.Or(t.Columns[i].Shadows, t.Columns[i].Name))
	}
	return out
}

func (g *gathering) storedType(t *catalog.Table, column string) string {
	return typeWords(g.facts.stored[[3]string{t.Schema, t.Name, column}])
}

// epoch notes the epoch of a form's key, and its master key.
func (g *gathering) epoch(f *Form, epoch uint16) {
	f.Epoch = &epoch
	if master, err := g.now.Tree.MasterVersion(epoch); err == nil {
		f.Master = &master
	}
}

// keyOf is an index of a protected table.
func keyOf(t *catalog.Table, k *catalog.Key) Key {
	out := Key{Name: k.Name, Kind: [...]string{"index", "primary", "unique", "fulltext", "spatial"}[k.Kind]}
	for _, p := range k.Parts {
		part := KeyPart{Column: p.Column}
		if at := t.Column(p.Column); p.Layer != 0 && at >= 0 {
			if l := t.Columns[at].Layer(p.Layer); l != nil {
				part.Form = formOf(l)
			}
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

// over are the keys and foreign keys that are over a form of a column: a layer, or 0 for a plain one.
func over(t *catalog.Table, c *catalog.Column, layer policy.Capabilities) (all []Asker) {
	for i := range t.Keys {
		k := &t.Keys[i]
		if slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return strings.EqualFold(p.Column, c.Name) && p.Layer == layer }) {
			all = append(all, Asker{By: "key", Name: k.Name})
		}
	}
	for i := range t.ForeignKeys {
		k := &t.ForeignKeys[i]
		for j, name := range k.Columns {
			if strings.EqualFold(name, c.Name) && foreignLayer(k, j) == layer {
				all = append(all, Asker{By: "foreign key", Name: k.Name})
			}
		}
	}
	return all
}

// foreignLayer is the layer that a foreign key has a column over. A catalog of before that was written
// down has none for any.
func foreignLayer(k *catalog.ForeignKey, at int) policy.Capabilities {
	if at < len(k.Layers) {
		return k.Layers[at]
	}
	return 0
}
