package crypt

import (
	"errors"
	"sync"

	"tunic/internal/catalog"
	"tunic/internal/keys"
	"tunic/internal/policy"
	"tunic/internal/scheme"
	"tunic/internal/scheme/cmac"
	"tunic/internal/scheme/ord1"
	"tunic/internal/scheme/prp64"
	"tunic/internal/secret"
	"tunic/internal/value"
)

// Errors of layers.
var (
	errNoLayer = errors.New("crypt: the column has no layer of this capability")
	errFamily  = errors.New("crypt: the column is in a family, which has its sealed forms")
	errScheme  = errors.New("crypt: a layer whose scheme does not fit its column")
)

// layer is one of a column's layers.
type layer struct {
	capability policy.Capabilities
	scheme     catalog.Scheme
	grain      policy.Grain
	tokens     scheme.Tokenizer
}

// purposes are what the keys of the capabilities are for.
var purposes = map[policy.Capabilities]keys.Purpose{
	policy.Equality: keys.PurposeEquality,
	policy.Order:    keys.PurposeOrder,
}

// schemeNames are in the parameters of keys and never change.
var schemeNames = map[catalog.Scheme]string{
	catalog.PRP64: "prp64", catalog.CMAC: "cmac", catalog.ORD1: "ord1 w=4",
}

// fits reports whether a scheme gives a capability, by a grain, on values of a type.
func fits(s catalog.Scheme, c policy.Capabilities, g policy.Grain, t *value.Type) bool {
	if !value.Ordered(t) || s != catalog.ORD1 && g != (policy.Grain{}) {
		return false
	}
	switch s {
	case catalog.PRP64:
		return c == policy.Equality && value.FixedBytes(t) == prp64.TokenSize
	case catalog.CMAC:
		return c == policy.Equality && value.FixedBytes(t) != prp64.TokenSize
	case catalog.ORD1:
		return c == policy.Order && value.OrderBits(t) > 0 && value.SuitsGrain(t, g)
	default:
		return false
	}
}

func newLayer(tree *keys.Tree, c *catalog.Column, l *catalog.Layer) (layer, error) {
	if !fits(l.Scheme, catalog.Base(l.Capability), l.Grain, &c.Type) {
		return layer{}, errScheme
	}
	key, err := tree.Derive(keys.Derivation{
		Purpose: purposes[catalog.Base(l.Capability)], Suite: keys.Suite(suite), Domain: keys.Domain(c.Domain), Epoch: l.Epoch,
		Params: layerParams(schemeNames[l.Scheme], l.Grain, &c.Type),
	}, suite.KeySize())
	if err != nil {
		return layer{}, err
	}
	defer key.Wipe()
	tokens, err := secret.Use(key, func(k []byte) (scheme.Tokenizer, error) { return tokenizer(l.Scheme, &c.Type, k) })
	return layer{capability: l.Capability, scheme: l.Scheme, grain: l.Grain, tokens: tokens}, err
}

func tokenizer(s catalog.Scheme, t *value.Type, key []byte) (scheme.Tokenizer, error) {
	switch s {
	case catalog.PRP64:
		return prp64.New(suite, key, nil)
	case catalog.CMAC:
		return cmac.New(suite, key, nil)
	case catalog.ORD1:
		return ord1.New(suite, key, ord1.Params{Bits: value.OrderBits(t), CellBits: ord1.CellBitsDefault})
	default:
		return nil, errScheme
	}
}

// inputs are buffers for what tokens are computed from: the weight string of a
// long text is long.
var inputs = sync.Pool{New: func() any { b := make([]byte, 0, 256); return &b }}

// inputKept is the largest buffer that is kept, in bytes.
const inputKept = 64 << 10

func (l *layer) append(dst []byte, t *value.Type, canonical []byte) ([]byte, error) {
	if n := value.FixedBytes(t); n > 0 && len(canonical) != n {
		return dst, scheme.ErrValue
	}
	buffer, ok := inputs.Get().(*[]byte)
	if !ok {
		return dst, errScheme
	}
	in := (*buffer)[:0]
	if l.scheme == catalog.ORD1 {
		in = value.AppendRounded(in, t, l.grain, canonical)
	} else {
		in = value.AppendEquality(in, t, canonical)
	}
	dst, err := l.token(dst, in)
	clear(in)
	if cap(in) <= inputKept {
		*buffer = in
		inputs.Put(buffer)
	}
	return dst, err
}

// token appends the token of what is to be compared. A permutation is of eight
// bytes: the tag that they begin with is left out, since the key's parameters say
// the same, and one permutation never gives two values one token.
func (l *layer) token(dst, in []byte) ([]byte, error) {
	if l.scheme == catalog.PRP64 {
		if len(in) < prp64.TokenSize {
			return dst, scheme.ErrValue
		}
		in = in[len(in)-prp64.TokenSize:]
	}
	return l.tokens.AppendToken(dst, in)
}
