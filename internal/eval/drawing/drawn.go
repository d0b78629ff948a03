package drawing

import (
	crand "crypto/rand"
	"math/rand/v2"
	"time"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/eval/uuid"
)

// Functions are the functions that draw.
func Functions() map[string]compilation.Function {
	return map[string]compilation.Function{
		"uuid":         compilation.Takes(0, 0, compileUUID),
		"rand":         compilation.Takes(0, 0, compileRand),
		"random_bytes": compilation.Takes(1, 1, compileRandomBytes),
	}
}

// draws compiles a function that draws.
func draws(c *compilation.Compilation, name string, s class.Shape, draw func(*program.Run, *program.Datum) *program.Datum) (*program.Node, error) {
	if d, ok := c.Scope.(compilation.Drawer); !ok || !d.Draws() {
		return nil, refusal.Of(name)
	}
	slot := c.Slot()
	return &program.Node{Shape: s, Ev: func(r *program.Run) *program.Datum { return draw(r, &r.Slots[slot]) }}, nil
}

// compileRand makes RAND without a seed: a double from 0 on and below 1.
func compileRand(c *compilation.Compilation, name string, _ []*program.Node) (*program.Node, error) {
	s := class.Shape{Class: class.Double, Scale: class.ScaleFree, Coercible: class.CoercibleNumber}
	return draws(c, name, s, func(_ *program.Run, d *program.Datum) *program.Datum {
		return d.SetDouble(rand.Float64())
	})
}

// randomBytesMax is how many bytes RANDOM_BYTES makes (MySQL manual, "Encryption and
// Compression Functions").
const randomBytesMax = 1024

// compileRandomBytes makes RANDOM_BYTES of a constant number.
func compileRandomBytes(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if n := args[0]; !n.Constant || !n.Class.IsInteger() {
		return nil, refusal.Of(name)
	}
	length := coercion.Integer(c, args[0], name)
	return draws(c, name, class.Shape{Class: class.Bytes, Chars: randomBytesMax, Coercible: class.CoercibleLiteral}, func(r *program.Run, d *program.Datum) *program.Datum {
		n := length(r)
		if n.Null || n.N == 0 || n.N > randomBytesMax {
			return r.Refuse(name)
		}
		start := len(r.Arena)
		r.Arena = append(r.Arena, make([]byte, n.N)...)
		_, _ = crand.Read(r.Arena[start:]) // of which the system always has some
		return d.SetBytes(r.Arena[start:])
	})
}

// compileUUID makes UUID: one of version 1, as the servers' are (RFC 9562, 5.1).
func compileUUID(c *compilation.Compilation, name string, _ []*program.Node) (*program.Node, error) {
	s, err := coercion.ASCIIShape(c, name, uuid.Chars)
	if err != nil {
		return nil, err
	}
	return draws(c, name, s, func(r *program.Run, d *program.Datum) *program.Datum {
		start := len(r.Arena)
		r.Arena = uuid.Append(r.Arena, uuid.New(time.Now()))
		return d.SetBytes(r.Arena[start:])
	})
}
