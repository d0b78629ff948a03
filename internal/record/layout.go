package record

import "fmt"

// FieldsMax is how many fields a layout has at most: as many as a table of MySQL
// or MariaDB has columns (InnoDB allows 1017).
const FieldsMax = 4096

// Bounds in bytes.
const (
	sizeMax    = 255       // of a fixed form: BINARY(255)
	numberMax  = 32        // of one that is not stored whole: DECIMAL(65)
	longestMax = 1<<32 - 1 // of any other: LONGTEXT
)

// Field says how long the canonical forms of a column are, and which of their bytes
// a record has. Of the zero value they have none.
type Field struct {
	// Size is the bytes of every form, 1 to 255; 0 if the forms differ in length.
	Size int

	// Head and Tail are how many bytes at the beginning and at the end of a form of
	// at most 32 bytes are left out. Those of Tail are zeros. Those of Head are
	// zeros too or, if Signed, bits like the highest one behind them.
	Head, Tail int
	Signed     bool

	// Longest is the bytes of the longest form if Size is 0, at most 2^32 - 1.
	Longest int
}

// check returns what is wrong with the field, "" if nothing is.
func (f Field) check() string {
	switch {
	case f.Size < 0 || f.Size > sizeMax:
		return "the size is out of range"
	case f.Longest < 0 || f.Longest > longestMax:
		return "the longest value is out of range"
	case f.Size == 0 && (f.Head != 0 || f.Tail != 0 || f.Signed):
		return "bytes are left out of forms that differ in length"
	case f.Size != 0 && f.Longest != 0:
		return "a fixed size and a longest value"
	case f.Head < 0 || f.Tail < 0 || f.Size != 0 && f.Head+f.Tail >= f.Size:
		return "nothing is left of a form"
	case f.Head+f.Tail != 0 && f.Size > numberMax:
		return "bytes are left out of a form that is longer than a number"
	}
	return ""
}

// LengthBytes is how many bytes the length of a value takes: 1, 2 or 4.
func (f Field) LengthBytes() int {
	switch {
	case f.Longest < 1<<8:
		return 1
	case f.Longest < 1<<16:
		return 2
	}
	return 4
}

// field is a Field and where it is in a record.
type field struct {
	Field
	// at is where the stored bytes of a fixed field are, or the length of another
	// one; stored is how many bytes that is, 0 for the length that is left out.
	at, stored int
	rank       int // among those that are not fixed
}

// Layout is the fields of a record and where they are. It never changes.
type Layout struct {
	fields  []field
	others  []int // the fields that are not fixed, by their places among all
	nulls   int   // bytes of the NULLs
	values  int   // where the values begin
	longest int   // the bytes of the longest values together
}

// New returns the layout of fields in their order, or fails with ErrLayout if there
// is none, more than FieldsMax, or one that is out of its bounds.
func New(fields []Field) (*Layout, error) {
	if len(fields) == 0 || len(fields) > FieldsMax {
		return nil, fmt.Errorf("%w: %d fields", ErrLayout, len(fields))
	}
	l := &Layout{fields: make([]field, len(fields)), nulls: (len(fields) + 7) / 8}
	at := l.nulls
	for i, f := range fields {
		if wrong := f.check(); wrong != "" {
			return nil, fmt.Errorf("%w: field %d: %s", ErrLayout, i, wrong)
		}
		l.fields[i].Field = f
		if f.Size == 0 {
			l.fields[i].rank = len(l.others)
			l.others = append(l.others, i)
			l.longest += f.Longest
			continue
		}
		l.fields[i].at, l.fields[i].stored = at, f.Size-f.Head-f.Tail
		at += l.fields[i].stored
	}
	for _, i := range l.others[:max(len(l.others)-1, 0)] {
		l.fields[i].at, l.fields[i].stored = at, l.fields[i].LengthBytes()
		at += l.fields[i].stored
	}
	l.values = at
	return l, nil
}

// Sizes returns the bytes of the shortest and of the longest record. They are the
// same if all fields are fixed.
func (l *Layout) Sizes() (least, most int) {
	if len(l.others) == 0 {
		return l.values, l.values
	}
	return padded(l.values), padded(l.values + l.longest)
}
