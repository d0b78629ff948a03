package columns

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// LayerAround is a column's order layer that says where a value is and not which, nil if it
// has none.
func (o *Of) LayerAround(i int) *catalog.Layer {
	if i < 0 {
		return nil
	}
	c := o.At(i)
	l := Ready(c.Layer(policy.Order))
	if l == nil || l.Grain == (policy.Grain{}) && !c.Type.Kind.IsText() && !c.Type.Kind.IsBytes() {
		return nil
	}
	return l
}

// KeyedAround reports whether a key is over the order layer around a column's values and none
// over the equality layer that compares them. A condition over both is true, false and NULL
// where the one over equality is, and the server finds its rows by the key.
func (o *Of) KeyedAround(i int, compares *catalog.Layer) bool {
	return compares.Capability == policy.Equality && o.LayerAround(i) != nil && o.keyedByOrder(i)
}

// keyedByOrder reports whether a key is over the column's order layer and none over its
// equality layer.
func (o *Of) keyedByOrder(i int) bool {
	over := func(layer policy.Capabilities) bool {
		return slices.ContainsFunc(o.Table.Keys, func(k catalog.Key) bool {
			return slices.ContainsFunc(k.Parts, func(p catalog.Part) bool {
				return p.Layer == layer && strings.EqualFold(p.Column, o.At(i).Name)
			})
		})
	}
	return over(policy.Order) && !over(policy.Equality)
}

// Representative is the stored form of a selected column that rows are grouped by:
// any of the sealed forms of the group, which all open to one value. nil if rows
// are not grouped by it.
func (o *Of) Representative(e ast.Expr, by []ast.Expr) ast.Expr {
	i := o.Protected(e)
	if i < 0 || o.Distinguishes(i) == nil {
		return nil
	}
	for _, k := range by {
		if o.Protected(k) == i {
			return &ast.Min{Arg: shape.Column(o.At(i).Stored())}
		}
	}
	return nil
}

// NullIndicator is the stored column that is NULL where a protected column is: a layer, of two the one that
// a key is over, else the sealed form. nil if no stored column is: that of a family has all its columns' values.
func (o *Of) NullIndicator(i int) *ast.ColName {
	equality, order := Ready(o.At(i).Layer(policy.Equality)), Ready(o.At(i).Layer(policy.Order))
	switch {
	case order != nil && (equality == nil || o.keyedByOrder(i)):
		return shape.Column(order.Stored)
	case equality != nil:
		return shape.Column(equality.Stored)
	case o.At(i).Family != "":
		return nil
	}
	return shape.Column(o.At(i).Stored())
}

// StoredNames are the names of all forms that these columns have by themselves: those of columns of a
// family are their layers.
func (o *Of) StoredNames(columns []int) ast.Columns {
	var names ast.Columns
	for _, i := range columns {
		if copied := o.Table.PlainShadow(i); copied >= 0 {
			i = copied
		}
		if c := o.At(i); c.Shadows != "" {
			names = append(names, ast.Identifier(c.Shadows))
		}
		names = o.appendForms(names, i)
		if next := o.Table.Shadow(i); next >= 0 {
			names = o.appendForms(names, next)
		}
	}
	return names
}

// appendForms appends the stored columns of one column.
func (o *Of) appendForms(names ast.Columns, i int) ast.Columns {
	for s := range o.Table.StoredOf(i) {
		if s.Kind != catalog.StoredMember {
			names = append(names, ast.Identifier(s.Name))
		}
	}
	return names
}

// Distinguishes is an equality layer whose tokens are equal only where the values
// are the same, nil if the column has none. Those of text are equal for A and a,
// those of a DOUBLE for 0 and -0.
func (o *Of) Distinguishes(i int) *catalog.Layer {
	switch k := o.At(i).Type.Kind; {
	case k.IsInteger(), k.IsTemporal(), k.IsBytes(),
		k == value.Decimal, k == value.Year, k == value.Bit, k == value.Enum, k == value.Set:
		return Filled(o.At(i).Layer(policy.Equality))
	}
	return nil
}

// LayerFor is a column's layer that answers a comparison exactly, nil if it has
// none. An order layer answers equality as well, and does where keys are over it alone.
func (o *Of) LayerFor(i int, use recipe.SlotUse) *catalog.Layer {
	c := o.At(i)
	order := Ready(c.Layer(policy.Order))
	if order != nil && (order.Grain != (policy.Grain{}) || !c.OrderIsExact()) {
		order = nil
	}
	if use != recipe.Equal {
		return order
	}
	equality := Ready(c.Layer(policy.Equality))
	if equality == nil || order != nil && o.keyedByOrder(i) {
		return order
	}
	return equality
}

// Ready is a layer by which rows are found, whichever a transaction sees.
func Ready(l *catalog.Layer) *catalog.Layer {
	if l == nil || l.Late {
		return nil
	}
	return Filled(l)
}

// Filled is a layer by which rows are found as they are now, which is what statements see of
// rows that they write.
func Filled(l *catalog.Layer) *catalog.Layer {
	if l == nil || l.State != catalog.Ready {
		return nil
	}
	return l
}
