package eval

import (
	"strings"

	"tunic/internal/eval/decimal"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// isExact reports whether values are integers or decimals.
func (c class) isExact() bool { return c.isInteger() || c == classDecimal }

// isLabel reports whether values are labels of ENUM or SET.
func isLabel(c class) bool { return c == classEnum || c == classSet }

// comparedAs is the representation in which two shapes are compared (MySQL
// manual, "Type Conversion in Expression Evaluation"): constants of text are read as
// dates.
func comparedAs(a, b *shape, constantA, constantB bool) class {
	x, y := a.class, b.class
	textA, textB := constantA && x == classText, constantB && y == classText
	switch {
	case x == classNull || y == classNull:
		return classNull
	case x == classOther || y == classOther:
		return classOther
	case x.isInteger() && y.isInteger():
		return classInt
	case x.isExact() && y.isExact():
		return classDecimal
	case x == classTime && y == classTime, x == classTime && textB, y == classTime && textA:
		return classTime
	case x.hasDate() && (y.hasDate() || textB), y.hasDate() && textA:
		return classDateTime
	case x.isTemporal() && y.isTemporal():
		return classOther
	case isLabel(x) && y.isString(), x.isString() && isLabel(y), isLabel(x) && isLabel(y):
		return classText
	case x == classText && y == classText:
		return classText
	case x.isString() && y.isString():
		return classBytes
	}
	return classDouble
}

// collationOfTwo is the collation that counts where two meet that count alike, nil if it
// is not known.
func collationOfTwo(as coercibility, a, b *charset.Collation) *charset.Collation {
	switch {
	case as == coercibleColumn && widens(b.Charset, a.Charset):
		return b
	case as == coercibleColumn && widens(a.Charset, b.Charset):
		return a
	case as == coercibleExplicit:
		return nil
	}
	return binaryOf(a, b)
}

// binaryOf is the collation that counts where two of one character set meet of which
// one compares code points, nil if none or both of them do (MySQL manual, "Collation
// Coercibility in Expressions").
func binaryOf(a, b *charset.Collation) *charset.Collation {
	const suffix = "_bin"
	switch binA, binB := strings.HasSuffix(a.Name, suffix), strings.HasSuffix(b.Name, suffix); {
	case a.Charset != b.Charset, binA == binB:
		return nil
	case binA:
		return a
	default:
		return b
	}
}

// widens reports whether servers take the collation of a character set where a column of it
// meets one of the other: utf8mb4 has all characters of utf8mb3, in the same bytes (MySQL
// manual, "Collation Coercibility in Expressions").
func widens(to, from *charset.Charset) bool { return to.Name == "utf8mb4" && from.Name == "utf8mb3" }

// exact is the digits before the point and behind it, as a decimal.
func (s *shape) exact() (whole, scale int) {
	digits := s.digits
	switch s.class {
	case classDate:
		digits = 8
	case classTime:
		digits = 7 + s.scale
	case classDateTime, classTimestamp:
		digits = 14 + s.scale
	default:
	}
	return max(digits-s.scale, 0), s.scale
}

// isFree reports whether values as doubles have no fixed number of digits.
func (s *shape) isFree() bool {
	return s.scale == scaleFree || s.class.isString() || isLabel(s.class)
}

// number is what a class computes as: classInt, classUint, classDecimal,
// classDouble, or classNull.
func (s *shape) number(mariadb bool) class {
	switch s.class {
	case classEnum, classSet:
		if mariadb {
			return classInt
		}
		return classDouble
	case classNull, classInt, classDecimal:
		return s.class
	case classUint, classYear, classBit, classHex:
		return classUint
	case classDate, classTime, classDateTime, classTimestamp:
		if s.scale > 0 {
			return classDecimal
		}
		return classInt
	default:
		return classDouble
	}
}

// arithmeticRules are what of a session decides the digits of results.
type arithmeticRules struct {
	MariaDB      bool
	DivPrecision int // div_precision_increment
}

// scaleMax is the most digits after the point that a decimal has.
func (r arithmeticRules) scaleMax() int {
	if r.MariaDB {
		return decimal.ScaleMaxMariaDB
	}
	return decimal.ScaleMaxMySQL
}

// doubleScale is the digits after the point that a double is written with: free
// unless both operands have fixed ones.
func (r arithmeticRules) doubleScale(name string, a, b *shape) int {
	if a.isFree() || b.isFree() {
		return scaleFree
	}
	scale := max(a.scale, b.scale)
	switch name {
	case "*":
		scale = a.scale + b.scale
	case "/":
		scale += r.DivPrecision
	}
	return min(scale, scaleFree)
}

// decimalShape is the type of a result (MySQL manual, "DECIMAL Data Type
// Characteristics", and "Arithmetic Operators").
func (r arithmeticRules) decimalShape(name string, a, b *shape) shape {
	wholeA, scaleA := a.exact()
	wholeB, scaleB := b.exact()
	s := shape{class: classDecimal, coercible: coercibleNumber}
	s.uneven = name != "/" && (a.numberOnly || a.uneven || b.numberOnly || b.uneven)
	switch name {
	case "*":
		s.scale = scaleA + scaleB
		s.digits = wholeA + wholeB + s.scale
	case "/":
		s.scale = scaleA + r.DivPrecision
		s.digits = wholeA + scaleB + s.scale
	case "MOD":
		s.scale = max(scaleA, scaleB)
		s.digits = max(wholeA, wholeB) + s.scale
	default:
		s.scale = max(scaleA, scaleB)
		s.digits = max(wholeA, wholeB) + 1 + s.scale
	}
	s.scale = min(s.scale, r.scaleMax())
	s.digits = min(s.digits, decimal.DigitsMax)
	return s
}

// numberShape is the type of a function of one number that keeps the number's
// type.
func numberShape(n *shape, k class) shape {
	s := shape{class: k, digits: max(n.digits, 1), coercible: coercibleNumber, uneven: n.numberOnly || n.uneven}
	switch k {
	case classDecimal:
		whole, scale := n.exact()
		s.digits, s.scale = whole+scale, scale
	case classDouble:
		if s.scale = scaleFree; n.class.isReal() {
			s.scale = n.scale
		}
	default:
	}
	return s
}

// roundedDouble is the type of a double rounded to digits: MariaDB writes it with
// them, MySQL with the digits it has.
func (r arithmeticRules) roundedDouble(digits int) shape {
	s := shape{class: classDouble, scale: scaleFree, coercible: coercibleNumber}
	if r.MariaDB {
		s.scale = max(digits, 0)
	}
	return s
}

// sumDigits are the digits that a sum may have more than what is summed.
const sumDigits = 22

// sumShape is that of SUM and AVG of exact numbers.
func (r arithmeticRules) sumShape(arg *shape, average bool) shape {
	s := shape{class: classDecimal, nullable: true, coercible: coercibleNumber}
	whole, scale := arg.exact()
	if average {
		s.scale = min(scale+r.DivPrecision, r.scaleMax())
		s.digits = min(whole+s.scale, decimal.DigitsMax)
		return s
	}
	s.scale, s.digits = scale, min(whole+sumDigits+scale, decimal.DigitsMax)
	return s
}

// inexactShape is that of SUM and AVG of doubles.
func (r arithmeticRules) inexactShape(arg *shape, average bool) shape {
	s := shape{class: classDouble, scale: scaleFree, nullable: true, coercible: coercibleNumber}
	if arg.class.isReal() && arg.scale != scaleFree {
		s.scale = arg.scale
		if average {
			s.scale = min(s.scale+r.DivPrecision, scaleFree)
		}
	}
	return s
}

// varianceDigits are the digits after the point that MariaDB shows beyond those of a
// double with some.
const varianceDigits = 4

// varianceShape is a double. MariaDB shows a number of digits that is the argument's,
// and more; MySQL all that there are.
func (r arithmeticRules) varianceShape(arg *shape) shape {
	s := shape{class: classDouble, scale: scaleFree, nullable: true, coercible: coercibleNumber}
	switch {
	case !r.MariaDB:
	case arg.class.isReal():
		s.scale = min(arg.scale+varianceDigits, scaleFree)
	case !arg.class.isString():
		s.scale = min(arg.scale+r.DivPrecision, decimal.ScaleMaxMySQL)
	}
	return s
}

// merge adds the type of one value, which has so many characters as text, to what is
// common so far.
func (s shape) merge(v *shape, chars int, mariadb bool) (shape, bool) {
	switch {
	case v.class == classNull:
		return s, true
	case v.class == classOther, v.class == classBit, v.class == classHex:
		return s, false
	case s.class == classNull:
		s = *v
		s.chars = chars
		if isLabel(v.class) {
			s.class, s.textOnly = classText, true
		}
		return s, true
	}
	s.chars = max(s.chars, chars)
	s.nullable = s.nullable || v.nullable
	s.uneven = s.uneven || v.uneven
	s.numberOnly = s.numberOnly || v.numberOnly || s.class != v.class || s.scale != v.scale
	return s.mergeClasses(v, mariadb)
}

func (s shape) mergeClasses(v *shape, mariadb bool) (shape, bool) {
	x, y := s.class, v.class
	switch {
	case x == y && !isLabel(x):
		return s.mergeSame(v), true
	case x.isInteger() && y.isInteger():
		return s.mergeIntegers(v, mariadb), true
	case x.isExact() && y.isExact():
		return s.mergeDecimals(v), true
	case (x.isExact() || x.isReal()) && (y.isExact() || y.isReal()):
		if s.class = classDouble; s.scale != scaleFree && !v.isFree() {
			s.scale = max(s.scale, v.scale)
		} else {
			s.scale = scaleFree
		}
		return s, true
	case x.hasDate() && y.hasDate():
		s.class, s.scale = classDateTime, max(s.scale, v.scale)
		return s, true
	case x.isTemporal() && y.isTemporal():
		return s, false
	}
	s.textOnly = s.textOnly || v.textOnly || !x.isString() || !y.isString()
	if s.class = classText; x == classBytes || y == classBytes {
		s.class, s.collation = classBytes, nil
	}
	return s, true
}

func (s shape) mergeSame(v *shape) shape {
	if s.class == classDecimal {
		return s.mergeDecimals(v)
	}
	s.digits = max(s.digits, v.digits)
	s.scale = max(s.scale, v.scale)
	s.textOnly = s.textOnly || v.textOnly
	return s
}

func (s shape) mergeDecimals(v *shape) shape {
	whole := max(s.digits-s.scale, v.digits-v.scale)
	s.class, s.scale = classDecimal, max(s.scale, v.scale)
	s.digits = min(whole+s.scale, decimal.DigitsMax)
	return s
}

// mergeIntegers finds a type for integers with and without a sign: a signed one,
// or a decimal where 64 bits are not enough.
func (s shape) mergeIntegers(v *shape, mariadb bool) shape {
	if s.class.isUnsigned() == v.class.isUnsigned() {
		if s.class.isUnsigned() {
			s.class = classUint
		}
		s.digits = max(s.digits, v.digits)
		return s
	}
	unsigned := s.digits
	if v.class.isUnsigned() {
		unsigned = v.digits
	}
	s.digits = max(s.digits, v.digits)
	if s.class = classInt; unsigned >= 19 || mariadb {
		s.class = classDecimal
	}
	return s
}

// result is the type of values that are no column's; false if there is none.
func (s *shape) result(mariadb bool) (value.Type, bool) {
	t := value.Type{NotNull: !s.nullable, Decimals: s.scale}
	switch s.class {
	case classNull:
		t.Kind = value.VarBinary
	case classInt, classUint:
		t.Kind, t.Unsigned, t.Decimals = value.BigInt, s.class == classUint, 0
		t.Length = s.digits
	case classDecimal:
		t.Kind, t.Length = value.Decimal, min(max(s.digits, 1), decimal.DigitsMax)
	case classFloat, classDouble:
		if t.Kind = value.Double; s.class == classFloat {
			t.Kind = value.Float
		}
		if s.scale == scaleFree {
			t.Decimals = 0
		} else {
			t.Length = 255
		}
	case classText:
		t.Kind, t.Length, t.Collation = value.VarChar, s.chars, s.collation
	case classBytes, classHex:
		t.Kind, t.Length = value.VarBinary, s.chars
	case classJSON:
		if t.Kind = value.JSON; mariadb {
			t.Kind, t.Length, t.Collation = value.VarChar, s.chars, s.collation
		}
	case classDate:
		t.Kind = value.Date
	case classTime:
		t.Kind = value.Time
	case classDateTime, classTimestamp:
		t.Kind = value.DateTime
	case classYear:
		t.Kind, t.Length = value.Year, 4
	default:
		return t, false
	}
	return t, true
}

// boolShape is what comparisons and logic return.
var boolShape = shape{class: classInt, digits: 1, coercible: coercibleNumber}

// countShape is the type of functions that count.
var countShape = shape{class: classInt, digits: 10, coercible: coercibleNumber}

// integerShape is that of numbers of so many digits.
func integerShape(digits int) shape {
	return shape{class: classInt, digits: digits, coercible: coercibleNumber}
}

// dateShape is that of DATE.
var dateShape = shape{class: classDate, coercible: coercibleNumber}

// timeShape is that of TIME with so many digits of a fraction.
func timeShape(scale int) shape {
	return shape{class: classTime, scale: scale, coercible: coercibleNumber}
}

// dateTimeShape is that of a date and time.
func dateTimeShape(scale int) shape {
	return shape{class: classDateTime, scale: scale, coercible: coercibleNumber}
}

// labelChars is how long a value of labels is as text at most, which for MariaDB is how many
// digits it has as a number.
func labelChars(t *value.Type) int {
	most, all := 0, max(len(t.Labels)-1, 0)
	for _, l := range t.Labels {
		n := len(l)
		if t.Collation != nil {
			n = t.Collation.Charset.CharLen(l)
		}
		most, all = max(most, n), all+n
	}
	if t.Kind == value.Set {
		return all
	}
	return most
}
