package crypt

import (
	"encoding/hex"
	"errors"

	"tunic/internal/policy"
	"tunic/internal/value"
)

// class is what the bytes of a canonical form are. Its numbers are in seals and
// keys and are never given anew.
type class byte

const (
	classSigned class = iota + 1
	classUnsigned
	classDecimal
	classFloat
	classDouble
	classBit
	classYear
	classDate
	classTime
	classDateTime
	classTimestamp
	classText
	classBytes
	classEnum
	classSet
	classJSON
	classGeometry
	classVector
	classUUID
	classINET4
	classINET6
)

// classes of kinds that have one each.
var classes = map[value.Kind]class{
	value.Decimal: classDecimal, value.Float: classFloat, value.Double: classDouble, value.Bit: classBit,
	value.Year: classYear, value.Date: classDate, value.Time: classTime, value.DateTime: classDateTime,
	value.Timestamp: classTimestamp, value.Enum: classEnum, value.Set: classSet, value.JSON: classJSON,
	value.Vector: classVector, value.UUID: classUUID, value.INET4: classINET4, value.INET6: classINET6,
}

func classOf(t *value.Type) class {
	switch {
	case t.Kind.IsInteger() && t.Unsigned:
		return classUnsigned
	case t.Kind.IsInteger():
		return classSigned
	case t.Kind.IsText():
		return classText
	case t.Kind.IsBytes():
		return classBytes
	case t.Kind.IsGeometry():
		return classGeometry
	}
	return classes[t.Kind]
}

var errType = errors.New("crypt: a column of this type cannot be protected")

// AppendMeaning appends what the canonical form of a type means, so that equal
// bytes of two types with one meaning are equal values.
//
//	offset  size  field
//	0       1     class
//	1       1     scale of DECIMAL, else 0
//	2       1     bytes of DECIMAL, else 0
//	3       n     name of the character set, of text and ENUM and SET; else none
func AppendMeaning(dst []byte, t *value.Type) []byte {
	c := classOf(t)
	var scale, width byte
	if c == classDecimal {
		scale, width = byte(t.Decimals), byte(value.FixedBytes(t))
	}
	dst = append(dst, byte(c), scale, width)
	if t.Collation != nil {
		dst = append(dst, t.Collation.Charset.Name...)
	}
	return dst
}

// layerParams are the parameters of a layer's key: its scheme, what the values
// mean, the collation that they compare by, and the grain that they are rounded down to.
func layerParams(scheme string, g policy.Grain, t *value.Type) string {
	params := scheme + " " + hex.EncodeToString(AppendMeaning(nil, t))
	if t.Collation != nil {
		params += " " + t.Collation.Name
	}
	if g != (policy.Grain{}) {
		params += " /" + g.String()
	}
	return params
}
