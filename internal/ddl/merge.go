package ddl

import (
	"slices"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/value"
)

// merge makes of the server's account of a changed twin the table to come. was is
// its account of the twin before.
func (c *change) merge(t *twin, was, is *facts, s *surroundings) (*logical, error) {
	before, err := readShown(was.Create)
	if err != nil {
		return nil, err
	}
	for i := range before.Keys {
		if at := tailComment(before.Keys[i].Tail); !at.empty() && i < len(c.shown.Keys) {
			own := tailComment(c.shown.Keys[i].Tail)
			t.keyComments[unquoteString(before.Keys[i].Tail[at.from:at.to])] = unquoteString(c.shown.Keys[i].Tail[own.from:own.to])
		}
	}
	l, err := t.read(c.d, is, s)
	if err != nil {
		return nil, err
	}
	c.goOn(l, before, is)
	c.keepConstraints(l)
	l.shown.sort(s.env.Flavor)
	l.table.Definition = l.shown.text(createWord(c.old.Definition), quoteName(c.d.Table))
	catalogIndex(l.table)
	return l, l.stand(c.d, c.old, s)
}

// goOn gives columns that were there before what they had. One that the server
// shows as before is taken over as it is, its default included.
func (c *change) goOn(l *logical, before *shown, is *facts) {
	now, _ := readShown(is.Create) // read before
	for i := range l.table.Columns {
		column := &l.table.Columns[i]
		name := foldName(column.Name)
		at := c.old.Column(c.names[name])
		if c.names[name] == "" || at < 0 {
			continue
		}
		old := &c.old.Columns[at]
		same := column.CollationName == old.CollationName && column.TypeText == old.TypeText && column.Type.NotNull == old.Type.NotNull
		if same && !c.touched[name] && columnBody(now.Columns[i].Text) == columnBody(before.Columns[at].Text) {
			l.shown.Columns[i].Text = quoteName(column.Name) + columnBody(c.shown.Columns[at].Text)
			fresh := *column
			*column = *old
			column.Name, column.Protection = fresh.Name, fresh.Protection
		}
		column.ID, column.Domain, column.Epoch = old.ID, old.Domain, old.Epoch
		column.Layers = layersOn(column, old)
	}
}

// columnBody is a column's text behind its name.
func columnBody(text string) string { return text[tokens(text)[0].to:] }

// layersOn are the layers that a column keeps, under its name.
func layersOn(c, old *catalog.Column) (layers []catalog.Layer) {
	for _, l := range old.Layers {
		if c.Protected() && c.Protection.Allowed.Has(l.Capability) {
			l.Stored = catalog.StoredName(c.Name, l.Capability)
			layers = append(layers, l)
		}
	}
	return layers
}

// keepConstraints adds the constraints that stay to those that have come, which get
// names after theirs.
func (c *change) keepConstraints(l *logical) {
	for _, word := range []string{"_ibfk_", "_chk_"} {
		c.countOn(l, word)
	}
	for _, k := range c.old.ForeignKeys {
		if !c.gone[foldName(k.Name)] {
			k.Columns, k.Referenced = c.now(k.Columns), slices.Clone(k.Referenced)
			if k.Schema == c.old.Schema && k.Table == c.old.Name {
				k.Referenced = c.now(k.Referenced)
			}
			l.table.ForeignKeys = append(l.table.ForeignKeys, k)
		}
	}
	for _, k := range c.shown.ForeignKeys {
		if !c.gone[foldName(k.Name)] {
			k.Columns = c.now(k.Columns)
			if k.Schema == "" && k.Table == c.old.Name {
				k.Referenced = c.now(k.Referenced)
			}
			l.shown.ForeignKeys = append(l.shown.ForeignKeys, k)
		}
	}
	var stay []shownCheck
	for _, k := range c.shown.Checks {
		if !c.gone[foldName(k.Name)] {
			stay = append(stay, k)
		}
	}
	l.shown.Checks = append(stay, l.shown.Checks...)
}

// countOn lets the numbers in names that the server has made go on behind those
// that are there.
func (c *change) countOn(l *logical, word string) {
	prefix, last := c.old.Name+word, 0
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
	for i := range l.table.ForeignKeys {
		l.table.ForeignKeys[i].Name = on(l.table.ForeignKeys[i].Name)
	}
	for i := range l.shown.ForeignKeys {
		l.shown.ForeignKeys[i].Name = on(l.shown.ForeignKeys[i].Name)
	}
	for i := range l.shown.Checks {
		l.shown.Checks[i].Name = on(l.shown.Checks[i].Name)
	}
}

