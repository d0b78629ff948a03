package check

import (
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// errAudit says that a stored statement would have given the server a value, or
// had it compute with ciphertext. It is a mistake of the rules, and ends in a
// refusal.
var errAudit = errors.New("plan: a stored statement that must not be sent")

// visitor checks a node, and says whether to look into it.
type visitor = func(ast.Node) (into bool, err error)

// forms are the stored columns of a table by name, in lower case. Of several tables
// those are there that are plain, too, and all are behind the table's name and a dot.
type forms struct {
	byName  map[string]recipe.Form
	several bool
	// ordered are the layers of which the order of tokens is that of their values.
	ordered map[string]bool
	// equality are, for a sealed form, the equality tokens of all columns whose values it has; "" of one without.
	equality map[string][]string
	// copied are plain columns that others copy: a slot has the value for both.
	copied map[string]bool
	// family are the forms of the families of columns, by the names of these columns' tokens.
	family map[string]string
}

func formsOf(t *catalog.Table) forms {
	f, ordered, copied := map[string]recipe.Form{}, map[string]bool{}, map[string]bool{}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Shadows != "" && t.ShadowOf(i) < 0 {
			copied[strings.ToLower(c.Shadows)] = true
		}
	}
	for s := range t.StoredColumns() {
		switch name := strings.ToLower(s.Name); {
		case s.Layer != nil:
			f[name], ordered[name] = formOf(s.Layer), catalog.Base(s.Layer.Capability) == policy.Order
		case s.Kind == catalog.StoredSealed:
			f[name] = recipe.Sealed
		case s.Kind == catalog.StoredFamily:
			f[name] = recipe.Record
		case s.Kind == catalog.StoredMember:
			f[name] = noForm
		}
	}
	return forms{byName: f, ordered: ordered, copied: copied, equality: equalityOf(t), family: familiesOf(t)}
}

func familiesOf(t *catalog.Table) map[string]string {
	all := map[string]string{}
	for i := range t.Columns {
		c := &t.Columns[i]
		for at := range c.Layers {
			if c.Family != "" {
				all[strings.ToLower(c.Layers[at].Stored)] = strings.ToLower(c.Family)
			}
		}
	}
	return all
}

func equalityOf(t *catalog.Table) map[string][]string {
	all := map[string][]string{}
	for i := range t.Columns {
		c, token := &t.Columns[i], ""
		if !c.Protected() {
			continue
		}
		if l := c.Layer(policy.Equality); l != nil {
			token = strings.ToLower(l.Stored)
		}
		stored := strings.ToLower(c.Stored())
		all[stored] = append(all[stored], token)
	}
	return all
}

// noForm is what the name of a column of a family has at the server: no value. No stored statement may name it.
const noForm = ^recipe.Form(0)

// tokens are the capabilities whose layers hold equal tokens for equal values, so that rows may be found, grouped and
// counted by them. What a layer of another capability holds is taken for a sealed form, by which nothing is done.
var tokens = []policy.Capabilities{policy.Equality, policy.Order}

// formOf is what is stored in a layer.
func formOf(l *catalog.Layer) recipe.Form {
	of := recipe.FormOf(l)
	if of == recipe.Token && !slices.Contains(tokens, catalog.Base(l.Capability)) {
		return recipe.Sealed
	}
	return of
}

// of is the form of the stored column that an expression is; Value if it is
// anything else.
func (f forms) of(e ast.Expr) recipe.Form {
	n, ok := e.(*ast.ColName)
	if !ok {
		return recipe.Value
	}
	name := strings.ToLower(n.Name.String())
	if !f.several {
		return f.byName[name]
	}
	if form, ok := f.byName[n.Qualifier.Name.String()+"."+name]; ok {
		return form
	}
	return recipe.Sealed // it is not known what it is
}

// orders reports whether an expression is a token by whose order rows may be found or sorted.
func (f forms) orders(e ast.Expr) bool {
	n, ok := e.(*ast.ColName)
	if !ok || f.of(e) != recipe.Token {
		return false
	}
	return f.ordered[f.known(n)]
}

// known is the name by which a column is known.
func (f forms) known(n *ast.ColName) string {
	name := strings.ToLower(n.Name.String())
	if f.several {
		name = n.Qualifier.Name.String() + "." + name
	}
	return name
}
