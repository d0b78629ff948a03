package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"tunic/internal/policy"
)

// Schema is the name of tunic's own schema.
const Schema = "_tunic"

// nameMax is the longest identifier of the server, in characters (MySQL manual,
// "Identifier Length Limits").
const nameMax = 64

// Suffixes of stored columns. A dollar sign may stand in any identifier.
const (
	suffixEquality = "$eq"
	suffixOrder    = "$ord"
)

// StoredName is the name of the column of a layer: the column's own and a suffix.
// A name that would be too long is cut, and ends in a part of its hash, so that
// two of them stay two.
func StoredName(column string, capability policy.Capabilities) string {
	suffix := suffixEquality
	if capability == policy.Order {
		suffix = suffixOrder
	}
	if utf8.RuneCountInString(column)+len(suffix) <= nameMax {
		return column + suffix
	}
	const digits = 12
	sum := sha256.Sum256([]byte(strings.ToLower(column)))
	keep := []rune(column)[:nameMax-len(suffix)-digits-1]
	return string(keep) + "$" + hex.EncodeToString(sum[:])[:digits] + suffix
}

// Reserved reports whether a logical column may not have this name: it looks like
// that of a layer.
func Reserved(column string) bool {
	lower := strings.ToLower(column)
	return strings.HasSuffix(lower, suffixEquality) || strings.HasSuffix(lower, suffixOrder)
}
