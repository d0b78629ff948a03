package decryption

import (
	"cmp"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/remedy"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/layers"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// NotBared is something that keeps a table from being decrypted.
type NotBared struct {
	// Column is "" where it is about the whole table.
	Column, Why, Fix string
	// View says that a view is in the way, and Remedy is SQL that takes it away, where SQL is known.
	View bool
	remedy.Remedy
}

func (e *NotBared) Error() string {
	if e.Column == "" {
		return "the table cannot be decrypted: " + e.Why
	}
	return "column " + e.Column + " cannot be decrypted: " + e.Why
}

// Allowed looks whether all protected columns of a table of a catalog can be made plain:
// nil, or a *NotBared. It asks nobody.
func Allowed(rules *policy.Policy, flavor value.Flavor, known *catalog.Catalog, t *catalog.Table) error {
	all, err := Hindrances(rules, flavor, known, t)
	if err == nil && len(all) > 0 {
		return all[0]
	}
	return err
}

// Hindrances are all that keeps the protected columns of a table of a catalog from being made plain. It asks nobody.
func Hindrances(rules *policy.Policy, flavor value.Flavor, known *catalog.Catalog, t *catalog.Table) ([]*NotBared, error) {
	if t.Bared {
		return nil, nil
	}
	if t.Encrypting() { // it has columns and keys of both
		return []*NotBared{{Why: "it is being encrypted", Fix: "wait until that is done"}}, nil
	}
	if t.Moving() {
		return []*NotBared{{Why: "its columns are on their way into other families", Fix: "run tunic rotate --families for the table until that is done"}}, nil
	}
	all := append(hinderWhole(known, t), hinderViews(known, t)...)
	for i := range t.Columns {
		all = append(all, hinderColumn(flavor, t, &t.Columns[i])...)
	}
	ruled, err := stillProtected(rules, t)
	return append(all, ruled...), err
}

// hinderWhole is what is about the whole table, but for views.
func hinderWhole(known *catalog.Catalog, t *catalog.Table) (all []*NotBared) {
	add := func(is bool, why, fix string) {
		if is {
			all = append(all, &NotBared{Why: why, Fix: fix})
		}
	}
	add(!t.Fenced, "its engine has no place for a fence", "have a program read its rows through tunic, and write them to a plain table")
	add(len(t.Checks) > 0, "a CHECK is over a protected column", "drop the CHECK, and add it again afterwards")
	add(!layers.CanBackfill(t), "no primary or unique key tells its rows apart", "give it a primary key")
	add(revision.Referred(known, t), "a foreign key is over a protected column", "drop the foreign key, and add it again when both tables are plain")
	return all
}

// hinderViews are the views that read the table, in the order of their names.
func hinderViews(known *catalog.Catalog, t *catalog.Table) (all []*NotBared) {
	for v := range known.Views() {
		if !slices.ContainsFunc(v.View.Over, func(of catalog.ViewOver) bool {
			return known.SameName(of.Schema, t.Schema) && known.SameName(of.Name, t.Name)
		}) {
			continue
		}
		all = append(all, &NotBared{
			Why: "view " + v.FullName() + " reads it", Fix: "drop the view through tunic, and create it again afterwards", View: true,
			Remedy: remedy.Remedy{Remove: []string{"DROP VIEW " + viewtext.NameIn(v)}, Restore: []string{viewtext.Create(v)}, Through: true},
		})
	}
	slices.SortFunc(all, func(a, b *NotBared) int { return cmp.Compare(a.Why, b.Why) })
	return all
}

// hinderColumn is what is about a column.
func hinderColumn(flavor value.Flavor, t *catalog.Table, c *catalog.Column) (all []*NotBared) {
	add := func(why, fix string) { all = append(all, &NotBared{Column: c.Name, Why: why, Fix: fix}) }
	if slices.ContainsFunc(c.Layers, func(l catalog.Layer) bool { return l.State != catalog.Ready && !l.Bare() }) {
		add("a layer of it is on its way", "wait for the job, or cancel it")
	}
	const back = ", and put it back afterwards"
	switch {
	case !c.Protected() && c.Generated && flavor == value.MariaDB:
		add("the server computes it, and can move no column beside it while clients write", "drop the generated column, and add it again afterwards")
	case !c.Protected():
	case c.Type.Kind == value.Timestamp && c.Type.NotNull && flavor == value.MariaDB:
		add("MariaDB makes no TIMESTAMP NOT NULL while clients write", "ALTER TABLE … MODIFY it to TIMESTAMP NULL through tunic, and MODIFY it back to NOT NULL afterwards")
	case revision.NotShadowed(t, c) == nil:
	case c.Generated:
		add("the server computes it", "drop the generated column, and add it again afterwards")
	case c.Default.Kind == catalog.DefaultExpression, c.OnUpdateNow:
		add("the server computes its values", "take ON UPDATE, or the expression behind DEFAULT, from it with ALTER TABLE … MODIFY through tunic"+back)
	case slices.ContainsFunc(t.Keys, func(k catalog.Key) bool { return t.KeepsRows(&k) && revision.Over(&k, c.Name) }):
		add("it is in the primary key, or in the unique key without NULL that takes its place", "give the table a primary key over a plain column instead, with ALTER TABLE through tunic"+back)
	default:
		add("values of its type do not come back exactly as they were", "add a column of text through tunic, copy the values to it, and drop this one")
	}
	return all
}

// stillProtected are columns that the policy would have protected where the table is made
// anew. What an annotation says is the administrator's own word, which the command takes back;
// the comment stays.
func stillProtected(rules *policy.Policy, t *catalog.Table) (all []*NotBared, err error) {
	spec, err := definition.Parse(t.Definition, t.Name, 0)
	if err != nil {
		return nil, err
	}
	about := &definition.Definition{Schema: t.Schema, Table: t.Name, Spec: spec}
	r := &definition.Decider{Policy: rules}
	for _, def := range spec.Columns {
		c := definition.Column{ColumnDefinition: def}
		if at := t.Column(c.NameText()); at < 0 || !t.Columns[at].Protected() {
			continue
		}
		if err := r.Column(about, &c); err != nil {
			return nil, err
		}
		if c.Protected() && c.Decision.By != policy.ByAnnotation {
			all = append(all, &NotBared{Column: c.NameText(), Why: "the policy protects it", Fix: "have the policy say plain of it, for every tunic that serves the table, and start them again"})
		}
	}
	return all, nil
}
