package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tunic/internal/identifier"
	"tunic/internal/policy"
)

// Schema is the name of tunic's own schema.
const Schema = "_tunic"

// Folded is the name of a column, key or constraint, as it is compared: servers tell no two of them apart by case.
func Folded(name string) string { return strings.ToLower(name) }

// QuotedName is the schema and the name of a table, as SQL may write them in every sql_mode.
func (t *Table) QuotedName() string {
	return identifier.Quoted(t.Schema) + "." + identifier.Quoted(t.Name)
}

// FullName is the schema and the name of a table, as people write them.
func (t *Table) FullName() string { return t.Schema + "." + t.Name }

// nameMax is the longest identifier of the server, in characters (MySQL manual,
// "Identifier Length Limits").
const nameMax = 64

// FencePrefix begins the names of fences.
const FencePrefix = "tunic$"

// FencePattern is a pattern of LIKE for the names of fences.
const FencePattern = FencePrefix + "%"

// Prefixes of the names of keys that are about to take the places of others, and of those whose
// places were taken.
const (
	KeyAheadPrefix = FencePrefix + "ahead$"
	KeyAsidePrefix = FencePrefix + "aside$"
)

// KeyAside reports whether a key has a name like these: it is at the server, and in no logical
// definition.
func KeyAside(name string) bool {
	return strings.HasPrefix(name, KeyAheadPrefix) || strings.HasPrefix(name, KeyAsidePrefix)
}

// fenceIDBytes are those of a table's ID in the name of its fence: enough that no two
// tables have had one in common.
const fenceIDBytes = 6

// Fence is the name of the stored table's fence: a column without a value, and without a
// byte in any row, whose name is another one in each revision. Every stored statement
// names it, so that the server refuses one that was planned for another revision, or for
// another table of that name, however old it is. It is "" of a table without: a temporary
// one, or one that was protected before there were fences.
//
//	tunic$  the last 6 bytes of the ID, in hexadecimal  $  the revision
func (t *Table) Fence() string {
	if !t.Fenced || t.Unnamed {
		return ""
	}
	return t.fence()
}

// UnnamedFence is the fence that no statement over the table names, because it is from a catalog
// of WithoutFences: who carries one out has to see for himself that the stored table has it.
// It is "" of all others.
func (t *Table) UnnamedFence() string {
	if !t.Unnamed {
		return ""
	}
	return t.fence()
}

// WithoutFences is a version of the catalog in which no table has a fence that would be
// named, for statements of those who have no privilege on it.
func (c *Catalog) WithoutFences(version uint64) *Catalog {
	var unnamed []*Table
	for t := range c.Tables() {
		if t.Fenced {
			without := *t
			without.Unnamed = true
			unnamed = append(unnamed, &without)
		}
	}
	return c.Next(version, nil, unnamed)
}

func (t *Table) fence() string {
	return FencePrefix + hex.EncodeToString(t.ID[len(t.ID)-fenceIDBytes:]) + "$" + strconv.FormatUint(t.Revision, 10)
}

// IsFence reports whether a name looks like that of a fence.
func IsFence(column string) bool {
	return len(column) >= len(FencePrefix) && strings.EqualFold(column[:len(FencePrefix)], FencePrefix)
}

// Suffixes of stored columns. A dollar sign may stand in any identifier.
const (
	suffixEquality = "$eq"
	suffixOrder    = "$ord"
	suffixShadow   = "$copy"
	suffixAside    = "$plain"
	suffixBare     = "$bare"
	suffixFamily   = "$form"
	// Of layers that succeed others, and of those that were succeeded, before the layer's own.
	suffixNext = "$next"
	suffixPast = "$past"
)

// StoredName is the name of the column of a layer: the column's own and a suffix.
// A name that would be too long is cut, and ends in a part of its hash, so that
// two of them stay two.
func StoredName(column string, capability policy.Capabilities) string {
	if capability == PlainForm {
		return suffixed(column, suffixBare)
	}
	between := ""
	if capability != Base(capability) {
		between = suffixNext
	}
	return layerName(column, between, capability)
}

// PastName is the name of the column of a layer that was succeeded, until it is dropped.
func PastName(column string, capability policy.Capabilities) string {
	return layerName(column, suffixPast, capability)
}

func layerName(column, between string, capability policy.Capabilities) string {
	if Base(capability) == policy.Order {
		return suffixed(column, between+suffixOrder)
	}
	return suffixed(column, between+suffixEquality)
}

// ShadowName is the name of the shadow of a plain column, and AsideName that of
// the plain one when the shadow has taken its place, until it is dropped.
func ShadowName(column string) string { return suffixed(column, suffixShadow) }

// AsideName is described with ShadowName.
func AsideName(column string) string { return suffixed(column, suffixAside) }

// FamilyAhead is the name of the stored column of a family while it is being filled. Whatever the family is called, it is a
// name that nobody gives a column.
func FamilyAhead(id ID) string {
	return hex.EncodeToString(id[len(id)-fenceIDBytes:]) + suffixFamily + suffixShadow
}

// IsFamilyAhead reports whether a name is one of these.
func IsFamilyAhead(name string) bool {
	digits, is := strings.CutSuffix(name, suffixFamily+suffixShadow)
	id, err := hex.DecodeString(digits)
	return is && err == nil && len(id) == fenceIDBytes
}

// FamilyName is the name of the stored column of a family.
func FamilyName(family string) string { return suffixed(family, suffixFamily) }

func suffixed(column, suffix string) string {
	if utf8.RuneCountInString(column)+len(suffix) <= nameMax {
		return column + suffix
	}
	const digits = 12
	sum := sha256.Sum256([]byte(strings.ToLower(column)))
	keep := []rune(column)[:nameMax-len(suffix)-digits-1]
	return string(keep) + "$" + hex.EncodeToString(sum[:])[:digits] + suffix
}

// Reserved reports whether a logical column may not have this name: it looks like
// that of a layer, of a family, of a fence, or of a column that is being swapped.
func Reserved(column string) bool {
	lower := strings.ToLower(column)
	return IsFence(column) || slices.ContainsFunc([]string{suffixEquality, suffixOrder, suffixShadow, suffixAside, suffixBare, suffixFamily}, func(s string) bool {
		return strings.HasSuffix(lower, s)
	})
}
