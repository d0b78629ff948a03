package value

// Assign stores a source into a column as the server would and appends the
// canonical form of what is stored. The outcome has what the server would say
// of it; if it Failed, or is Null, nothing is appended.
//
// No memory is allocated if dst has room, but for text that changes its
// character set, JSON and sets.
func Assign(dst []byte, t *Type, s *Source, env *Env) ([]byte, Outcome) {
	var o Outcome
	if s.Form == FormNull {
		return assignNull(dst, t, env)
	}
	before := len(dst)
	s = s.asRead(t.Kind, env)
	if s.Param && env.Flavor != MariaDB {
		dst = assignParam(dst, t, s, env, &o)
	} else {
		dst = assign(dst, t, s, env, &o)
	}
	if o.Failed() || o.Null {
		return dst[:before], o
	}
	return dst, o
}

func assign(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	switch t.Kind {
	case TinyInt, SmallInt, MediumInt, Int, BigInt:
		return assignInteger(dst, t, s, env, o)
	case Decimal:
		return assignDecimal(dst, t, s, env, o)
	case Float, Double:
		return assignFloat(dst, t, s, env, o)
	case Bit:
		return assignBit(dst, t, s, env, o)
	case Year:
		return assignYear(dst, s, env, o)
	case Date, Time, DateTime, Timestamp:
		return assignTemporal(dst, t, s, env, o)
	case Char, VarChar, TinyText, Text, MediumText, LongText:
		return assignText(dst, t, s, env, o)
	case Binary, VarBinary, TinyBlob, Blob, MediumBlob, LongBlob:
		return assignBytes(dst, t, s, env, o)
	case Enum:
		return assignEnum(dst, t, s, env, o)
	case Set:
		return assignSet(dst, t, s, env, o)
	case UUID, INET4, INET6:
		return assignAddress(dst, t, s, env, o)
	case JSON:
		return assignJSON(dst, t, s, env, o)
	case Vector:
		return assignVector(dst, t, s, env, o)
	case Geometry, Point, LineString, Polygon, MultiPoint, MultiLineString, MultiPolygon, GeometryCollection:
		return assignGeometry(dst, t, s, env, o)
	default:
		o.add(Error, Unanswerable, "")
		return dst
	}
}

// assignParam stores a parameter in MySQL, which gives it the column's type first:
// a string that is a number becomes a decimal before it becomes an integer. What it
// says of the odder numbers on this way is not known here.
func assignParam(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	if s.Form == FormString && (t.Kind.IsInteger() || t.Kind == Bit || t.Kind == Year || t.Kind == Decimal) {
		var d decimal
		end, ok := d.read(s.Bytes)
		number := ok && end == len(s.Bytes)
		switch {
		case d.odd(t.Kind) || ok && !number && onlySpaces(s.Bytes[end:]):
			o.add(Error, Unanswerable, "")
			return dst
		case number && t.Kind.IsInteger():
			exact := Source{Form: FormDecimal, Bytes: s.Bytes}
			return assign(dst, t, &exact, env, o)
		}
	}
	dst = assign(dst, t, s, env, o)
	if o.n > 0 && t.Kind.IsTemporal() && s.isNumber() {
		o.add(Error, Unanswerable, "")
	}
	return dst
}

// odd reports whether a number is beyond what a parameter of the kind is certain
// to become.
func (d *decimal) odd(k Kind) bool {
	const surelyFits = 18 // digits
	if d.overflow || d.hugeExponent || k == Decimal && d.cut {
		return true
	}
	return (k == Bit || k == Year) && (d.negative || d.point > surelyFits || d.count > d.point)
}

// assignNull stores NULL, or in its place the implicit default. For a TIMESTAMP MariaDB
// has the time of the statement instead, whatever the column's DEFAULT and sql_mode say
// (MariaDB manual, "TIMESTAMP").
func assignNull(dst []byte, t *Type, env *Env) ([]byte, Outcome) {
	var o Outcome
	if !t.NotNull {
		o.Null = true
		return dst, o
	}
	if t.Kind == Timestamp && env.Flavor == MariaDB && !env.Now.IsZero() {
		return AppendNow(dst, t.Kind, env.Now, t.Decimals, env), o
	}
	if env.NullFails && !env.Ignore {
		o.fail(env, BadNull, "")
	} else {
		o.warn(env, BadNull, "")
	}
	if o.Failed() {
		return dst, o
	}
	return AppendImplicitDefault(dst, t), o
}

// AppendImplicitDefault appends what a NOT NULL column without a DEFAULT gets
// where the server does not insist on a value: 0, the zero date, the empty
// string, the first label of an ENUM (MySQL manual, "Data Type Default Values").
func AppendImplicitDefault(dst []byte, t *Type) []byte {
	switch {
	case t.Kind == Decimal:
		return appendByte(dst, 0, decimalBytes(t.Length))
	case t.Kind == Enum:
		return append(dst, 0, 0, 0, 0, 0, 0, 0, 1)
	case t.Kind.IsNumber() || t.Kind.IsTemporal() || t.Kind == Set:
		return append(dst, zero8[:]...)
	case t.Kind == Binary || t.Kind == Vector:
		return appendByte(dst, 0, t.Length)
	case t.Kind == UUID || t.Kind == INET6:
		return appendByte(dst, 0, 16)
	case t.Kind == INET4:
		return appendByte(dst, 0, 4)
	case t.Kind == JSON:
		return append(dst, "null"...)
	default:
		return dst
	}
}
