package revision

import (
	"fmt"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/policy"
)

// Referred reports whether a foreign key from or to the table is over a layer.
func Referred(known *catalog.Catalog, t *catalog.Table) bool {
	overLayer := func(k catalog.ForeignKey) bool {
		return slices.ContainsFunc(k.Layers, func(l policy.Capabilities) bool { return l != 0 })
	}
	if slices.ContainsFunc(t.ForeignKeys, overLayer) {
		return true
	}
	for other := range known.Tables() {
		if slices.ContainsFunc(other.ForeignKeys, func(k catalog.ForeignKey) bool {
			return k.Schema == t.Schema && strings.EqualFold(k.Table, t.Name) && overLayer(k)
		}) {
			return true
		}
	}
	return false
}

// TakesNone says that a column takes NULL: a TIMESTAMP does not, without explicit_defaults_for_timestamp.
const TakesNone = " NULL"

var errUnbared = fmt.Errorf("%w: a column without a plain form", catalog.ErrContent)

// Counter keeps what AUTO_INCREMENT has come to where a table is made anew: MariaDB would
// count on from the highest number there is, and give those of rows again that are deleted.
func Counter(stored *showcreate.Table) []string {
	at := showcreate.OptionAutoIncrement(stored.Options)
	if at.Empty() {
		return nil
	}
	return []string{strings.TrimSpace(stored.Options[at.From:at.To])}
}

// Shape are those that plain forms need which are not yet as Shape makes them.
func Shape(t *catalog.Table, stored *showcreate.Table) (clauses []string) {
	if !slices.IsSorted(places(t, stored, inPlace)) {
		return orderClauses(t, stored)
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		l := c.Layer(catalog.PlainForm)
		if l == nil {
			continue
		}
		at := stored.Place(l.Stored)
		if at > 0 && catalog.Folded(stored.Columns[at-1].Name) == catalog.Folded(inPlace(c)) && isShaped(c, &stored.Columns[at]) {
			continue
		}
		clauses = append(clauses, shapeClause(c, l)+" AFTER "+identifier.Quoted(inPlace(c)))
	}
	return clauses
}

// isShaped reports whether the plain form of a column takes NULL where the column does.
func isShaped(c *catalog.Column, form *showcreate.Column) bool {
	return showcreate.PartsOf(form.Text).NotNull == c.Type.NotNull
}

// shapeClause makes a plain form what its column is, but for its name.
func shapeClause(c *catalog.Column, l *catalog.Layer) string {
	null := TakesNone + " DEFAULT NULL"
	if c.Type.NotNull { // nobody writes a row without it
		null = " NOT NULL DEFAULT " + form.NoValue(c)
	}
	return "MODIFY COLUMN " + identifier.Quoted(l.Stored) + " " + form.BareType(c) + null + " INVISIBLE"
}

// orderClauses put the columns that will be there in the end in the order that clients know: those
// that came while clients went on stand behind the others until now.
func orderClauses(t *catalog.Table, stored *showcreate.Table) (clauses []string) {
	last := places(t, stored, lastColumn)
	done, place := slices.IsSorted(last), " FIRST"
	for i := range t.Columns {
		c := &t.Columns[i]
		clause := "MODIFY COLUMN " + stored.Columns[last[i]].Text
		if l := c.Layer(catalog.PlainForm); l != nil {
			done = done && isShaped(c, &stored.Columns[last[i]])
			clause = shapeClause(c, l)
		}
		clauses = append(clauses, clause+place)
		place = " AFTER " + identifier.Quoted(lastColumn(c))
	}
	if done {
		return nil
	}
	return clauses
}

// lastColumn is the stored column that takes the column's name in the end.
func lastColumn(c *catalog.Column) string {
	if l := c.Layer(catalog.PlainForm); l != nil {
		return l.Stored
	}
	return inPlace(c)
}

// inPlace is the stored column that stands in the place of a column, under its name: with its sealed forms, or, of a column of a family,
// without a value.
func inPlace(c *catalog.Column) string { return c.Name }

// places are where the server has the stored columns of a table's columns.
func places(t *catalog.Table, stored *showcreate.Table, name func(*catalog.Column) string) []int {
	all := make([]int, len(t.Columns))
	for i := range t.Columns {
		all[i] = stored.Place(name(&t.Columns[i]))
	}
	return all
}

// BareKeys are the keys that are made anew: those over layers, and what stands behind the first
// of them, so that keys come to be in the order in which they are defined. Servers list the
// primary key before all others and full text behind them.
func BareKeys(t *catalog.Table) (all []int) {
	for i := range t.Keys {
		k := &t.Keys[i]
		over := slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return p.Layer != 0 })
		if (over || len(all) > 0) && k.Kind != catalog.Primary && k.Kind != catalog.Fulltext {
			all = append(all, i)
		}
	}
	return all
}

// bareKey is the definition of a key over plain forms, under the name that it has until it takes
// its own.
func bareKey(t *catalog.Table, account *showcreate.Key, i int) (string, error) {
	made := *account
	made.Parts = slices.Clone(account.Parts)
	for j := range made.Parts {
		p := &made.Parts[j]
		at := t.Column(p.Name)
		if p.Name == "" || at < 0 || !t.Columns[at].Protected() {
			continue
		}
		l := t.Columns[at].Layer(catalog.PlainForm)
		if l == nil || !strings.HasPrefix(p.Text, identifier.Quoted(p.Name)) {
			return "", errUnbared
		}
		p.Text = identifier.Quoted(l.Stored) + p.Text[len(identifier.Quoted(p.Name)):]
	}
	made.Head = strings.Replace(made.Head, identifier.Quoted(account.Name), identifier.Quoted(KeyAhead(i)), 1)
	return made.SQL(), nil
}

