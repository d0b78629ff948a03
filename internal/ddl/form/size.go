package form

import (
	"strconv"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/scheme"
	"tunic/internal/scheme/gcm"
	"tunic/internal/value"
)

// Limits of stored columns.
const (
	binaryMax    = 255    // of BINARY (MySQL manual, "The BINARY and VARBINARY Types")
	varbinaryMax = 16_383 // what is longer is a BLOB, so that a row has room for others
	blobMax      = 1<<16 - 1
	mediumMax    = 1<<24 - 1
	longMax      = 1<<32 - 1
	rowMax       = 1<<16 - 1 // of all columns but BLOBs (MySQL manual, "Row Size Limits")
	blobBytes    = 12        // of a BLOB, in that: its length and a pointer
	memberBytes  = 2         // of a column without a value, in that: a byte and a bit

	pageMax    = 8126 - 64 // of a row in a page of 16 KiB, less its header (MariaDB, "Troubleshooting Row Size Too Large Errors with InnoDB")
	localBytes = 41        // of a long column, in that: a prefix or a pointer, and the length
	shortMax   = 255       // of a column that MariaDB keeps in the page whole; MySQL does with up to 40
)

// pageBytes is what a column of so many bytes takes of a page.
func pageBytes(bytes int) int {
	if bytes > shortMax+2 { // with those of its length
		return localBytes
	}
	return bytes
}

// SealedSize is the least and the most bytes that a sealed form of the type has;
// the same where all values have one width.
func SealedSize(t *value.Type) (least, most int) {
	if n := value.FixedBytes(t); n > 0 {
		return gcm.Overhead + n, gcm.Overhead + n
	}
	return gcm.Overhead + scheme.PadString.Size(0), gcm.Overhead + scheme.PadString.Size(value.CanonicalMax(t))
}

// SealedType is the type of the stored column. asBlob takes it out of the row.
func SealedType(t *value.Type, asBlob bool) string {
	least, most := SealedSize(t)
	switch {
	case least == most && most <= binaryMax && value.FixedBytes(t) > 0:
		return "binary(" + strconv.Itoa(most) + ")"
	}
	return varyingType(most, asBlob)
}

// FamilyType is the type of the stored column of a family. asBlob takes it out of the row. It is of no fixed length, so that
// a column that comes makes it longer in place.
func FamilyType(f *catalog.Family, asBlob bool) string { return varyingType(f.Bytes, asBlob) }

// varyingType is the type of a stored column whose values have up to so many bytes.
func varyingType(most int, asBlob bool) string {
	switch {
	case most <= varbinaryMax && !asBlob:
		return "varbinary(" + strconv.Itoa(most) + ")"
	case most <= blobMax:
		return "blob"
	case most <= mediumMax:
		return "mediumblob"
	}
	return "longblob"
}

// rowBytes is what a stored column takes of the row size limit: its bytes, and
// those of its length. A BLOB takes its length and a pointer.
func rowBytes(t *value.Type) int {
	switch {
	case t.Kind == value.Char || t.Kind == value.VarChar || t.Kind == value.Binary || t.Kind == value.VarBinary:
		n := t.Length + 2
		if t.Collation != nil {
			n = t.Length*t.Collation.Charset.BytesMax + 2
		}
		return n
	case value.FixedBytes(t) > 0:
		return value.FixedBytes(t) + 1
	}
	return blobBytes
}

// sealedRowBytes is rowBytes of a sealed form.
func sealedRowBytes(t *value.Type) int {
	_, most := SealedSize(t)
	return inRow(most)
}

// inRow is what a stored column of values of up to so many bytes takes of the row size limit.
func inRow(most int) int {
	if most <= varbinaryMax {
		return most + 2
	}
	return blobBytes
}

// SealedBytes is how many bytes a stored table has of the sealed form of a value; length is that of
// the value, of types whose values have no width in common.
func SealedBytes(t *value.Type, length int) int {
	if n := value.FixedBytes(t); n > 0 {
		return gcm.Overhead + n
	}
	n := gcm.Overhead + scheme.PadString.Size(length)
	return n + lengthBytes(n)
}

// FormBytes is how many bytes a stored table has of a value in a sealed form, which may be that of its family; what the family
// has beside its values is FamilyBytes.
func FormBytes(c *catalog.Column, length int) int {
	if c.Family != "" {
		return crypt.MemberBytes(&c.Type, length)
	}
	return SealedBytes(&c.Type, length)
}

// FamilyBytes is about how many bytes a form of a family has beside the values: its header and tag, what tells NULL, half of the padding, and
// its length.
const FamilyBytes = crypt.FamilyLeast + 8 + 1

// ValueBytes is about how many bytes a plain table has of a value (MySQL manual, "Data Type Storage
// Requirements"); length is that of the value, of types whose values have no width in common.
func ValueBytes(t *value.Type, length int) int {
	fraction := (t.Decimals + 1) / 2
	switch t.Kind {
	case value.TinyInt, value.Year, value.Enum:
		return 1
	case value.SmallInt:
		return 2
	case value.MediumInt, value.Date:
		return 3
	case value.Int, value.Float:
		return 4
	case value.BigInt, value.Double:
		return 8
	case value.Time:
		return 3 + fraction
	case value.Timestamp:
		return 4 + fraction
	case value.DateTime:
		return 5 + fraction
	case value.Decimal:
		return (t.Length + 1) / 2
	case value.Bit:
		return (t.Length + 7) / 8
	case value.Set:
		return (len(t.Labels) + 7) / 8
	default:
		return length + lengthBytes(length)
	}
}

// lengthBytes are those in which InnoDB keeps the length of a value.
func lengthBytes(n int) int {
	const short = 127
	if n <= short {
		return 1
	}
	return 2
}
