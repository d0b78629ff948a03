package eval

import (
	"encoding/binary"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/value"
)

// Result is the value of an expression for a row. It is good until the run
// evaluates again.
type Result struct {
	run *Run
	d   *datum
}

// Null reports whether the result is NULL.
func (v Result) Null() bool { return v.d.null }

// Opaque reports whether the result is a document with values of SQL's own types in
// it, which its text does not show: it cannot be stored as it is written.
func (v Result) Opaque() bool { return v.run.x.root.Opaque }

// Type is that of the expression.
func (v Result) Type() *value.Type { return v.run.x.Type() }

// Append appends the result's canonical form in the expression's Type. It is not
// called for NULL. The error is a refusal: the value has no place in the type. A TIMESTAMP
// that is no column has none either where clocks show it twice, as its moment is lost.
func (v Result) Append(dst []byte) ([]byte, error) {
	x := v.run.x
	if x.column >= 0 {
		return append(dst, v.run.row[x.column]...), nil
	}
	if v.Twice() {
		v.run.refuse(hourTwice + "computed,")
		return dst, v.run.fail()
	}
	dst, ok := appendCanonical(dst, &x.result, x.root.Class, v.d)
	if !ok {
		v.run.refuse("a DECIMAL of so many digits")
		return dst, v.run.fail()
	}
	return dst, nil
}

// AppendText appends the result as the server sends it in a row of the text
// protocol; DECIMAL is sent so in the binary one, too. It is value.AppendText of
// the canonical form but for decimals of MySQL, which may have fewer digits after
// the point than their type.
func (v Result) AppendText(dst []byte) ([]byte, error) {
	x := v.run.x
	if x.root.Class == class.Decimal && x.column < 0 && !x.session.isMariaDB() {
		if v.d.d.WholeDigits() > decimal.DigitsMax || v.d.d.Decimals() > x.result.Decimals {
			v.run.refuse("a DECIMAL of so many digits")
			return dst, v.run.fail()
		}
		return v.d.d.AppendText(dst), nil
	}
	var room [64]byte
	canonical, err := v.Append(room[:0])
	if err != nil {
		return dst, err
	}
	return value.AppendText(dst, &x.result, canonical, v.run.in.Env), nil
}

// Moment returns the TIMESTAMP of the row that the result is, in canonical form; nil if it is
// NULL, or no column of that type. What Source has of it is what the clocks of the session's
// zone show.
func (v Result) Moment() []byte {
	x := v.run.x
	if x.column < 0 || x.root.Class != class.Timestamp || v.d.null {
		return nil
	}
	return v.run.row[x.column]
}

// Twice reports whether the server stores another moment of the result than the one that Source
// stands for: MariaDB does of a TIMESTAMP of an hour that is there twice.
func (v Result) Twice() bool { return v.run.x.root.Class == class.Timestamp && v.run.showsTwice(v.d) }

// Column is the type of the column of the row that the result is, nil if it is computed.
func (v Result) Column() *value.Type {
	if x := v.run.x; x.column >= 0 {
		return x.root.column
	}
	return nil
}

// Unlabelled reports whether the result is an ENUM that is none of its labels.
func (v Result) Unlabelled() bool {
	return class.IsLabel(v.run.x.root.Class) && v.d.n == 0 && !v.d.null
}

// SourceFor is Source for a column of a type. Servers copy a label to a number by its place, and a
// FLOAT or YEAR to a TEXT as it is shown.
func (v Result) SourceFor(to *value.Type, room []byte) value.Source {
	from := v.Column()
	switch {
	case v.d.null, from == nil:
	case class.IsLabel(v.run.x.root.Class) && to.Kind.IsNumber():
		return value.UintSource(v.d.n)
	case (from.Kind == value.Float || from.Kind == value.Year) && to.Kind.IsLong():
		return value.StringSource(value.AppendText(room, from, v.run.row[v.run.x.column], v.run.in.Env), v.run.x.session.Collation)
	}
	return v.Source(room)
}

// Source returns the result as a statement would supply it, for value.Assign. Its
// bytes are those of room, or the run's.
func (v Result) Source(room []byte) value.Source {
	if v.d.null {
		return value.NullSource()
	}
	root := v.run.x.root
	if class.IsLabel(root.Class) && root.column != nil {
		var index [8]byte
		binary.BigEndian.PutUint64(index[:], v.d.n)
		return value.StringSource(value.AppendText(room, root.column, index[:], v.run.in.Env), root.column.Collation)
	}
	switch root.Class {
	case class.Int:
		return value.IntSource(int64(v.d.n))
	case class.Uint, class.Year, class.Bit:
		return value.UintSource(v.d.n)
	case class.Decimal:
		return value.DecimalSource(v.d.d.AppendText(room))
	case class.Float, class.Double:
		return value.DoubleSource(v.d.double())
	case class.Text:
		return value.StringSource(v.d.b, root.Collation)
	case class.JSON:
		return value.StringSource(v.d.b, root.Collation)
	case class.Date:
		return value.DateSource(int64(v.d.n))
	case class.Time:
		return value.TimeSource(int64(v.d.n), uint8(root.Scale))
	case class.DateTime, class.Timestamp:
		return value.DateTimeSource(int64(v.d.n), uint8(root.Scale))
	case class.Hex:
		return value.HexSource(v.d.b)
	default:
		return value.HexStringSource(v.d.b)
	}
}
