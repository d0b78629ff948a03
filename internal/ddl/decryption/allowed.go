package decryption

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/revision"
	"tunic/internal/layers"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// NotBared is why a table cannot be decrypted.
type NotBared struct {
	// Column is "" where it is about the whole table.
	Column, Why, Fix string
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
	if t.Bared {
		return nil
	}
	whole := hinderedWhole(known, t)
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case whole != nil:
			return whole
		case c.Generated && !c.Protected() && flavor == value.MariaDB:
			return &NotBared{c.Name, "the server computes it, and can move no column beside it while clients write", "drop the generated column, and add it again afterwards"}
		case !c.Protected():
			continue
		}
		switch {
		case c.Type.Kind == value.Timestamp && c.Type.NotNull && flavor == value.MariaDB:
			return &NotBared{c.Name, "MariaDB makes no TIMESTAMP NOT NULL while clients write", "leave it protected, or copy the rows to a plain table"}
		case revision.NotShadowed(t, c) != nil:
			return &NotBared{c.Name, "its values are computed, are in the primary key or in a unique key that takes its place, or do not come back exactly as they were", "leave it protected, or copy the rows to a plain table"}
		}
	}
	return stillProtected(rules, t)
}

// hinderedWhole is what is about the whole table.
func hinderedWhole(known *catalog.Catalog, t *catalog.Table) error {
	switch {
	case t.Encrypting():
		return &NotBared{Why: "it is being encrypted", Fix: "wait until that is done"}
	case !t.Fenced:
		return &NotBared{Why: "its engine has no place for a fence", Fix: "copy the rows to a plain table"}
	case len(t.Checks) > 0:
		return &NotBared{Why: "a CHECK is over a protected column", Fix: "drop the CHECK, and add it again afterwards"}
	case !layers.CanBackfill(t):
		return &NotBared{Why: "no primary or unique key tells its rows apart", Fix: "give it a primary key"}
	case revision.Referred(known, t):
		return &NotBared{Why: "a foreign key is over a protected column", Fix: "drop the foreign key, and add it again when both tables are plain"}
	}
	for v := range known.Views() {
		if slices.ContainsFunc(v.View.Over, func(of catalog.ViewOver) bool { return of.Schema == t.Schema && of.Name == t.Name }) {
			return &NotBared{Why: "a view reads it", Fix: "drop the view, and make it again afterwards"}
		}
	}
	for i := range t.Columns {
		for _, l := range t.Columns[i].Layers {
			if l.State != catalog.Ready && !l.Bare() {
				return &NotBared{Column: t.Columns[i].Name, Why: "a layer of it is on its way", Fix: "wait for the job, or cancel it"}
			}
		}
	}
	return nil
}

// stillProtected refuses columns that the policy would have protected where the table is made
// anew. What an annotation says is the administrator's own word, which the command takes back;
// the comment stays.
func stillProtected(rules *policy.Policy, t *catalog.Table) error {
	spec, err := definition.Parse(t.Definition, t.Name, 0)
	if err != nil {
		return err
	}
	about := &definition.Definition{Schema: t.Schema, Table: t.Name, Spec: spec}
	r := &definition.Decider{Policy: rules}
	for _, def := range spec.Columns {
		c := definition.Column{ColumnDefinition: def}
		if at := t.Column(c.NameText()); at < 0 || !t.Columns[at].Protected() {
			continue
		}
		if err := r.Column(about, &c); err != nil {
			return err
		}
		if c.Protected() && c.Decision.By != policy.ByAnnotation {
			return &NotBared{c.NameText(), "the policy protects it", "have the policy say plain of it, for every tunic that serves the table, and start them again"}
		}
	}
	return nil
}
