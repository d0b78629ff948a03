package definition

import (
	"tunic/internal/catalog"
	"tunic/internal/ddl/proxy"
	"tunic/internal/policy"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// Refuse says what of a definition cannot be protected, before the server is asked
// for anything.
func (d *Definition) Refuse() error {
	for i := range d.Columns {
		if err := d.refuseColumn(&d.Columns[i]); err != nil {
			return err
		}
	}
	for _, k := range d.Spec.Indexes {
		if err := d.refuseKey(k); err != nil {
			return err
		}
	}
	if err := d.refuseNames(); err != nil {
		return err
	}
	for _, c := range d.Spec.Constraints {
		if err := d.refuseCheck(c); err != nil {
			return err
		}
	}
	for _, k := range ForeignKeysOf(d) {
		if err := d.refuseActions(&k); err != nil {
			return err
		}
	}
	if name := d.mentioned(d.Spec.PartitionOption); name != "" {
		return sqlerr.PartitionedBy(name)
	}
	return nil
}

// refuseNames is of two foreign keys, or two CHECKs, of one name. Each server has an error
// of its own there; in the twin each of them has another name.
func (d *Definition) refuseNames() error {
	type named struct {
		check bool
		name  string
	}
	seen := map[named]bool{}
	for _, c := range d.Spec.Constraints {
		_, check := c.Details.(*ast.CheckConstraintDefinition)
		n := named{check, catalog.Folded(c.Name.String())}
		if n.name != "" && seen[n] {
			return sqlerr.DefinitionForm(d.Table, "a constraint with the name of another")
		}
		seen[n] = true
	}
	return nil
}

func (d *Definition) refuseColumn(c *Column) error {
	// The layers of a protected column with the fences' own word for a name would look like fences.
	if catalog.Reserved(c.NameText()) || c.Protected() && catalog.IsFence(catalog.StoredName(c.NameText(), policy.Equality)) {
		return sqlerr.ReservedColumn(c.NameText())
	}
	o := c.Type.Options
	if o == nil {
		return nil
	}
	switch name := d.mentioned(o.Default); {
	case c.Protected() && o.As != nil && !proxy.CanHide(o.As):
		return sqlerr.GeneratedColumn(c.NameText(), noLiteral)
	case c.Protected() && o.Default != nil && !o.DefaultLiteral && !proxy.CanHide(o.Default):
		return sqlerr.DefaultExpression(c.NameText(), noLiteral)
	case !c.Protected() && name != "":
		return sqlerr.DefaultExpression(name, "a plain column would get a value that is computed from it")
	}
	if !c.Protected() {
		return nil
	}
	if o.KeyOpt == ast.ColKeyFulltextKey || o.KeyOpt == ast.ColKeySpatialKey {
		return sqlerr.KeyKind(c.NameText())
	}
	return nil
}

// refuseKey is of a key over protected columns.
func (d *Definition) refuseKey(k *ast.IndexDefinition) error {
	special := k.Info.Type == ast.IndexTypeFullText || k.Info.Type == ast.IndexTypeSpatial
	for _, part := range k.Columns {
		if part.Expression != nil {
			return sqlerr.KeyExpression(d.Table)
		}
		c := d.Column(part.Column.String())
		if c == nil || !c.Protected() {
			continue
		}
		switch {
		case special:
			return sqlerr.KeyKind(c.NameText())
		case part.Length != nil && k.Info.IsUnique():
			return sqlerr.UniquePrefix(c.NameText())
		}
	}
	return nil
}

// noLiteral is why an expression is refused before the server has seen it.
const noLiteral = "it has a part that cannot be hidden from the server: a query, ESCAPE, a number with an exponent, or another literal than a number, a string or a date"

// refuseCheck is of a CHECK.
func (d *Definition) refuseCheck(c *ast.ConstraintDefinition) error {
	check, ok := c.Details.(*ast.CheckConstraintDefinition)
	if !ok {
		return nil
	}
	if name := d.mentioned(check.Expr); name != "" && !d.holds(check.Expr) && !proxy.CanHide(check.Expr) {
		return sqlerr.CheckOver(name, noLiteral)
	}
	return nil
}

// refuseActions is of what a foreign key does to rows that refer.
func (d *Definition) refuseActions(k *Reference) error {
	if k.definition.OnDelete != ast.SetDefault && k.definition.OnUpdate != ast.SetDefault {
		return nil
	}
	for _, name := range k.Columns {
		if c := d.Column(name); c != nil && c.Protected() {
			return sqlerr.ForeignKeyAction(c.NameText(), "servers know SET DEFAULT and do not carry it out")
		}
	}
	return nil
}

// mentioned is a protected column in what node says, "" if there is none.
func (d *Definition) mentioned(node ast.Node) (name string) {
	look := func(column string) {
		if c := d.Column(column); c != nil && c.Protected() {
			name = c.NameText()
		}
	}
	visit := func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			look(n.Name.String())
		case *ast.PartitionOption:
			for _, column := range n.ColList {
				look(column.String())
			}
			if n.SubPartition != nil {
				for _, column := range n.SubPartition.ColList {
					look(column.String())
				}
			}
			if len(n.ColList) == 0 && n.Expr == nil {
				d.primary(look) // PARTITION BY KEY () is by the primary key
			}
		}
		return true, nil
	}
	if !absent(node) {
		_ = ast.Walk(visit, node)
	}
	return name
}

// absent says that a field of the tree holds nothing.
func absent(node ast.Node) bool {
	p, ok := node.(*ast.PartitionOption)
	return node == nil || ok && p == nil
}

// primary calls look for each column of the primary key.
func (d *Definition) primary(look func(string)) {
	for i := range d.Columns {
		if o := d.Columns[i].Type.Options; o != nil && o.KeyOpt == ast.ColKeyPrimary {
			look(d.Columns[i].NameText())
		}
	}
	for _, k := range d.Spec.Indexes {
		if k.Info.Type == ast.IndexTypePrimary {
			for _, part := range k.Columns {
				look(part.Column.String())
			}
		}
	}
}
