package crypt

import (
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/keys"
	"tunic/internal/policy"
	"tunic/internal/scheme"
	"tunic/internal/scheme/gcm"
	"tunic/internal/secret"
	"tunic/internal/value"
)

// Column is the cryptography of one protected column. One that is in a family has tokens only.
type Column struct {
	typ    *value.Type
	id     catalog.ID
	tree   *keys.Tree
	aad    []byte
	pad    scheme.Padding
	sealer *gcm.Sealer
	bound  *gcm.Bound // of the current epoch
	layers []layer

	old bounds[uint16] // of other epochs than the current one
}

// suite is the suite of all forms.
const suite = scheme.SuiteAES

// newColumn derives the keys of a column.
func newColumn(tree *keys.Tree, c *catalog.Column) (*Column, error) {
	if !c.Protected() || classOf(&c.Type) == 0 {
		return nil, errType
	}
	col := &Column{typ: &c.Type, id: c.ID, tree: tree, aad: aad(tree.Project(), c)}
	if n := value.FixedBytes(&c.Type); n > 0 {
		col.pad = scheme.PadExact(n)
	}
	if c.Family == "" {
		var err error
		if col.sealer, err = sealerOf(tree, c.ID, c.Epoch); err != nil {
			return nil, err
		}
		col.bound = col.sealer.Bind(col.aad)
	}
	for i := range c.Layers {
		if c.Layers[i].Bare() {
			continue // it has no token
		}
		l, err := newLayer(tree, c, &c.Layers[i])
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", i+1, err)
		}
		col.layers = append(col.layers, l)
	}
	return col, nil
}

// aad is what the column's sealed forms are bound to beside their header.
//
//	offset  size  field
//	0       16    project
//	16      16    id of the column
//	32      n     meaning, see AppendMeaning
func aad(p keys.Project, c *catalog.Column) []byte {
	b := append([]byte(nil), p[:]...)
	b = append(b, c.ID[:]...)
	return AppendMeaning(b, &c.Type)
}

// sealerOf derives the key of an epoch, of a column or a family.
func sealerOf(tree *keys.Tree, id catalog.ID, epoch uint16) (*gcm.Sealer, error) {
	key, err := tree.Derive(keys.Derivation{
		Purpose: keys.PurposeSealed, Suite: keys.Suite(suite), Domain: keys.Domain(id), Epoch: epoch,
	}, suite.KeySize())
	if err != nil {
		return nil, err
	}
	defer key.Wipe()
	return secret.Use(key, func(k []byte) (*gcm.Sealer, error) { return gcm.New(suite, k, epoch) })
}

// AppendSealed appends a new sealed form of a value. It fails only for bytes that
// are not canonical for the column's type, and for a column that is in a family.
func (c *Column) AppendSealed(dst, canonical []byte) ([]byte, error) {
	if c.sealer == nil {
		return dst, errFamily
	}
	// The padded value is built where the sealed form will end: nothing else of
	// dst is touched, and nothing is allocated once dst has room for both.
	at := len(dst)
	dst = append(dst, make([]byte, c.sealer.SealedSize(c.pad.Size(len(canonical))))...)
	end := len(dst)
	padded, err := c.pad.Append(dst, canonical)
	if err != nil {
		return dst[:at], err
	}
	sealed := c.bound.AppendSeal(padded[:at:end], padded[end:])
	return padded[:len(sealed)], nil
}

// AppendOpened appends the value of a sealed form, of whatever epoch. The errors
// are those of package scheme: an alarm each.
func (c *Column) AppendOpened(dst, sealed []byte) ([]byte, error) {
	if c.sealer == nil {
		return dst, errFamily
	}
	bound := c.bound
	if _, epoch, ok := scheme.Header(sealed); !ok {
		return dst, scheme.ErrForm
	} else if epoch != c.sealer.Epoch() {
		var err error
		if bound, err = c.ofEpoch(epoch); err != nil {
			return dst, err
		}
	}
	at := len(dst)
	padded, err := bound.AppendOpen(dst, sealed)
	if err != nil {
		return dst, err
	}
	plain, err := c.pad.Strip(padded[at:])
	if err != nil {
		return dst, err
	}
	return padded[:at+len(plain)], nil // Strip cuts at the end only
}

// epochsMax is how many old epochs of a column are kept: there is a new one after some billions of values.
const epochsMax = 64

// ofEpoch opens the forms of another epoch.
func (c *Column) ofEpoch(epoch uint16) (*gcm.Bound, error) {
	if known := c.old.of(epoch); known != nil {
		return known, nil
	}
	if epoch > c.sealer.Epoch() {
		return nil, scheme.ErrEpoch // nothing was sealed under it yet
	}
	return c.old.add(epoch, epochsMax, func() (*gcm.Bound, error) {
		s, err := sealerOf(c.tree, c.id, epoch)
		if err != nil {
			return nil, scheme.ErrEpoch
		}
		return s.Bind(c.aad), nil
	})
}

// AppendToken appends the token of a value in the layer of a capability.
func (c *Column) AppendToken(dst []byte, capability policy.Capabilities, canonical []byte) ([]byte, error) {
	for i := range c.layers {
		if c.layers[i].capability == capability {
			return c.layers[i].append(dst, c.typ, canonical)
		}
	}
	return dst, errNoLayer
}
