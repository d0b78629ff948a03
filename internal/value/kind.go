package value

// Kind is the type of a column, without its length and attributes. Both
// flavors' types are here; MariaDB's JSON is a LONGTEXT with a check and is the
// kind JSON only where the server stores JSON as a type of its own.
type Kind uint8

// The kinds, in groups whose members behave alike.
const (
	Invalid Kind = iota

	TinyInt
	SmallInt
	MediumInt
	Int
	BigInt

	Decimal
	Float
	Double
	Bit
	Year

	Date
	Time
	DateTime
	Timestamp

	Char
	VarChar
	TinyText
	Text
	MediumText
	LongText

	Binary
	VarBinary
	TinyBlob
	Blob
	MediumBlob
	LongBlob

	Enum
	Set
	JSON

	Geometry
	Point
	LineString
	Polygon
	MultiPoint
	MultiLineString
	MultiPolygon
	GeometryCollection

	UUID
	INET4
	INET6
	Vector

	kindEnd
)

// kindNames are the names of COLUMN_TYPE, without attributes.
var kindNames = [kindEnd]string{
	Invalid: "invalid",
	TinyInt: "tinyint", SmallInt: "smallint", MediumInt: "mediumint", Int: "int", BigInt: "bigint",
	Decimal: "decimal", Float: "float", Double: "double", Bit: "bit", Year: "year",
	Date: "date", Time: "time", DateTime: "datetime", Timestamp: "timestamp",
	Char: "char", VarChar: "varchar", TinyText: "tinytext", Text: "text", MediumText: "mediumtext", LongText: "longtext",
	Binary: "binary", VarBinary: "varbinary",
	TinyBlob: "tinyblob", Blob: "blob", MediumBlob: "mediumblob", LongBlob: "longblob",
	Enum: "enum", Set: "set", JSON: "json",
	Geometry: "geometry", Point: "point", LineString: "linestring", Polygon: "polygon",
	MultiPoint: "multipoint", MultiLineString: "multilinestring", MultiPolygon: "multipolygon",
	GeometryCollection: "geometrycollection",
	UUID:               "uuid", INET4: "inet4", INET6: "inet6", Vector: "vector",
}

// String returns the name as information_schema.COLUMNS.DATA_TYPE has it.
func (k Kind) String() string {
	if k >= kindEnd {
		return kindNames[Invalid]
	}
	return kindNames[k]
}

// IsInteger reports whether k is one of the five integer types.
func (k Kind) IsInteger() bool { return k >= TinyInt && k <= BigInt }

// IsNumber reports whether k computes as a number: integers, DECIMAL, FLOAT,
// DOUBLE, BIT and YEAR.
func (k Kind) IsNumber() bool { return k >= TinyInt && k <= Year }

// IsNumbered reports whether values of k are kept as a number that their text does not always tell:
// BIT, ENUM, SET and YEAR. That of a label may be the text of another one's number, and the year 0
// as a text is 2000.
func (k Kind) IsNumbered() bool { return k == Bit || k == Enum || k == Set || k == Year }

// IsLong reports whether k is one of the TEXTs or BLOBs, or JSON, which MariaDB keeps as a LONGTEXT.
func (k Kind) IsLong() bool { return k.bytesMax() > 0 }

// IsTemporal reports whether k is DATE, TIME, DATETIME or TIMESTAMP.
func (k Kind) IsTemporal() bool { return k >= Date && k <= Timestamp }

// IsText reports whether k holds characters: CHAR, VARCHAR and the TEXTs.
func (k Kind) IsText() bool { return k >= Char && k <= LongText }

// IsBytes reports whether k holds bytes without a character set: BINARY,
// VARBINARY and the BLOBs.
func (k Kind) IsBytes() bool { return k >= Binary && k <= LongBlob }

// IsGeometry reports whether k is one of the spatial types.
func (k Kind) IsGeometry() bool { return k >= Geometry && k <= GeometryCollection }

// Locates reports whether a value of a plain column finds its row again as a literal. A FLOAT may be rounded on its way, and a
// TIMESTAMP is compared in local time, in which an hour of the year is there twice.
func (k Kind) Locates() bool {
	switch {
	case k == Float, k == Double, k == Timestamp, k == Bit, k == Set, k == Enum:
		return false
	case k.IsNumber(), k.IsTemporal(), k.IsText(), k.IsBytes():
		return true
	default:
		return k == UUID || k == INET4 || k == INET6
	}
}

// bytesMax is the longest value of a TEXT or BLOB type in bytes (MySQL manual,
// "Data Type Storage Requirements"), 0 for other kinds.
func (k Kind) bytesMax() int {
	switch k {
	case TinyText, TinyBlob:
		return 1<<8 - 1
	case Text, Blob:
		return 1<<16 - 1
	case MediumText, MediumBlob:
		return 1<<24 - 1
	case LongText, LongBlob, JSON:
		return 1<<32 - 1
	default:
		return 0
	}
}
