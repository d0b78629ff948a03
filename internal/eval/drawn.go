package eval

import (
	crand "crypto/rand"
	"maps"
	"math/rand/v2"
	"time"

	"tunic/internal/eval/class"
	"tunic/internal/eval/uuid"
)

// A Drawer is a Scope that says whether functions are computed that draw another value
// with each evaluation: UUID, RAND and RANDOM_BYTES. Whoever evaluates has to do it as
// often as the server would, once for each row that is written, and where the value
// is used twice it has to be the same. Other Scopes have none of them.
type Drawer interface{ Draws() bool }

// drawingBuiltins are the functions that draw.
var drawingBuiltins = map[string]builtin{
	"uuid":         {0, 0, compileUUID},
	"rand":         {0, 0, compileRand},
	"random_bytes": {1, 1, compileRandomBytes},
}

func init() { maps.Copy(builtins, drawingBuiltins) }

// drawing compiles a function that draws.
func (c *compiler) drawing(name string, s class.Shape, draw func(*Run, *datum) *datum) (*node, error) {
	if d, ok := c.scope.(Drawer); !ok || !d.Draws() {
		return nil, refuse(name)
	}
	slot := c.slot()
	return &node{Shape: s, ev: func(r *Run) *datum { return draw(r, &r.slots[slot]) }}, nil
}

// compileRand makes RAND without a seed: a double from 0 on and below 1.
func compileRand(c *compiler, name string, _ []*node) (*node, error) {
	s := class.Shape{Class: class.Double, Scale: class.ScaleFree, Coercible: class.CoercibleNumber}
	return c.drawing(name, s, func(_ *Run, d *datum) *datum {
		return d.setDouble(rand.Float64())
	})
}

// randomBytesMax is how many bytes RANDOM_BYTES makes (MySQL manual, "Encryption and
// Compression Functions").
const randomBytesMax = 1024

// compileRandomBytes makes RANDOM_BYTES of a constant number.
func compileRandomBytes(c *compiler, name string, args []*node) (*node, error) {
	if n := args[0]; !n.constant || !n.Class.IsInteger() {
		return nil, refuse(name)
	}
	length := c.integer(args[0], name)
	return c.drawing(name, class.Shape{Class: class.Bytes, Chars: randomBytesMax, Coercible: class.CoercibleLiteral}, func(r *Run, d *datum) *datum {
		n := length(r)
		if n.null || n.n == 0 || n.n > randomBytesMax {
			return r.refuse(name)
		}
		start := len(r.arena)
		r.arena = append(r.arena, make([]byte, n.n)...)
		_, _ = crand.Read(r.arena[start:]) // of which the system always has some
		return d.setBytes(r.arena[start:])
	})
}

// compileUUID makes UUID: one of version 1, as the servers' are (RFC 9562, 5.1).
func compileUUID(c *compiler, name string, _ []*node) (*node, error) {
	s, err := c.asciiShape(name, uuid.Chars)
	if err != nil {
		return nil, err
	}
	return c.drawing(name, s, func(r *Run, d *datum) *datum {
		start := len(r.arena)
		r.arena = uuid.Append(r.arena, uuid.New(time.Now()))
		return d.setBytes(r.arena[start:])
	})
}
