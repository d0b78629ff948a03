package explanation

import (
	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// Advice is a layer that a column has not, with which the server could do more of a
// statement, and its price.
type Advice struct {
	Column int // of the table
	Layer  policy.Capabilities
	// Allowed says that the layer is within the column's ceiling.
	Allowed bool
	// Backfilling says that it is there, and that rows are being given it.
	Backfilling bool
	// ByItself says that it is for a test for NULL of a column in a family: the server decides that without a layer of a column
	// that is sealed by itself, whose form is NULL where the value is.
	ByItself bool
	Price    Price
}

// Price is what a layer costs beside what it tells the server.
type Price struct {
	// Bytes are what each row takes more, without an index over the layer.
	Bytes int
	// Nanoseconds are about what each value that is written takes more, on a machine
	// with instructions for AES that does nothing else. A long text takes longer.
	Nanoseconds int
}

// Costs of the schemes (docs/schemes.md; measured as docs/explain.md says).
const (
	permutedBytes       = 8  // a token of prp64
	summedBytes         = 16 // a token of cmac
	permutedNanoseconds = 240
	summedNanoseconds   = 120
	// An order token has a nibble for each bit and costs a call of AES for each four.
	orderedBitsOfByte         = 2
	orderedNanosecondsOfTen   = 33 // of ten bits
	orderedNanosecondsAtLeast = 50
)

// PriceOf is the price of a layer of values of a type; ok is false for a type that
// cannot have it.
func PriceOf(t *value.Type, capability policy.Capabilities) (p Price, ok bool) {
	bits := value.OrderBits(t)
	switch {
	case !value.Ordered(t):
		return p, false
	case catalog.Base(capability) == policy.Order:
		return Price{Bytes: bits / orderedBitsOfByte, Nanoseconds: max(bits*orderedNanosecondsOfTen/10, orderedNanosecondsAtLeast)}, bits > 0
	case value.FixedBytes(t) == permutedBytes:
		return Price{Bytes: permutedBytes, Nanoseconds: permutedNanoseconds}, true
	}
	return Price{Bytes: summedBytes, Nanoseconds: summedNanoseconds}, true
}

// learnsOf is what a layer of a column tells the server. The form of a family does not tell which values are NULL, and a layer does.
func learnsOf(c *catalog.Column, layer policy.Capabilities) string {
	if c.Family != "" && !c.Type.NotNull {
		return "which values are NULL, " + learns[layer]
	}
	return learns[layer]
}

// learns is what a layer tells the server (docs/security.md).
var learns = map[policy.Capabilities]string{
	policy.Equality: "which rows are equal, and so how often each value occurs",
	policy.Order:    "the order of all values, and of every two the first bit in which they differ",
}
