package alteration

import (
	"slices"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Merge makes of the server's account of a changed twin the table to come. was is
// its account of the twin before.
func (c *Change) Merge(t *definition.Twin, was, is *definition.Facts, s *definition.Surroundings) (*definition.Logical, error) {
	before, err := showcreate.Read(was.Create)
	if err != nil {
		return nil, err
	}
	for i := range before.Keys {
		if at := showcreate.TailComment(before.Keys[i].Tail); !at.Empty() && i < len(c.shown.Keys) {
			own := showcreate.TailComment(c.shown.Keys[i].Tail)
			t.KeyComments[showcreate.UnquoteString(before.Keys[i].Tail[at.From:at.To])] = showcreate.UnquoteString(c.shown.Keys[i].Tail[own.From:own.To])
		}
	}
	l, err := t.Read(c.Definition, is, s)
	if err != nil {
		return nil, err
	}
	if err := c.goOn(l, before, is); err != nil {
		return nil, err
	}
	c.keepConstraints(l)
	l.Shown.Sort(s.Env.Flavor)
	l.Table.Definition = l.Shown.SQL(showcreate.BeginOf(c.Old.Definition), identifier.Quoted(c.Definition.Table))
	definition.Index(l.Table)
	c.leaveFamilies(l.Table)
	if err := c.layFamilies(l.Table); err != nil {
		return nil, err
	}
	if err := l.Stand(c.Definition, c.Old, s); err != nil {
		return nil, err
	}
	if c.leaveFamilies(l.Table) { // whose tokens are of another domain by now
		if err := c.layFamilies(l.Table); err != nil {
			return nil, err
		}
	}
	if err := c.joinFamilies(l.Table, c.Definition); err != nil {
		return nil, err
	}
	c.settleJobs(l.Table)
	return l, nil
}

// settleJobs takes from columns the layers that jobs have on their way and that would have
// to be made anew: the change goes on, and the job finds that they are gone. And it knows
// of stored columns that are in the primary key that they take no NULL.
func (c *Change) settleJobs(t *catalog.Table) {
	for i := range t.Columns {
		column := &t.Columns[i]
		if old := c.was(column.Name); old != nil {
			column.Layers = slices.DeleteFunc(column.Layers, func(l catalog.Layer) bool {
				return l.State != catalog.Ready && !keepsTokens(&l, old, column)
			})
		}
		for j := range column.Layers {
			l := &column.Layers[j]
			l.Nullable = l.Nullable && column.Type.NotNull && !inPrimary(t, column.Name, l.Capability)
		}
	}
}

// inPrimary says that the primary key is over a column's layer.
func inPrimary(t *catalog.Table, column string, layer policy.Capabilities) bool {
	return slices.ContainsFunc(t.Keys, func(k catalog.Key) bool {
		return k.Kind == catalog.Primary && slices.ContainsFunc(k.Parts, func(p catalog.Part) bool {
			return catalog.Folded(p.Column) == catalog.Folded(column) && p.Layer == layer
		})
	})
}

// keepsTokens says that the tokens of a layer are right for a column that a change makes
// of another.
func keepsTokens(l *catalog.Layer, old, next *catalog.Column) bool {
	before := old.Layer(l.Capability)
	return before != nil && before.Scheme == l.Scheme && before.Grain == l.Grain && before.Epoch == l.Epoch && old.Domain == next.Domain && old.Family == next.Family && value.Widens(&old.Type, &next.Type) && !(next.ValidJSON && !old.ValidJSON) &&
		form.TokenBytes(l, &old.Type) == form.TokenBytes(l, &next.Type) && collationName(&old.Type) == collationName(&next.Type)
}

// goOn gives columns that were there before what they had. One that the server
// shows as before is taken over as it is, its default included.
func (c *Change) goOn(l *definition.Logical, before *showcreate.Table, is *definition.Facts) error {
	now, _ := showcreate.Read(is.Create) // read before
	for i := range l.Table.Columns {
		column := &l.Table.Columns[i]
		name := catalog.Folded(column.Name)
		at := c.Old.Column(c.Names[name])
		if c.Names[name] == "" || at < 0 {
			c.adopt(column)
			continue
		}
		old := &c.Old.Columns[at]
		same := column.CollationName == old.CollationName && column.TypeText == old.TypeText && column.Type.NotNull == old.Type.NotNull
		if same && !c.touched[name] && showcreate.BodyOf(now.Columns[i].Text) == showcreate.BodyOf(before.Columns[at].Text) {
			l.Shown.Columns[i].Text = identifier.Quoted(column.Name) + showcreate.BodyOf(c.shown.Columns[at].Text)
			fresh := *column
			*column = *old
			column.Name, column.Protection, column.Epoch = fresh.Name, fresh.Protection, fresh.Epoch
		} else if !c.touched[name] && column.Protected() && column.Default.Kind == catalog.DefaultExpression {
			return sqlerr.DefinitionForm(c.Old.Name, "a change that the server makes in an expression of another column")
		}
		was := c.was(column.Name)
		column.ID, column.Domain, column.Family = was.ID, was.Domain, ""
		if column.Protected() {
			column.Family = was.Family
		}
		if was.Protected() {
			column.Epoch = was.Epoch
		}
		column.Layers = c.layersOn(column, was)
		if before, after := was.Layer(policy.Order), column.Layer(policy.Order); before != nil && after != nil && before.Grain != after.Grain {
			return sqlerr.DefinitionForm(c.Old.Name, "another grain of an order layer that is there (drop the layer first)")
		}
	}
	return nil
}

// adopt makes of a new column the one that has been backfilled for it.
func (c *Change) adopt(column *catalog.Column) {
	if old := c.filledFor(column.Name); old != nil {
		column.ID, column.Domain, column.Epoch = old.ID, old.Domain, old.Epoch
		column.Layers = c.layersOn(column, old)
	}
}

// layersOn are the layers that a column keeps, under its name. One that a statement was
// backfilling is kept only by that statement, which has backfilled it, and with it what a job was.
// What else jobs have on their way goes on (settleJobs).
func (c *Change) layersOn(column, old *catalog.Column) (layers []catalog.Layer) {
	for _, l := range old.Layers {
		if l.State == catalog.Backfilling && l.Job == 0 && !c.Backfilled || !column.Protected() || !column.Protection.Allowed.Has(catalog.Base(l.Capability)) {
			continue
		}
		// Of another type it may have another scheme, or not be possible: then what
		// needs it says so.
		grain := l.Grain // a coarser one than the ceiling's, perhaps
		if column.Protection.Grain != old.Protection.Grain {
			grain = column.Protection.Grain
		}
		if made, err := form.NewLayer(column, l.Capability, grain); err == nil {
			made.Nullable = l.Nullable
			if l.State == catalog.Retiring || l.State == catalog.Backfilling && !c.Backfilled {
				made.State, made.Job = l.State, l.Job
			}
			layers = append(layers, made)
		}
	}
	return layers
}

// keepConstraints adds the constraints that stay to those that have come, which get
// names after theirs.
func (c *Change) keepConstraints(l *definition.Logical) {
	for _, word := range []string{"_ibfk_", "_chk_"} {
		c.countOn(l, word)
	}
	c.numberOn(l)
	for _, k := range c.Old.ForeignKeys {
		if !c.gone[catalog.Folded(k.Name)] {
			k.Columns, k.Referenced = c.now(k.Columns), slices.Clone(k.Referenced)
			if k.Schema == c.Old.Schema && k.Table == c.Old.Name {
				k.Referenced = c.now(k.Referenced)
			}
			l.Table.ForeignKeys = append(l.Table.ForeignKeys, k)
		}
	}
	for _, k := range c.shown.ForeignKeys {
		if !c.gone[catalog.Folded(k.Name)] {
			k.Columns = c.now(k.Columns)
			if k.Schema == "" && k.Table == c.Old.Name {
				k.Referenced = c.now(k.Referenced)
			}
			l.Shown.ForeignKeys = append(l.Shown.ForeignKeys, k)
		}
	}
	var stay []showcreate.Check
	for _, k := range c.shown.Checks {
		if !c.gone[catalog.Folded(k.Name)] {
			stay = append(stay, k)
		}
	}
	l.Shown.Checks = append(stay, l.Shown.Checks...)
}

// countOn lets the numbers in names that the server has made go on behind those
// that are there.
func (c *Change) countOn(l *definition.Logical, word string) {
	prefix, last := c.Old.Name+word, 0
	for _, name := range c.constraintNames() {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			if n, err := strconv.Atoi(rest); err == nil {
				last = max(last, n)
			}
		}
	}
	on := func(name string) string {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			if n, err := strconv.Atoi(rest); err == nil {
				return prefix + strconv.Itoa(n+last)
			}
		}
		return name
	}
	for i := range l.Table.ForeignKeys {
		l.Table.ForeignKeys[i].Name = on(l.Table.ForeignKeys[i].Name)
	}
	for i := range l.Shown.ForeignKeys {
		l.Shown.ForeignKeys[i].Name = on(l.Shown.ForeignKeys[i].Name)
	}
	for i := range l.Shown.Checks {
		l.Shown.Checks[i].Name = on(l.Shown.Checks[i].Name)
	}
}