// AddBareKey are the clauses that add such a key. What it takes the place of stays until then, which an index that
// the server has made by itself for a foreign key would not: it is made anew, as one that somebody has asked for.
func AddBareKey(t *catalog.Table, stored, account *showcreate.Table, i int) (clauses []string, err error) {
	added, err := bareKey(t, &account.Keys[i], i)
	if err != nil {
		return nil, err
	}
	at := storedKey(stored, t.Keys[i].Name)
	if at >= 0 && stored.MayBeImplicit(&stored.Keys[at]) {
		clauses = []string{"DROP KEY " + identifier.Quoted(stored.Keys[at].Name), "ADD " + stored.Keys[at].SQL()}
	}
	return append(clauses, "ADD "+added), nil
}

// storedKey is where a stored table has a key; -1 if it has none of the name.
func storedKey(stored *showcreate.Table, name string) int {
	return slices.IndexFunc(stored.Keys, func(k showcreate.Key) bool { return catalog.Folded(k.Name) == catalog.Folded(name) })
}

// Bared is the table that comes of it.
func Bared(t *catalog.Table) *catalog.Table {
	next := CopyOf(t)
	next.Bared, next.Unchecked, next.Revision, next.Families = true, true, t.Revision+1, nil
	for i := range next.Columns {
		if c := &next.Columns[i]; c.Protected() {
			c.Protection, c.Layers, c.Domain, c.Epoch, c.Family = policy.Plain, nil, catalog.ID{}, 0, ""
			c.Default = catalog.Default{Kind: catalog.DefaultServer}
		}
	}
	next.Keys = slices.Clone(t.Keys)
	for i := range next.Keys {
		next.Keys[i].Parts = slices.Clone(next.Keys[i].Parts)
		for j := range next.Keys[i].Parts {
			next.Keys[i].Parts[j].Layer = 0
		}
	}
	return next.Table
}

// leavingPlace gives what stands in the place of a protected column, under its name, another one.
func leavingPlace(c *catalog.Column, blobs map[string]bool) string {
	from, to := identifier.Quoted(inPlace(c)), identifier.Quoted(catalog.ShadowName(inPlace(c)))
	if c.Family != "" {
		return "RENAME COLUMN " + from + " TO " + to
	}
	sealed, null := form.SealedType(&c.Type, blobs[c.Stored()]), " DEFAULT NULL"
	if c.Type.NotNull && !c.Nullable { // else it would be a copy of the table
		null = " NOT NULL DEFAULT " + form.EmptyForm(sealed)
	}
	return "CHANGE COLUMN " + from + " " + to + " " + sealed + null + " INVISIBLE"
}

// BareSwap swap the names of columns and keys. Nothing is written any more to what was
// stored of the protected columns, so that each of these has a default.
func BareSwap(t *catalog.Table, stored, account *showcreate.Table) (clauses []string, err error) {
	for i := range stored.Checks {
		if strings.HasPrefix(stored.Checks[i].Name, form.CheckPrefix) {
			clauses = append(clauses, "DROP CONSTRAINT "+identifier.Quoted(stored.Checks[i].Name))
		}
	}
	blobs := form.BlobsFor(t)
	for i := range t.Columns {
		c := &t.Columns[i]
		if !c.Protected() {
			continue
		}
		l := c.Layer(catalog.PlainForm)
		if l == nil {
			return nil, errUnbared
		}
		clauses = append(clauses, leavingPlace(c, blobs), "CHANGE COLUMN "+identifier.Quoted(l.Stored)+" "+account.Columns[i].Text)
		for j := range c.Layers {
			if l := &c.Layers[j]; !l.Bare() && c.Type.NotNull && !form.TakesNull(l) {
				clauses = append(clauses, "ALTER COLUMN "+identifier.Quoted(l.Stored)+" SET DEFAULT ''")
			}
		}
	}
	for i := range t.Families {
		f := &t.Families[i]
		sealed := form.FamilyType(f, blobs[f.Stored])
		unwritten := " NOT NULL DEFAULT " + form.EmptyForm(sealed)
		if f.Nullable { // to make it NOT NULL would be a copy of the table
			unwritten = " DEFAULT NULL"
		}
		clauses = append(clauses, "MODIFY COLUMN "+identifier.Quoted(f.Stored)+" "+sealed+unwritten+" INVISIBLE")
	}
	for _, i := range BareKeys(t) {
		name := t.Keys[i].Name
		if storedKey(stored, name) >= 0 { // else the server has dropped it for the one ahead
			clauses = append(clauses, "RENAME KEY "+identifier.Quoted(name)+" TO "+identifier.Quoted(KeyAside(i)))
		}
		clauses = append(clauses, "RENAME KEY "+identifier.Quoted(KeyAhead(i))+" TO "+identifier.Quoted(name))
	}
	return clauses, nil
}

// No form of a column has these names, since no column is without a name.
const (
	// BareFence is the name of a column that is to be the fence.
	BareFence = "$bare"
	// LeftFence is the name of the fence of a table that tunic has left: the last column that Leave drops.
	LeftFence = "$plain"
)
