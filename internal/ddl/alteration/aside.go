package alteration

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// AsideText gives a stored column that is about to go a name of tunic's, under which nobody writes
// it: servers drop columns at once in a statement of its own, and make the table anew, or copy it,
// where that comes together with anything else. It is "" if it has such a name and needs nothing, and
// false where the column has to be dropped with the rest: what the server has to say of that is the
// client's to hear, and not every column can be given a value to go on with.
func (c *Change) AsideText(from *showcreate.Table, column *showcreate.Column, taken bool) (clause string, ok bool) {
	parts := showcreate.PartsOf(column.Text)
	bare := parts.NotNull && parts.Value.Empty()
	of := c.Old.StoredColumn(column.Name)
	isPlain := of.Kind == catalog.StoredPlain
	if isPlain && (of.Column.Generated || of.Column.AutoIncrement || from.Reads(column.Name) || bare && !plainlyEmpty(of.Column, column)) {
		return "", false
	}
	name := column.Name
	if taken || !catalog.Reserved(name) {
		name = catalog.PastName(name, policy.Equality)
	}
	switch {
	case !bare && name == column.Name:
		return "", true
	case !bare:
		return "RENAME COLUMN " + identifier.Quoted(column.Name) + " TO " + identifier.Quoted(name), true
	}
	definition := column.Text[len(identifier.Quoted(column.Name)):]
	value := form.EmptyForm(strings.ToLower(strings.TrimSuffix(strings.TrimSpace(definition), " NOT NULL")))
	if isPlain {
		value = form.NoValue(of.Column)
	}
	return "CHANGE COLUMN " + identifier.Quoted(column.Name) + " " + identifier.Quoted(name) + definition + " DEFAULT " + value, true
}

// plainlyEmpty reports whether a plain column can be given 0 or ” as its default by what the server
// shows of it, whatever the sql_mode, and without a warning of something that goes out of use.
func plainlyEmpty(c *catalog.Column, column *showcreate.Column) bool {
	text := catalog.Folded(showcreate.BodyOf(column.Text))
	if strings.Contains(text, "zerofill") || strings.Contains(text, "character set") || strings.Contains(text, "collate") {
		return false
	}
	switch k := c.Type.Kind; {
	case k.IsInteger():
		return true
	case k == value.Decimal:
		return !strings.Contains(text, "unsigned")
	default:
		return k == value.Char || k == value.VarChar || k == value.Binary || k == value.VarBinary
	}
}

// Relax lets the stored columns of what is NOT NULL take NULL as they do, where rows have got them
// while clients went on: no row has it, and to make them otherwise is to make the table anew. A
// column that takes NULL until now is made otherwise, and the server looks for rows that have it.
func (x *Difference) Relax(c *Change, next *catalog.Table) {
	text := map[string]string{}
	for i := range x.From.Columns {
		text[catalog.Folded(x.From.Columns[i].Name)] = x.From.Columns[i].Text
	}
	takes := map[string]bool{}
	for i := range x.To.Columns {
		to := &x.To.Columns[i]
		from := text[catalog.Folded(x.Names[catalog.Folded(to.Name)])]
		if from != "" && !showcreate.PartsOf(from).NotNull && strings.HasSuffix(to.Text, " NOT NULL") {
			takes[catalog.Folded(to.Name)] = true
		}
	}
	relaxed := map[string]bool{}
	for i := range next.Columns {
		column := &next.Columns[i]
		old := c.Before(column.Name)
		if !column.Protected() || old == nil || !old.Type.NotNull {
			continue
		}
		sealed := catalog.Folded(column.Stored())
		relaxed[sealed] = takes[sealed]
		column.Nullable = column.Nullable || takes[sealed]
		for j := range column.Layers {
			l := &column.Layers[j]
			if takes[catalog.Folded(l.Stored)] && !inPrimary(next, column.Name, l.Capability) {
				relaxed[catalog.Folded(l.Stored)], l.Nullable = true, true
			}
		}
	}
	for i := range x.To.Columns {
		if to := &x.To.Columns[i]; relaxed[catalog.Folded(to.Name)] {
			to.Text = strings.TrimSuffix(to.Text, " NOT NULL") + " DEFAULT NULL"
		}
	}
}

// AddAhead are the clauses that add the stored columns of new protected ones under names of
// tunic's, as columns that belong to nothing yet: servers add columns at once in a statement that
// does nothing else.
func (x *Difference) AddAhead(next *catalog.Table) (clauses []string) {
	from := *x.From
	from.Columns = slices.Clone(from.Columns)
	for s := range next.StoredColumns() {
		at := x.To.Place(s.Name)
		if _, there := x.Names[catalog.Folded(s.Name)]; s.Kind == catalog.StoredPlain || there || at < 0 || !strings.HasSuffix(x.To.Columns[at].Text, " DEFAULT NULL") {
			continue
		}
		ahead := showcreate.Column{Name: form.AheadName(s.Name), Text: identifier.Quoted(form.AheadName(s.Name)) + showcreate.BodyOf(x.To.Columns[at].Text)}
		x.Names[catalog.Folded(s.Name)] = ahead.Name
		from.Columns = append(from.Columns, ahead)
		clauses = append(clauses, "ADD COLUMN "+ahead.Text)
	}
	x.From = &from
	return clauses
}