// numbered begins the names that MariaDB gives to CHECKs of a table: with the first
// number that none has yet.
const numbered = "CONSTRAINT_"

// numberOn gives the CHECKs that come such names behind those that stay.
func (c *Change) numberOn(l *definition.Logical) {
	taken := map[string]bool{}
	for i := range c.shown.Checks {
		if name := catalog.Folded(c.shown.Checks[i].Name); !c.gone[name] {
			taken[name] = true
		}
	}
	for i := range l.Shown.Checks {
		k := &l.Shown.Checks[i]
		if _, err := strconv.Atoi(strings.TrimPrefix(k.Name, numbered)); err != nil || !strings.HasPrefix(k.Name, numbered) {
			continue
		}
		for n := 1; taken[catalog.Folded(k.Name)]; n++ {
			k.Name = numbered + strconv.Itoa(n)
		}
		taken[catalog.Folded(k.Name)] = true
	}
}

func (c *Change) constraintNames() (names []string) {
	for i := range c.shown.ForeignKeys {
		names = append(names, c.shown.ForeignKeys[i].Name)
	}
	for i := range c.shown.Checks {
		names = append(names, c.shown.Checks[i].Name)
	}
	return names
}

// now are the names that columns have after the change.
func (c *Change) now(names []string) []string {
	out := slices.Clone(names)
	for i, name := range out {
		for to, from := range c.Names {
			if catalog.Folded(from) != catalog.Folded(name) {
				continue
			}
			if at := c.index(to); at >= 0 {
				out[i] = c.Definition.Spec.Columns[at].Name.String()
			}
		}
	}
	return out
}
