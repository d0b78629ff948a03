package local

import (
	"bytes"

	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// joinKey is an equality by which rows are found in a map.
type joinKey struct {
	sides    [2]keySide // ownSide, otherSide
	form     keyForm
	nullSafe bool // NULL is equal to NULL
	// fits is how many digits before the point a number may have, 0 for any: servers may
	// warn of others.
	fits int
}

// keySide is one side of a key.
type keySide struct {
	expression *expression
	column     int // that the expression is, -1 if it is computed
	typ        *value.Type
}

// The sides of a key: of the rows that are found, and of what they are found for.
const (
	ownSide = iota
	otherSide
)

// keyForm is how values become bytes that are the same where they are equal, whichever
// of the two types of a key they have.
type keyForm uint8

const (
	keyNone     keyForm = iota // values are to be compared
	keyEquality                // value.AppendEquality
	keyNumber                  // the digits of an exact number
)

// keyFormOf is the form that serves values of two types. What it makes the same is
// equal to the servers, and to package eval.
func keyFormOf(a, b *value.Type, mode value.Mode) keyForm {
	same := a.Kind == b.Kind
	switch {
	case isWhole(a) && isWhole(b), isReal(a) && isReal(b), isDay(a) && isDay(b):
		return keyEquality
	case same && (a.Kind == value.Bit || a.Kind == value.Time):
		return keyEquality
	case same && a.Kind == value.Decimal && a.Decimals == b.Decimals && value.FixedBytes(a) == value.FixedBytes(b):
		return keyEquality
	case (isWhole(a) || a.Kind == value.Decimal) && (isWhole(b) || b.Kind == value.Decimal):
		return keyNumber
	case a.Kind.IsText() && b.Kind.IsText():
		padded := mode&value.PadCharToFullLength != 0 && (a.Kind == value.Char || b.Kind == value.Char)
		if a.Collation == nil || a.Collation != b.Collation || padded {
			return keyNone
		}
		exact, _ := a.Collation.Exact()
		if !exact {
			return keyNone
		}
		return keyEquality
	case a.Kind.IsBytes() && b.Kind.IsBytes():
		return keyEquality
	}
	return keyNone
}

func isWhole(t *value.Type) bool { return t.Kind.IsInteger() || t.Kind == value.Year }

func isReal(t *value.Type) bool { return t.Kind == value.Float || t.Kind == value.Double }

func isDay(t *value.Type) bool { return t.Kind == value.Date || t.Kind == value.DateTime }

// append appends the bytes of a value, which is not NULL. They are preceded by their
// number, so that those of several values cannot be taken for others.
func (f keyForm) append(dst []byte, t *value.Type, v []byte) []byte {
	if f == keyEquality {
		return AppendKey(dst, t, v)
	}
	plain := *t
	plain.Zerofill = false
	dst = append(dst, 1, 0, 0, 0, 0)
	begin := len(dst)
	dst = value.AppendText(dst, &plain, v, noEnv)
	if digits := dst[begin:]; bytes.IndexByte(digits, '.') >= 0 {
		digits = bytes.TrimSuffix(bytes.TrimRight(digits, "0"), []byte("."))
		dst = dst[:begin+len(digits)]
	}
	if digits := dst[begin:]; string(digits) == "-0" {
		dst = append(dst[:begin], '0')
	}
	n := len(dst) - begin
	dst[begin-4], dst[begin-3], dst[begin-2], dst[begin-1] = byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
	return dst
}

// noEnv is for numbers, which are written alike in every session.
var noEnv = &value.Env{}

// keysOf compiles the keys of a source: those that rows are found by, and those whose
// values have to be compared.
func (c *compiler) keysOf(f *recipe.Source, own *compiler, made *source) error {
	for _, k := range f.Keys {
		comparison, err := c.expression(k)
		if err != nil {
			return err
		}
		key, err := c.joinKey(own, k)
		if err != nil {
			return err
		}
		if key == nil {
			made.rest = append(made.rest, comparison)
		} else {
			made.keys = append(made.keys, *key)
			c.limitBy(made, key)
		}
	}
	return nil
}

// limitBy notes which columns of leaves a key limits.
func (c *compiler) limitBy(own *source, k *joinKey) {
	mine := k.sides[ownSide]
	if mine.column >= 0 {
		mine.column += own.base
	}
	c.limitSides(k.fits, mine, k.sides[otherSide])
}

// limitByCondition is limitBy for the equalities of a condition of a join.
func (c *compiler) limitByCondition(e ast.Expr) error {
	switch e := e.(type) {
	case *ast.AndExpr:
		if err := c.limitByCondition(e.Left); err != nil {
			return err
		}
		return c.limitByCondition(e.Right)
	case *ast.ComparisonExpr:
		_, row := e.Left.(ast.ValTuple)
		if row || e.Operator != ast.EqualOp && e.Operator != ast.NullSafeEqualOp || e.Modifier != ast.Missing {
			return nil
		}
		left, err := c.keySide(e.Left)
		if err != nil {
			return err
		}
		right, err := c.keySide(e.Right)
		if err != nil {
			return err
		}
		c.limitSides(c.fitting(left.typ, right.typ), left, right)
	}
	return nil
}

// limitSides limits the columns of leaves that are sides of an equality.
func (c *compiler) limitSides(fits int, sides ...keySide) {
	if fits == 0 {
		return
	}
	for _, side := range sides {
		for _, s := range c.sources {
			if at := side.column - s.base; side.column >= 0 && s.leaf >= 0 && at >= 0 && at < s.width {
				leaf := &c.tree.tree.leaves[s.leaf]
				leaf.limits = append(leaf.limits, limit{at, side.typ, fits})
			}
		}
	}
}

// joinKey compiles an equality of an expression of rows that are to be found and one of
// the block's row; nil if rows cannot be found by it.
func (c *compiler) joinKey(own *compiler, k *ast.ComparisonExpr) (*joinKey, error) {
	a, err := own.keySide(k.Left)
	if err != nil {
		return nil, err
	}
	b, err := c.keySide(k.Right)
	if err != nil {
		return nil, err
	}
	if differsByWay(a, b) {
		return nil, sqlerr.ExpressionRefused("=", "a FLOAT or DOUBLE with a number of decimals, compared with what is of another type or computed, as a key of rows")
	}
	return c.keyOfSides(a, b, k.Operator), nil
}

// differsByWay reports whether it depends on the way that a server finds rows which of them
// are equal: it allows for half a digit where it compares numbers that have a fixed number
// of decimals, and for nothing where it looks for them in an index or a map. Columns of
// one type, and those that hold what they show, come out the same.
func differsByWay(a, b keySide) bool {
	x, y := a.typ, b.typ
	if !hasDigits(x) && !hasDigits(y) || !countsDigits(x) || !countsDigits(y) {
		return false
	}
	if a.column < 0 || b.column < 0 {
		return true
	}
	same := x.Kind == y.Kind && x.Decimals == y.Decimals
	return !same && (x.Kind == value.Float || y.Kind == value.Float)
}

// hasDigits reports whether a type is a FLOAT or DOUBLE with a fixed number of decimals.
func hasDigits(t *value.Type) bool { return isReal(t) && t.Length > 0 }

// countsDigits reports whether values of a type have a number of decimals that is known.
func countsDigits(t *value.Type) bool { return isWhole(t) || t.Kind == value.Decimal || hasDigits(t) }

// keySide compiles a side of a key.
func (c *compiler) keySide(e ast.Expr) (keySide, error) {
	x, err := c.expression(e)
	if err != nil {
		return keySide{}, err
	}
	made := keySide{expression: x, column: -1, typ: x.Type()}
	if i, ok := x.Column(); ok {
		made.column = i
	}
	return made, nil
}

// keyOfSides is the key of an equality of two sides; nil if it is a condition like
// others. A constant is to the servers what the other side is.
func (c *compiler) keyOfSides(own, other keySide, operator ast.ComparisonExprOperator) *joinKey {
	made := &joinKey{sides: [2]keySide{own, other}, nullSafe: operator == ast.NullSafeEqualOp}
	made.form = keyFormOf(own.typ, other.typ, c.program.session.Mode)
	for _, side := range made.sides {
		if side.expression != nil && (side.expression.twin != nil || side.expression.Constant()) {
			return nil
		}
	}
	made.fits = c.fitting(own.typ, other.typ)
	if made.form == keyNone || !made.nullSafe && operator != ast.EqualOp {
		return nil
	}
	return made
}

// bigintSure is how many digits every BIGINT has room for.
const bigintSure = 18

// fitting is how many digits before the point numbers of two types may have so that
// servers compare them without a warning, 0 for any: MySQL warns of what is beyond one
// of the types if it makes a map of its own, MariaDB of what is beyond a BIGINT if it
// looks for it in a key.
func (c *compiler) fitting(a, b *value.Type) int {
	switch {
	case keyFormOf(a, b, 0) != keyNumber:
		return 0
	case c.program.session.Flavor != value.MariaDB:
		return min(wholeDigits(a), wholeDigits(b))
	case isWhole(a) || isWhole(b):
		return bigintSure
	}
	return 0
}

// finder makes keys of rows.
type finder struct {
	keys  []joinKey
	runs  [2][]*Running // nil for a column
	cells Cells
	key   []byte // of the last row
}

func newFinder(x *treeRun, keys []joinKey) (*finder, error) {
	f := &finder{keys: keys}
	for i := range keys {
		for side := range f.runs {
			var run *Running
			if of := &keys[i].sides[side]; of.column < 0 {
				var err error
				if run, err = of.expression.begin(x); err != nil {
					return nil, err
				}
			}
			f.runs[side] = append(f.runs[side], run)
		}
	}
	return f, nil
}

// keyOf makes the key of a row of one side. false says that it is NULL, and equal to
// none.
func (f *finder) keyOf(side int, row eval.Row) (bool, error) {
	f.key = f.key[:0]
	for i := range f.keys {
		k := &f.keys[i]
		of := &k.sides[side]
		v, err := f.cells.One(f.runs[side][i], of.column, row)
		switch {
		case err != nil:
			return false, err
		case v != nil:
			begin := len(f.key)
			f.key = k.form.append(f.key, of.typ, v)
			if k.fits > 0 && wholeLength(f.key[begin+keyHead:]) > k.fits {
				return false, sqlerr.ValueRefused("a comparison of numbers of two types")
			}
		case k.nullSafe:
			f.key = append(f.key, 0)
		default:
			return false, nil
		}
	}
	return true, nil
}

// keyHead is what stands before the bytes of a value in a key.
const keyHead = 5

// wholeLength is how many digits a number has before the point.
func wholeLength(digits []byte) int {
	whole, _, _ := bytes.Cut(bytes.TrimPrefix(digits, []byte("-")), []byte("."))
	return len(whole)
}

// One is what a run makes of a row, or a column of it; nil for NULL. It is good until
// the next one.
func (c *Cells) One(run *Running, column int, row eval.Row) ([]byte, error) {
	if run == nil {
		return row[column], nil
	}
	c.begin()
	if err := c.compute(run, 0, row); err != nil {
		return nil, err
	}
	return c.row()[0], nil
}
