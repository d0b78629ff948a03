package ddl

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
	"tunic/internal/policy"
)

// Shape gives the plain forms of a table, which all rows have, their places and NOT NULL where
// the columns have it, and makes the keys over them that stand over layers. The table is made
// anew in place for it, so that a transaction that is older than the forms is refused by the
// server (1412) instead of seeing rows without.
func (d *Definer) Shape(ctx context.Context, table catalog.ID) error {
	return d.bareStep(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if t.Bared {
			return nil
		}
		stored, err := d.storedUnchanged(ctx, t)
		if err != nil {
			return err
		}
		if clauses := shapeClauses(t, stored); len(clauses) > 0 {
			clauses = append(append(clauses, "FORCE"), keepsCounter(stored)...)
			err := d.beside(ctx, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(clauses, ", "), inPlace, wait)
			if err != nil {
				return err
			}
			crash.Point("ddl.bare.shaped")
		}
		account, err := showcreate.Read(t.Definition)
		if err != nil {
			return err
		}
		for _, i := range keysAnew(t) {
			if slices.ContainsFunc(stored.Keys, func(k showcreate.Key) bool { return k.Name == keyAhead(i) }) {
				continue
			}
			key, err := bareKey(t, &account.Keys[i], i)
			if err != nil {
				return err
			}
			if err := d.beside(ctx, "ALTER TABLE "+t.QuotedName()+" ADD "+key, inPlace, wait); err != nil {
				return err
			}
			crash.Point("ddl.bare.key")
		}
		return nil
	})
}

// keepsCounter keeps what AUTO_INCREMENT has come to where a table is made anew: MariaDB would
// count on from the highest number there is, and give those of rows again that are deleted.
func keepsCounter(stored *showcreate.Table) []string {
	at := showcreate.OptionAutoIncrement(stored.Options)
	if at.Empty() {
		return nil
	}
	return []string{strings.TrimSpace(stored.Options[at.From:at.To])}
}

// shapeClauses are those that plain forms need which are not yet as Shape makes them.
func shapeClauses(t *catalog.Table, stored *showcreate.Table) (clauses []string) {
	if !slices.IsSorted(places(t, stored, ownColumn)) {
		return orderClauses(t, stored)
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		l := c.Layer(catalog.PlainForm)
		if l == nil {
			continue
		}
		at := stored.Place(l.Stored)
		if at > 0 && catalog.Folded(stored.Columns[at-1].Name) == catalog.Folded(c.Name) && isShaped(c, &stored.Columns[at]) {
			continue
		}
		clauses = append(clauses, shapeClause(c, l)+" AFTER "+catalog.Quoted(c.Name))
	}
	return clauses
}

// isShaped reports whether the plain form of a column takes NULL where the column does.
func isShaped(c *catalog.Column, form *showcreate.Column) bool {
	return showcreate.PartsOf(form.Text).NotNull == c.Type.NotNull
}

// shapeClause makes a plain form what its column is, but for its name.
func shapeClause(c *catalog.Column, l *catalog.Layer) string {
	null := takesNone + " DEFAULT NULL"
	if c.Type.NotNull { // nobody writes a row without it
		null = " NOT NULL DEFAULT " + form.NoValue(c)
	}
	return "MODIFY COLUMN " + catalog.Quoted(l.Stored) + " " + form.BareType(c) + null + " INVISIBLE"
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
		place = " AFTER " + catalog.Quoted(lastColumn(c))
	}
	if done {
		return nil
	}
	return clauses
}

// ownColumn is the stored column of a column's sealed form, or of a plain one.
func ownColumn(c *catalog.Column) string { return c.Name }

// lastColumn is the stored column that takes the column's name in the end.
func lastColumn(c *catalog.Column) string {
	if l := c.Layer(catalog.PlainForm); l != nil {
		return l.Stored
	}
	return c.Name
}

// places are where the server has the stored columns of a table's columns.
func places(t *catalog.Table, stored *showcreate.Table, name func(*catalog.Column) string) []int {
	all := make([]int, len(t.Columns))
	for i := range t.Columns {
		all[i] = stored.Place(name(&t.Columns[i]))
	}
	return all
}

// keysAnew are the keys that are made anew: those over layers, and what stands behind the first
// of them, so that keys come to be in the order in which they are defined. Servers list the
// primary key before all others and full text behind them.
func keysAnew(t *catalog.Table) (all []int) {
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
		if l == nil || !strings.HasPrefix(p.Text, catalog.Quoted(p.Name)) {
			return "", errUnbared
		}
		p.Text = catalog.Quoted(l.Stored) + p.Text[len(catalog.Quoted(p.Name)):]
	}
	made.Head = strings.Replace(made.Head, catalog.Quoted(account.Name), catalog.Quoted(keyAhead(i)), 1)
	return made.SQL(), nil
}

// Swap puts the plain forms of a table in the place of its protected columns.
func (d *Definer) Swap(ctx context.Context, table catalog.ID) error {
	return d.bareStep(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if t.Bared {
			return nil
		}
		stored, err := d.storedUnchanged(ctx, t)
		if err != nil {
			return err
		}
		account, err := showcreate.Read(t.Definition)
		if err != nil {
			return err
		}
		clauses, err := swapClauses(t, stored, account)
		if err != nil {
			return err
		}
		next := bared(t)
		return d.changeBriefly(ctx, t, next, alterText(t, next, clauses)+inPlace, wait)
	})
}

