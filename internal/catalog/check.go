package catalog

import (
	"fmt"

	"tunic/internal/policy"
)

// check holds a table to what the rest of tunic takes for granted of one. It is
// asked of every table that is read back, and of every new one before it is
// written: a table that cannot be used must not come to hold rows.
func (t *Table) check() error {
	if t.View != nil {
		return t.checkView()
	}
	if t.ID.IsZero() || t.Schema == "" || t.Name == "" || len(t.Columns) == 0 {
		return fmt.Errorf("%w: it lacks a name, an ID or columns", ErrContent)
	}
	named := map[string]bool{}
	protected, backfilling := false, false
	for i := range t.Columns {
		c := &t.Columns[i]
		protected = protected || c.Protected()
		if backfilling = backfilling || c.Backfilling; backfilling && !c.Backfilling {
			return fmt.Errorf("%w: a column stands behind one that is being filled", ErrContent)
		}
		if named[Folded(c.Name)] {
			return fmt.Errorf("%w: two columns have one name", ErrContent)
		}
		named[Folded(c.Name)] = true
		if err := c.check(); err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	if err := t.checkShadows(); err != nil {
		return err
	}
	if err := t.checkFamilies(); err != nil {
		return err
	}
	if protected == t.Bared {
		return fmt.Errorf("%w: no column is protected, or one of a table that has none any more", ErrContent)
	}
	for i := range t.Checks {
		if k := &t.Checks[i]; k.Name == "" || k.Clause == "" {
			return fmt.Errorf("check %d: %w: it lacks a name or what has to hold", i+1, ErrContent)
		}
	}
	stored := map[string]bool{}
	for s := range t.StoredColumns() {
		if n := Folded(s.Name); n == "" || stored[n] {
			return fmt.Errorf("%w: two stored columns have one name", ErrContent)
		}
		stored[Folded(s.Name)] = true
	}
	return t.checkKeys()
}

// check is of a column by itself.
func (c *Column) check() error {
	if c.Name == "" || c.ID.IsZero() {
		return fmt.Errorf("%w: it lacks a name or an ID", ErrContent)
	}
	if !c.Protected() {
		if len(c.Layers) > 0 || c.Backfilling {
			return fmt.Errorf("%w: a plain column has a layer, or is being filled", ErrContent)
		}
		return nil
	}
	if c.AutoIncrement || c.Domain.IsZero() {
		return fmt.Errorf("%w: a protected column whose values the server makes, or without a domain", ErrContent)
	}
	if computed := c.Default.Kind == DefaultExpression; computed == (c.Default.Text == "") || c.Generated && !computed {
		return fmt.Errorf("%w: a column that is computed from nothing", ErrContent)
	}
	if c.Backfilling && (!c.Invisible || c.Shadows == "" && c.Default.Kind != DefaultValue && c.Default.Kind != DefaultNow) {
		return fmt.Errorf("%w: a column that is being filled can be seen, or has nothing to be filled with", ErrContent)
	}
	for i, l := range c.Layers {
		if l.Bare() != (l.Capability == PlainForm) || l.Bare() && l.State != Backfilling {
			return fmt.Errorf("%w: a plain form that is not on its way, or a layer that is none", ErrContent)
		}
		if c.Layer(l.Capability) != &c.Layers[i] || !l.Bare() && !l.comes() && !c.Protection.Allowed.Has(Base(l.Capability)) {
			return fmt.Errorf("%w: a layer twice, or above its column's ceiling", ErrContent)
		}
		if l.State == Absent || l.State == Ready && l.Job != 0 || l.State == Retiring && l.Job == 0 {
			return fmt.Errorf("%w: a layer that is not there, or that is nobody's or somebody's otherwise than its state says", ErrContent)
		}
	}
	return nil
}

// comes reports whether a statement is backfilling the layer: the ceiling that it is within comes with
// it, when it is backfilled.
func (l *Layer) comes() bool { return l.State == Backfilling && l.Job == 0 }

// checkShadows is of the columns that shadow others: each another one, which is of the same type
// if it is plain, or the same column in another family.
func (t *Table) checkShadows() error {
	shadow := map[int]bool{}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Shadows == "" {
			continue
		}
		at := t.Column(c.Shadows)
		if at < 0 || shadow[at] || !c.Backfilling || c.Generated || c.Default.Kind == DefaultExpression || t.moves(c) && len(c.Layers) > 0 {
			return fmt.Errorf("%w: a copy of no column, a second one, or one that is computed", ErrContent)
		}
		shadow[at] = true
		of := &t.Columns[at]
		like := of.TypeText == c.TypeText && of.CollationName == c.CollationName && of.Type.NotNull == c.Type.NotNull
		if of.Backfilling || of.Generated && !t.moves(c) || !like && (!of.Protected() || t.moves(c)) {
			return fmt.Errorf("%w: a copy of a column of another type, or of one that is computed", ErrContent)
		}
	}
	return nil
}

// checkKeys is of the keys: every part is a column, and one over a protected
// column is over a layer that it has.
func (t *Table) checkKeys() error {
	for i := range t.Keys {
		for _, p := range t.Keys[i].Parts {
			at := t.Column(p.Column)
			if at < 0 {
				return fmt.Errorf("key %d: %w: over no column", i+1, ErrContent)
			}
			c := &t.Columns[at]
			if c.Protected() != (p.Layer != 0) || p.Layer != 0 && !c.stands(p.Layer) {
				return fmt.Errorf("key %d: %w: over a form that its column has not", i+1, ErrContent)
			}
		}
	}
	return nil
}

// stands says that a key can be over the column's layer of a capability.
func (c *Column) stands(capability policy.Capabilities) bool {
	l := c.Layer(capability)
	return l != nil && l.State == Ready
}

// Check is check for a table that is about to be written.
func (t *Table) Check() error {
	t.index()
	return t.check()
}