func (c *change) constraintNames() (names []string) {
	for i := range c.shown.ForeignKeys {
		names = append(names, c.shown.ForeignKeys[i].Name)
	}
	for i := range c.shown.Checks {
		names = append(names, c.shown.Checks[i].Name)
	}
	return names
}

// now are the names that columns have after the change.
func (c *change) now(names []string) []string {
	out := slices.Clone(names)
	for i, name := range out {
		for to, from := range c.names {
			if foldName(from) != foldName(name) {
				continue
			}
			if at := c.index(to); at >= 0 {
				out[i] = c.d.Spec.Columns[at].Name.String()
			}
		}
	}
	return out
}

// rewritten is a protected column whose stored values would have to be made anew,
// and all of them, by folded name.
func (c *change) rewritten(next *catalog.Table) map[string]bool {
	all := map[string]bool{}
	for i := range next.Columns {
		column := &next.Columns[i]
		at := c.old.Column(c.names[foldName(column.Name)])
		if c.names[foldName(column.Name)] == "" || at < 0 {
			filled := column.Type.NotNull || column.Default.Kind == catalog.DefaultValue || column.Default.Kind == catalog.DefaultNow
			all[foldName(column.Name)] = column.Protected() && filled
			continue
		}
		all[foldName(column.Name)] = !goesOn(&c.old.Columns[at], column)
	}
	return all
}

// goesOn says that what is stored of a column is still right.
func goesOn(old, next *catalog.Column) bool {
	switch {
	case !old.Protected() && !next.Protected():
		return true
	case old.Protected() != next.Protected(), !widens(&old.Type, &next.Type), next.ValidJSON && !old.ValidJSON:
		return false
	}
	for i := range next.Layers {
		l := &next.Layers[i]
		before := old.Layer(l.Capability)
		if before == nil || before.Scheme != l.Scheme || tokenBytes(before, &old.Type) != tokenBytes(l, &next.Type) ||
			old.Domain != next.Domain || collationName(&old.Type) != collationName(&next.Type) {
			return false
		}
	}
	return true
}

func collationName(t *value.Type) string {
	if t.Collation == nil {
		return ""
	}
	return t.Collation.Name
}

// widens says that every value of one type is a value of the other, with the same
// canonical form.
func widens(from, to *value.Type) bool {
	switch {
	case from.Kind.IsInteger() && to.Kind.IsInteger():
		return from.Unsigned == to.Unsigned && from.Kind <= to.Kind
	case from.Kind.IsText() && to.Kind.IsText():
		return from.Collation.Charset.Name == to.Collation.Charset.Name && (from.Kind == value.Char) == (to.Kind == value.Char) &&
			fitsIn(from, to) && (from.Collation.PadSpace == to.Collation.PadSpace)
	case from.Kind != to.Kind:
		return false
	case from.Kind == value.Decimal:
		return from.Decimals == to.Decimals && from.Unsigned == to.Unsigned && from.Length <= to.Length && value.FixedBytes(from) == value.FixedBytes(to)
	case from.Kind == value.Enum || from.Kind == value.Set:
		return from.Collation.Charset.Name == to.Collation.Charset.Name && len(from.Labels) <= len(to.Labels) &&
			slices.EqualFunc(from.Labels, to.Labels[:len(from.Labels)], slices.Equal)
	case from.Kind == value.VarBinary || from.Kind == value.Bit:
		return from.Length <= to.Length
	}
	return from.Length == to.Length && from.Decimals == to.Decimals && from.Unsigned == to.Unsigned &&
		from.HasSRID == to.HasSRID && from.SRID == to.SRID
}

// fitsIn says that every text of a type is short enough for another.
func fitsIn(from, to *value.Type) bool {
	counted := func(t *value.Type) bool { return t.Kind == value.Char || t.Kind == value.VarChar }
	if counted(from) && counted(to) {
		return from.Length <= to.Length
	}
	if !counted(from) && counted(to) {
		return false
	}
	return canonicalMax(from) <= canonicalMax(to)
}
