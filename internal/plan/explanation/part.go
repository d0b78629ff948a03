package explanation

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// Part is a part of a statement: a condition, a key of ORDER BY, a column that is written; and who does it.
type Part struct {
	Clause Clause
	Text   string
	// Remote says that the server does it.
	Remote bool
	// Does is what the server does it with, or why it does not.
	Does Does
	// Near is what the server narrows or sorts the rows with for a part that it does not do itself; nil for nothing.
	Near *Does
}

// Clause is where a part stands, as SQL writes it.
type Clause string

// The clauses that parts are of. Store is what is written of a column.
const (
	Where    Clause = "where"
	GroupBy  Clause = "group by"
	Distinct Clause = "distinct"
	Having   Clause = "having"
	OrderBy  Clause = "order by"
	Select   Clause = "select"
	Set      Clause = "set"
	Store    Clause = "store"
)

// Does is with what a part is done, or why it is not left to the server.
type Does struct {
	Way    Way
	Layers []Layer  // of By, and of Lacks
	Forms  []string // of Stores
}

// Way is one of the ways in which a part is done.
type Way uint8

// The ways.
const (
	Plainly   Way = iota // nothing protected is in it
	By                   // layers compare
	OfNulls              // NULL is NULL in every form
	LeftHere             // the server could, and what else is local needs the rows
	Tokenless            // no token stands for the value
	Unserved             // no layer would serve it
	Lacks                // layers that are not there would serve it
	Computed             // it is computed of each row
	Stores               // forms are written
)

// Layer is a layer of a column.
type Layer struct {
	Column     string
	Capability policy.Capabilities
}

// String is the layer in words.
func (l Layer) String() string { return recipe.CapabilityNames[l.Capability] + " layer of " + l.Column }

// Sent is with what the server does a part: stored is the part as it is sent, over the stored columns of the table;
// protected says that the client has written a protected column in it.
func Sent(stored ast.Expr, t *catalog.Table, protected bool) Does {
	var layers []Layer
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			if l, ok := layerNamed(t, name.Name.String()); ok && !slices.Contains(layers, l) {
				layers = append(layers, l)
			}
		}
		return true, nil
	}, stored)
	switch {
	case len(layers) > 0:
		return Does{Way: By, Layers: layers}
	case protected:
		return Does{Way: OfNulls}
	default:
		return Does{Way: Plainly}
	}
}

// layerNamed is the layer of a stored name.
func layerNamed(t *catalog.Table, stored string) (l Layer, ok bool) {
	s := t.StoredColumn(stored)
	if s.Layer == nil {
		return l, false
	}
	return Layer{s.Column.Name, s.Layer.Capability}, true
}

// Missing is why the server does not do what layers would serve that the table has not.
func Missing(layers []Advice, t *catalog.Table) Does {
	d := Does{Way: Lacks}
	for _, a := range layers {
		d.Layers = append(d.Layers, Layer{t.Columns[a.Column].Name, a.Layer})
	}
	return d
}

// Written is the part of a protected column that is written: in which forms.
func Written(c *catalog.Column) Part {
	forms := []string{"the sealed form"}
	if c.Family != "" {
		forms[0] = "the sealed form of its family"
	}
	for _, l := range c.Layers {
		if l.Bare() {
			forms = append(forms, "the value itself, as the column is to be plain")
			continue
		}
		p, _ := PriceOf(&c.Type, l.Capability)
		forms = append(forms, "the "+recipe.CapabilityNames[l.Capability]+" token of "+bytesOf(p.Bytes))
	}
	return Part{Clause: Store, Text: identifier.Quoted(c.Name), Remote: true, Does: Does{Way: Stores, Forms: forms}}
}

// String is what a part is done with, in words.
func (d *Does) String() string {
	switch d.Way {
	case By:
		return "by " + d.layers()
	case OfNulls:
		return "NULL is NULL in every form"
	case LeftHere:
		return "because of what else is local"
	case Tokenless:
		return "for this value there is no token"
	case Unserved:
		return "no layer serves it"
	case Lacks:
		return d.layers() + " would serve it"
	case Computed:
		return "computed for each row"
	case Stores:
		return listed(d.Forms)
	case Plainly:
	}
	return "plain"
}

func (d *Does) layers() string {
	all := make([]string, len(d.Layers))
	for i, l := range d.Layers {
		all[i] = "the " + l.String()
	}
	return listed(all)
}

// String is who does the part, and how.
func (p *Part) String() string {
	text := map[bool]string{true: "remote, ", false: "local, "}[p.Remote]
	if p.Clause == Store {
		text = ""
	}
	text += p.Does.String()
	if p.Near != nil {
		text += map[bool]string{true: "; the rows come sorted ", false: "; the rows are narrowed "}[p.Clause == OrderBy] + p.Near.String()
	}
	return text + ": " + p.Text
}

// listed is a list in words.
func listed(all []string) string {
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return strings.Join(all, "")
}
