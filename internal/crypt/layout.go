package crypt

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/record"
	"tunic/internal/scheme"
	"tunic/internal/scheme/gcm"
)

// layoutVersion is the first byte of a written layout.
const layoutVersion = 1

// ErrLayout says that bytes are no layout that this version of tunic knows.
var ErrLayout = errors.New("crypt: no layout of a family")

// AppendLayout appends the layout of a family of these columns. The catalog keeps it, and all forms that are made by it are
// bound to its SHA-256: neither it nor what it says may change.
//
//	offset  size  field
//	0       1     1, the version of these bytes
//
// and for each column
//
//	offset  size  field
//	0       16    ID of the column
//	16      1     m
//	17      m     what the canonical form means, see AppendMeaning
//	17+m    1     bytes of every canonical form, 0 if they differ in length
//	18+m    1     how many of them are left out at the beginning; bytes of the length if they differ: 1, 2 or 4
//	19+m    1     how many are left out at the end
//	20+m    1     1: those at the beginning are of the number's sign; else 0
//
// It fails for a column whose type cannot be protected, and for as many columns as no record has.
func AppendLayout(dst []byte, columns []*catalog.Column) ([]byte, error) {
	at := len(dst)
	dst = append(dst, layoutVersion)
	for _, c := range columns {
		if classOf(&c.Type) == 0 {
			return dst[:at], errType
		}
		meaning, f := AppendMeaning(nil, &c.Type), fieldOf(&c.Type)
		dst = append(append(dst, c.ID[:]...), byte(len(meaning)))
		dst = append(append(dst, meaning...), byte(f.Size), byte(f.Head), byte(f.Tail), 0)
		if f.Size == 0 {
			dst[len(dst)-3] = byte(f.LengthBytes())
		}
		if f.Signed {
			dst[len(dst)-1] = 1
		}
	}
	_, err := readLayout(dst[at:])
	if err != nil {
		return dst[:at], err
	}
	return dst, nil
}

// LayoutColumns are the columns of a layout that AppendLayout has written, in its order.
func LayoutColumns(written []byte) ([]catalog.ID, error) {
	l, err := readLayout(written)
	if err != nil {
		return nil, err
	}
	return l.columns, nil
}

// FamilyLeast is less than the bytes of any form of a family: a record has at least its bits for NULL.
const FamilyLeast = aroundRecord + 1

// aroundRecord is what a form of a family is longer than its record.
const aroundRecord = familyHeader - scheme.HeaderSize + gcm.Overhead

// FamilyMost is the bytes of the longest form that a family of these columns can have. It fails as AppendLayout does.
func FamilyMost(columns []*catalog.Column) (int, error) {
	fields := make([]record.Field, len(columns))
	for i, c := range columns {
		if classOf(&c.Type) == 0 {
			return 0, errType
		}
		fields[i] = fieldOf(&c.Type)
	}
	l, err := record.New(fields)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrLayout, err)
	}
	_, most := l.Sizes()
	return aroundRecord + most, nil
}

// longestOf is the longest value whose length takes so many bytes.
var longestOf = map[byte]int{1: 1<<8 - 1, 2: 1<<16 - 1, 4: 1<<32 - 1}

// layout is what a form says that names its number.
type layout struct {
	number  uint16
	columns []catalog.ID
	fields  *record.Layout
	hash    [sha256.Size]byte
	places  []int // where the columns that are asked for are among its own, -1 for one that it has not
}

// readLayout reads what AppendLayout has written.
func readLayout(written []byte) (*layout, error) {
	l := &layout{hash: sha256.Sum256(written)}
	if len(written) == 0 || written[0] != layoutVersion {
		return nil, fmt.Errorf("%w: of another version", ErrLayout)
	}
	const idBytes, tailBytes = len(catalog.ID{}), 4
	var fields []record.Field
	for rest := written[1:]; len(rest) > 0; {
		if len(rest) < idBytes+1 || len(rest) < idBytes+1+int(rest[idBytes])+tailBytes {
			return nil, fmt.Errorf("%w: cut short", ErrLayout)
		}
		id := catalog.ID(rest[:idBytes])
		if slices.Contains(l.columns, id) {
			return nil, fmt.Errorf("%w: a column twice", ErrLayout)
		}
		l.columns = append(l.columns, id)
		rest = rest[idBytes+1+int(rest[idBytes]):]
		f, ok := readField([tailBytes]byte(rest))
		if !ok {
			return nil, fmt.Errorf("%w: column %d", ErrLayout, len(l.columns))
		}
		fields, rest = append(fields, f), rest[tailBytes:]
	}
	var err error
	if l.fields, err = record.New(fields); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLayout, err)
	}
	return l, nil
}

// readField reads what a layout says of the size of a column's values.
func readField(b [4]byte) (f record.Field, ok bool) {
	size, head, tail, sign := int(b[0]), int(b[1]), int(b[2]), b[3]
	if size == 0 {
		longest, ok := longestOf[b[1]]
		return record.Field{Longest: longest}, ok && tail == 0 && sign == 0
	}
	return record.Field{Size: size, Head: head, Tail: tail, Signed: sign == 1}, sign <= 1
}
