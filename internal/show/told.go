package show

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tunic/internal/catalog"
	"tunic/internal/value"
)

// facts are the columns of information_schema.COLUMNS that differ between a
// protected column and its stored form.
var facts = []string{
	"COLUMN_DEFAULT", "IS_NULLABLE", "DATA_TYPE", "CHARACTER_MAXIMUM_LENGTH", "CHARACTER_OCTET_LENGTH", "NUMERIC_PRECISION", "NUMERIC_SCALE",
	"DATETIME_PRECISION", "CHARACTER_SET_NAME", "COLLATION_NAME", "COLUMN_TYPE", "COLUMN_KEY", "EXTRA", "COLUMN_COMMENT", "SRS_ID", "GENERATION_EXPRESSION", "IS_GENERATED",
}

// told is what the server is to tell of a protected column, in the order of facts:
// literals, with words for what it is not to know.
func (f *field) told(w *words, of catalog.ID) []string {
	t := &f.column.Type
	length, bytes := f.lengths()
	precision, scale := f.precision()
	set, collation, moments, shapes := none, none, none, none
	if t.Collation != nil {
		set, collation = literal(t.Collation.Charset.Name), literal(f.column.CollationName)
	}
	if t.Kind.IsTemporal() && t.Kind != value.Date {
		moments = strconv.Itoa(t.Decimals)
	}
	if t.HasSRID {
		shapes = strconv.FormatUint(uint64(t.SRID), 10)
	}
	return []string{
		f.toldDefault(w, of), literal(f.nullable()), literal(f.dataType()), length, bytes, precision, scale, moments, set, collation,
		f.toldType(w, of), literal(f.key), literal(f.extra()), w.text(wordOf{commentWord, of, f.column.Name}, f.account.Comment), shapes,
		f.toldGenerated(w, of), literal(f.isGenerated()),
	}
}

// none is a fact that is NULL.
const none = "NULL"

func (f *field) toldDefault(w *words, of catalog.ID) string {
	text, ok := f.defaultTold()
	switch {
	case !ok:
		return none
	case f.column.Default.Kind == catalog.DefaultValue, f.column.Default.Kind == catalog.DefaultExpression:
		return w.text(wordOf{defaultWord, of, f.column.Name}, text)
	}
	return literal(text)
}

// toldGenerated is GENERATION_EXPRESSION: where there is none, MySQL tells an empty one.
func (f *field) toldGenerated(w *words, of catalog.ID) string {
	if f.account.Generated == "" && f.flavor == value.MariaDB {
		return none
	}
	return w.text(wordOf{generatedWord, of, f.column.Name}, f.expressionShown(f.account.Generated))
}

// isGenerated is IS_GENERATED, which MariaDB alone has.
func (f *field) isGenerated() string {
	if f.account.Generated == "" {
		return "NEVER"
	}
	return "ALWAYS"
}

func (f *field) toldType(w *words, of catalog.ID) string {
	if f.labeled() {
		return w.text(wordOf{typeWord, of, f.column.Name}, f.typeText())
	}
	return literal(f.typeText())
}

// labeled reports whether the type has labels.
func (f *field) labeled() bool {
	return f.column.Type.Kind == value.Enum || f.column.Type.Kind == value.Set
}

// defaultTold is COLUMN_DEFAULT; ok is false for NULL. MariaDB tells expressions,
// which literals are to it (MariaDB's documentation, "Information Schema COLUMNS
// Table").
func (f *field) defaultTold() (text string, ok bool) {
	if f.flavor != value.MariaDB {
		return f.defaultShown()
	}
	if f.account.Default == "" && !f.column.Type.NotNull {
		return "NULL", true
	}
	return f.account.Default, f.account.Default != ""
}

// dataType is the type's name alone.
func (f *field) dataType() string {
	name, _, _ := strings.Cut(f.column.TypeText, "(")
	name, _, _ = strings.Cut(name, " ")
	return name
}

// integerDigits are the digits of the largest values (MySQL manual, "Integer Types").
var integerDigits = map[value.Kind]int{value.TinyInt: 3, value.SmallInt: 5, value.MediumInt: 7, value.Int: 10, value.BigInt: 19}

// precision is NUMERIC_PRECISION and NUMERIC_SCALE.
func (f *field) precision() (digits, scale string) {
	t := &f.column.Type
	switch t.Kind {
	case value.TinyInt, value.SmallInt, value.MediumInt, value.Int, value.BigInt:
		n := integerDigits[t.Kind]
		if t.Unsigned && (t.Kind == value.BigInt || t.Kind == value.MediumInt && f.flavor == value.MariaDB) {
			n++
		}
		return strconv.Itoa(n), "0"
	case value.Decimal:
		return strconv.Itoa(t.Length), strconv.Itoa(t.Decimals)
	case value.Float, value.Double:
		if t.Length > 0 {
			return strconv.Itoa(t.Length), strconv.Itoa(t.Decimals)
		}
		if t.Kind == value.Float {
			return "12", none
		}
		return "22", none
	case value.Bit:
		return strconv.Itoa(t.Length), none
	default:
		return none, none
	}
}

// textBytes are the lengths of the types that have a fixed one.
var textBytes = map[value.Kind]int64{
	value.TinyText: 1<<8 - 1, value.Text: 1<<16 - 1, value.MediumText: 1<<24 - 1, value.LongText: 1<<32 - 1,
	value.TinyBlob: 1<<8 - 1, value.Blob: 1<<16 - 1, value.MediumBlob: 1<<24 - 1, value.LongBlob: 1<<32 - 1,
}

// lengths are CHARACTER_MAXIMUM_LENGTH and CHARACTER_OCTET_LENGTH.
func (f *field) lengths() (characters, bytes string) {
	t := &f.column.Type
	n := t.Length
	switch t.Kind {
	case value.Char, value.VarChar:
	case value.Binary, value.VarBinary:
		return strconv.Itoa(n), strconv.Itoa(n)
	case value.Enum, value.Set:
		n = f.labelLength()
	default:
		if fixed, ok := textBytes[t.Kind]; ok {
			return strconv.FormatInt(fixed, 10), strconv.FormatInt(fixed, 10)
		}
		return none, none
	}
	each := 1
	if t.Collation != nil {
		each = t.Collation.Charset.BytesMax
	}
	return strconv.Itoa(n), strconv.Itoa(n * each)
}

// labelLength is how long a value of ENUM or SET can be: one label, or all of them
// with commas.
func (f *field) labelLength() int {
	most, all := 0, -1
	for _, l := range f.column.Type.Labels {
		n := utf8.RuneCount(l)
		if c := f.column.Type.Collation; c != nil {
			n = c.Charset.CharLen(l)
		}
		most, all = max(most, n), all+n+1
	}
	if f.column.Type.Kind == value.Set {
		return max(all, 0)
	}
	return most
}