// bared is the table that comes of it.
func bared(t *catalog.Table) *catalog.Table {
	next := copyOf(t)
	next.Bared, next.Unchecked, next.Revision = true, true, t.Revision+1
	for i := range next.Columns {
		if c := &next.Columns[i]; c.Protected() {
			c.Protection, c.Layers, c.Domain, c.Epoch = policy.Plain, nil, catalog.ID{}, 0
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

// swapClauses exchange the names of columns and keys. Nothing is written any more to what was
// stored of the protected columns, so that each of these has a default.
func swapClauses(t *catalog.Table, stored, account *showcreate.Table) (clauses []string, err error) {
	for i := range stored.Checks {
		if strings.HasPrefix(stored.Checks[i].Name, form.CheckPrefix) {
			clauses = append(clauses, "DROP CONSTRAINT "+catalog.Quoted(stored.Checks[i].Name))
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
		null := " DEFAULT NULL"
		if c.Type.NotNull {
			null = " NOT NULL DEFAULT " + form.EmptyForm(form.SealedType(&c.Type, blobs[i]))
		}
		clauses = append(clauses,
			"CHANGE COLUMN "+catalog.Quoted(c.Name)+" "+catalog.Quoted(catalog.CopyName(c.Name))+" "+form.SealedType(&c.Type, blobs[i])+null+" INVISIBLE",
			"CHANGE COLUMN "+catalog.Quoted(l.Stored)+" "+account.Columns[i].Text)
		for j := range c.Layers {
			if l := &c.Layers[j]; !l.Bare() && c.Type.NotNull && !form.TakesNull(l) {
				clauses = append(clauses, "ALTER COLUMN "+catalog.Quoted(l.Stored)+" SET DEFAULT ''")
			}
		}
	}
	for _, i := range keysAnew(t) {
		name := t.Keys[i].Name
		clauses = append(clauses, "RENAME KEY "+catalog.Quoted(name)+" TO "+catalog.Quoted(keyAside(i)), "RENAME KEY "+catalog.Quoted(keyAhead(i))+" TO "+catalog.Quoted(name))
	}
	return clauses, nil
}

// PurgeBared drops what was stored of the columns that are plain now, which makes the table anew in
// place.
func (d *Definer) PurgeBared(ctx context.Context, table catalog.ID) error {
	return d.bareStep(ctx, table, d.despiteRolledBack(func(ctx context.Context, t *catalog.Table, how string, wait time.Duration) error {
		if !t.Bared {
			return fmt.Errorf("%w: it has protected columns", catalog.ErrContent)
		}
		if err := d.forgetPlace(ctx, t); err != nil { // first, as in Purge
			return err
		}
		stored, err := d.storedUnchanged(ctx, t)
		if err != nil {
			return err
		}
		var keys, columns []string
		for i := range stored.Keys {
			if name := stored.Keys[i].Name; strings.HasPrefix(name, catalog.KeyAsidePrefix) || strings.HasPrefix(name, catalog.KeyAheadPrefix) {
				keys = append(keys, "DROP KEY "+catalog.Quoted(name))
			}
		}
		for i := range stored.Columns {
			if name := stored.Columns[i].Name; catalog.Reserved(name) && t.Column(name) < 0 {
				columns = append(columns, "DROP COLUMN "+catalog.Quoted(name))
			}
		}
		if len(columns) > 0 {
			columns = append(columns, keepsCounter(stored)...)
		}
		for _, drops := range [][]string{keys, columns} {
			if len(drops) == 0 {
				continue
			}
			if err := d.beside(ctx, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(drops, ", "), how, wait); err != nil {
				return err
			}
			crash.Point("ddl.bare.dropped")
		}
		return nil
	}))
}

// Leave takes the fence and the mark from a table of plain columns: it is the server's alone
// from then on. What was planned for it before the server refuses, and is planned again.
func (d *Definer) Leave(ctx context.Context, schema, table string) error {
	t := d.o.Ledger.Catalog().Table(schema, table)
	if t != nil {
		err := d.bareStep(ctx, t.ID, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
			if !t.Bared {
				return fmt.Errorf("%w: it has protected columns", catalog.ErrContent)
			}
			return d.leave(ctx, t, wait)
		})
		if err != nil {
			return err
		}
		crash.Point("ddl.bare.left")
	}
	gone := &catalog.Table{Schema: schema, Name: table}
	return patiently(ctx, func(ctx context.Context, wait time.Duration) error {
		return d.dropIfThere(ctx, gone, LeftFence, wait)
	})
}

func (d *Definer) leave(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	account, err := showcreate.Read(t.Definition)
	if err != nil {
		return err
	}
	comment := "''"
	if _, at := showcreate.OptionComment(account.Options); !at.Empty() {
		comment = account.Options[at.From:at.To]
	}
	last := "ALTER TABLE " + t.QuotedName() + " RENAME COLUMN " + catalog.Quoted(t.Fence()) + " TO " + catalog.Quoted(LeftFence) + ", COMMENT=" + comment + inPlace
	done, err := d.o.Ledger.ChangeWithin(ctx, wait, []ledger.Step{{Old: t}}, func(ctx context.Context) error {
		return d.brief(ctx, last, wait)
	})
	if len(done) > 0 {
		(&work{Definer: d}).dropTwin(ctx, t.Twin)
		return nil
	}
	return err
}
