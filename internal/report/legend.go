package report

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// Words of forms.
const (
	formPlain    = "plain"
	formSealed   = "sealed"
	formEquality = "equality"
	formOrder    = "order"
)

// legend is what forms are, and what each tells the server (docs/security.md).
var legend = []Legend{
	{formPlain, "none", "the values"},
	{formSealed, "gcm: AES-256-GCM, a random nonce for each value", "which values are NULL, and how long a text or a value of bytes is, in steps of 16 bytes; nothing else of a value. Of columns of a family neither, but how long all of their values are together"},
	{formEquality, "prp64: FF1 with AES-256, of values of 8 bytes; cmac: AES-256-CMAC, of all others", "which rows have the same value, and so how often each value occurs; the same of values that statements ask for"},
	{formOrder, "ord1: Chenette, Lewi, Weis, Wu 2016, over AES-256, in a form of tunic's own that others have not reviewed", "the order of the values, which of them are the same, and for every two the first bit in which they differ; with a grain, all of that of values rounded down to the grain"},
}

// Schemes by their names in the catalog.
const schemeGCM = "gcm"

// tells is what a stored layer tells, in few words.
func tells(l *catalog.Layer) string {
	switch {
	case l.Bare():
		return "the values"
	case catalog.Base(l.Capability) == policy.Equality:
		return "which rows have the same value, and so how often each value occurs"
	case l.Grain != policy.Grain{}:
		return "the order of the values rounded down to the grain, and which are in one step"
	}
	return "the order of the values, which are the same, and for every two the first bit in which they differ"
}

// sealedTells is what the sealed form of a column tells.
func sealedTells(of *catalog.Table, c *catalog.Column) string {
	if c.Family != "" {
		return familyTells(of, c.Family)
	}
	t := &c.Type
	switch fixed := value.FixedBytes(t) > 0; {
	case fixed && t.NotNull:
		return "nothing of the values"
	case fixed:
		return "which are NULL"
	case t.NotNull:
		return "how long each value is, in steps of 16 bytes"
	}
	return "which are NULL, and how long each value is, in steps of 16 bytes"
}

// familyTells is what the forms of a family tell: of a member no more than of all of them.
func familyTells(t *catalog.Table, stored string) string {
	if slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return c.Family == stored && value.FixedBytes(&c.Type) == 0 }) {
		return "how long the values of its family are together in each row, in steps of 16 bytes"
	}
	return "nothing of the values"
}

// formOf is the word for a layer.
func formOf(l *catalog.Layer) string {
	switch {
	case l.Bare():
		return formPlain
	case catalog.Base(l.Capability) == policy.Equality:
		return formEquality
	}
	return formOrder
}
