package program

import (
	"encoding/binary"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/value"
)

// Result is the value of an expression for a row. It is good until the run
// evaluates again.
type Result struct {
	Run *Run
	D   *Datum
}

// Null reports whether the result is NULL.
func (v Result) Null() bool { return v.D.Null }

// Opaque reports whether the result is a document with values of SQL's own types in
// it, which its text does not show: it cannot be stored as it is written.
func (v Result) Opaque() bool { return v.Run.X.Root.Opaque }

// Type is that of the expression.
func (v Result) Type() *value.Type { return v.Run.X.Type() }

// Append appends the result's canonical form in the expression's Type. It is not
// called for NULL. The error is a refusal: the value has no place in the type. A TIMESTAMP
// that is no column has none either where clocks show it twice, as its moment is lost.
func (v Result) Append(dst []byte) ([]byte, error) {
	x := v.Run.X
	if x.At >= 0 {
		return append(dst, v.Run.Row[x.At]...), nil
	}
	if v.Twice() {
		v.Run.Refuse(HourTwice + "computed,")
		return dst, v.Run.Fail()
	}
	dst, ok := AppendCanonical(dst, &x.Result, x.Root.Class, v.D)
	if !ok {
		v.Run.Refuse("a DECIMAL of so many digits")
		return dst, v.Run.Fail()
	}
	return dst, nil
}

// AppendText appends the result as the server sends it in a row of the text
// protocol; DECIMAL is sent so in the binary one, too. It is value.AppendText of
// the canonical form but for decimals of MySQL, which may have fewer digits after
// the point than their type.
func (v Result) AppendText(dst []byte) ([]byte, error) {
	x := v.Run.X
	if x.Root.Class == class.Decimal && x.At < 0 && !x.Session.IsMariaDB() {
		if v.D.D.WholeDigits() > decimal.DigitsMax || v.D.D.Decimals() > x.Result.Decimals {
			v.Run.Refuse("a DECIMAL of so many digits")
			return dst, v.Run.Fail()
		}
		return v.D.D.AppendText(dst), nil
	}
	var room [64]byte
	canonical, err := v.Append(room[:0])
	if err != nil {
		return dst, err
	}
	return value.AppendText(dst, &x.Result, canonical, v.Run.In.Env), nil
}

// Moment returns the TIMESTAMP of the row that the result is, in canonical form; nil if it is
// NULL, or no column of that type. What Source has of it is what the clocks of the session's
// zone show.
func (v Result) Moment() []byte {
	x := v.Run.X
	if x.At < 0 || x.Root.Class != class.Timestamp || v.D.Null {
		return nil
	}
	return v.Run.Row[x.At]
}

// Twice reports whether the server stores another moment of the result than the one that Source
// stands for: MariaDB does of a TIMESTAMP of an hour that is there twice.
func (v Result) Twice() bool { return v.Run.X.Root.Class == class.Timestamp && v.Run.ShowsTwice(v.D) }

// Column is the type of the column of the row that the result is, nil if it is computed.
func (v Result) Column() *value.Type {
	if x := v.Run.X; x.At >= 0 {
		return x.Root.Column
	}
	return nil
}

// Unlabelled reports whether the result is an ENUM that is none of its labels.
func (v Result) Unlabelled() bool {
	return class.IsLabel(v.Run.X.Root.Class) && v.D.N == 0 && !v.D.Null
}

// SourceFor is Source for a column of a type. Servers copy a label to a number by its place, and a
// FLOAT or YEAR to a TEXT as it is shown.
func (v Result) SourceFor(to *value.Type, room []byte) value.Source {
	from := v.Column()
	switch {
	case v.D.Null, from == nil:
	case class.IsLabel(v.Run.X.Root.Class) && to.Kind.IsNumber():
		return value.UintSource(v.D.N)
	case (from.Kind == value.Float || from.Kind == value.Year) && to.Kind.IsLong():
		return value.StringSource(value.AppendText(room, from, v.Run.Row[v.Run.X.At], v.Run.In.Env), v.Run.X.Session.Collation)
	}
	return v.Source(room)
}

// Source returns the result as a statement would supply it, for value.Assign. Its
// bytes are those of room, or the run's.
func (v Result) Source(room []byte) value.Source {
	if v.D.Null {
		return value.NullSource()
	}
	root := v.Run.X.Root
	if class.IsLabel(root.Class) && root.Column != nil {
		var index [8]byte
		binary.BigEndian.PutUint64(index[:], v.D.N)
		return value.StringSource(value.AppendText(room, root.Column, index[:], v.Run.In.Env), root.Column.Collation)
	}
	switch root.Class {
	case class.Int:
		return value.IntSource(int64(v.D.N))
	case class.Uint, class.Year, class.Bit:
		return value.UintSource(v.D.N)
	case class.Decimal:
		return value.DecimalSource(v.D.D.AppendText(room))
	case class.Float, class.Double:
		return value.DoubleSource(v.D.Double())
	case class.Text:
		return value.StringSource(v.D.B, root.Collation)
	case class.JSON:
		return value.StringSource(v.D.B, root.Collation)
	case class.Date:
		return value.DateSource(int64(v.D.N))
	case class.Time:
		return value.TimeSource(int64(v.D.N), uint8(root.Scale))
	case class.DateTime, class.Timestamp:
		return value.DateTimeSource(int64(v.D.N), uint8(root.Scale))
	case class.Hex:
		return value.HexSource(v.D.B)
	default:
		return value.HexStringSource(v.D.B)
	}
}
