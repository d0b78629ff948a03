package value

// ColumnMeta is what the definition of a column in a result says of its type
// (MySQL source documentation, "Protocol::ColumnDefinition41").
type ColumnMeta struct {
	Type     uint8 // enum_field_types
	Decimals uint8
	Flags    uint16
	Charset  uint16 // number of a collation
	Length   uint32 // bytes of the longest value as text
}

// Flags of a column definition that follow from its type and NOT NULL. Those of
// keys, defaults and AUTO_INCREMENT are the table's to know.
const (
	FlagNotNull   = 1 << 0
	FlagBlob      = 1 << 4
	FlagUnsigned  = 1 << 5
	FlagZerofill  = 1 << 6
	FlagBinary    = 1 << 7
	FlagEnum      = 1 << 8
	FlagTimestamp = 1 << 10
	FlagSet       = 1 << 11
)

// protocolTypes are the types of the protocol.
var protocolTypes = [kindEnd]uint8{
	TinyInt: 1, SmallInt: 2, MediumInt: 9, Int: 3, BigInt: 8,
	Decimal: 246, Float: 4, Double: 5, Bit: 16, Year: 13,
	Date: 10, Time: 11, DateTime: 12, Timestamp: 7,
	Char: 254, VarChar: 253, TinyText: 252, Text: 252, MediumText: 252, LongText: 252,
	Binary: 254, VarBinary: 253, TinyBlob: 252, Blob: 252, MediumBlob: 252, LongBlob: 252,
	Enum: 254, Set: 254, JSON: 245,
	Geometry: 255, Point: 255, LineString: 255, Polygon: 255,
	MultiPoint: 255, MultiLineString: 255, MultiPolygon: 255, GeometryCollection: 255,
	UUID: 254, INET4: 254, INET6: 254, Vector: 242,
}

// notFixed is the number of decimals of a FLOAT or DOUBLE without (M,D), and in
// MySQL of strings.
const notFixed = 31

// Numbers of the collations of what has no characters, and of text that the
// server makes itself.
const (
	binaryCollation = 63
	latin1Collation = 8
)

// Meta returns the column definition's part for a column of the type.
func Meta(t *Type, env *Env) ColumnMeta {
	if t.Kind == JSON && env.Flavor == MariaDB {
		long := *t
		long.Kind = LongText
		return Meta(&long, env)
	}
	m := ColumnMeta{Type: protocolTypes[t.Kind], Charset: binaryCollation, Flags: t.flags(env)}
	switch {
	case t.Kind.IsInteger():
		m.Length = uint32(t.Length)
	case t.Kind == Decimal:
		m.Length, m.Decimals = decimalWidth(t), uint8(t.Decimals)
	case t.Kind == Float || t.Kind == Double:
		m.Length, m.Decimals = uint32(t.zerofillWidth()), notFixed
		if t.fixedPoint() {
			m.Decimals = uint8(t.Decimals)
		}
	case t.Kind == Bit || t.Kind == Year || t.Kind == Binary || t.Kind == VarBinary:
		m.Length = uint32(t.Length)
	case t.Kind.IsTemporal():
		m.Length, m.Decimals = temporalWidth(t), uint8(t.Decimals)
	case t.Kind.IsBytes():
		m.Length = uint32(t.Kind.bytesMax())
	case t.Kind.IsText() || t.Kind == Enum || t.Kind == Set:
		t.metaOfText(&m, env)
	default:
		t.metaOfOthers(&m, env)
	}
	return m
}

// flags are those of the type.
func (t *Type) flags(env *Env) (f uint16) {
	if t.NotNull {
		f |= FlagNotNull
	}
	if t.Unsigned || t.Kind == Year || t.Kind == Bit || t.Kind == Timestamp && env.Flavor == MariaDB {
		f |= FlagUnsigned
	}
	if t.Zerofill || t.Kind == Year {
		f |= FlagZerofill
	}
	switch {
	case t.Kind == Enum:
		f |= FlagEnum
	case t.Kind == Set:
		f |= FlagSet
	case t.Kind.IsTemporal() || t.Kind == Binary || t.Kind == VarBinary:
		f |= FlagBinary
	case t.Kind.bytesMax() > 0 && t.Kind.IsText():
		f |= FlagBlob
	case t.Kind.bytesMax() > 0 || t.Kind.IsGeometry() || t.Kind == Vector:
		f |= FlagBlob | FlagBinary
	case t.Kind == UUID || t.Kind == INET4 || t.Kind == INET6:
		f |= FlagBinary | FlagUnsigned
	}
	if t.Collation != nil && t.Collation.Binary {
		f |= FlagBinary
	}
	return f
}

// decimalWidth counts the digits, the point and the sign.
func decimalWidth(t *Type) uint32 {
	width := t.Length
	if t.Decimals > 0 {
		width++
	}
	if !t.Unsigned {
		width++
	}
	return uint32(width)
}

func temporalWidth(t *Type) uint32 {
	width := 10
	if t.Kind == DateTime || t.Kind == Timestamp {
		width = 19
	}
	if t.Decimals > 0 {
		width += 1 + t.Decimals
	}
	return uint32(width)
}

// metaOfText has the character set of the results, and the length as if every
// character took the most bytes in it; those of a TEXT are counted in bytes, and
// then taken for characters.
func (t *Type) metaOfText(m *ColumnMeta, env *Env) {
	if env.Results == nil {
		m.Charset, m.Length = t.Collation.ID, uint32(t.Kind.bytesMax())
		if m.Length == 0 {
			m.Length = uint32(t.charsMost() * t.Collation.Charset.BytesMax)
		}
		return
	}
	m.Charset = env.Results.Default().ID
	chars := t.Kind.bytesMax()
	if chars == 0 {
		chars = t.charsMost()
	}
	m.Length = uint32(min(uint64(chars)*uint64(env.Results.BytesMax), 1<<32-1))
}

// charsMost is the length of the longest value in characters.
func (t *Type) charsMost() (most int) {
	cs := t.Collation.Charset
	switch t.Kind {
	case Enum:
		for _, label := range t.Labels {
			most = max(most, cs.CharLen(label))
		}
		return most
	case Set:
		for _, label := range t.Labels {
			most += cs.CharLen(label) + 1
		}
		return max(most-1, 0)
	default:
		return t.Length
	}
}

// metaOfOthers has the kinds that only one flavor has, and those that the
// flavors tell apart.
func (t *Type) metaOfOthers(m *ColumnMeta, env *Env) {
	switch t.Kind {
	case UUID, INET4, INET6:
		m.metaOfAddress(addressWidth(t.Kind), env)
	case Vector:
		m.Length, m.Decimals = uint32(4*t.Length), notFixed
	default:
		m.Length = 1<<32 - 1
	}
}

// addressWidth is the length of the longest text of a kind.
func addressWidth(k Kind) uint32 {
	switch k {
	case INET4:
		return uint32(len("255.255.255.255"))
	case INET6:
		return uint32(len("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"))
	default:
		return uint32(len("00000000-0000-0000-0000-000000000000"))
	}
}

// metaOfAddress is that of text made by the server.
func (m *ColumnMeta) metaOfAddress(chars uint32, env *Env) {
	m.Length, m.Charset = chars, latin1Collation
	if env.Results != nil {
		m.Charset = env.Results.Default().ID
		m.Length *= uint32(env.Results.BytesMax)
	}
}
