package encoding

import (
	"tunic/internal/eval/aes"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"

	"tunic/internal/eval/class"
)

// compileAES makes AES_ENCRYPT and AES_DECRYPT in the session's mode.
func compileAES(decrypts bool) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		mode, evs, err := aesArguments(c, name, args)
		if err != nil {
			return nil, err
		}
		compute := mode.Seal
		if decrypts {
			compute = mode.Open
		}
		slot, state, warnsOfKeys := c.Slot(), c.State(), !c.Session.IsMariaDB()
		s := class.Shape{Class: class.Bytes, Chars: coercion.TextChars(args[0]) + aes.BlockSize, Coercible: class.CoercibleLiteral}
		return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
			p := r.Pieces(len(evs))
			if !evalCipher(r, evs, p) {
				return program.NullDatum
			}
			var iv []byte
			if mode.Chains {
				if iv = p[2].B; p[2].Null || len(iv) < aes.BlockSize {
					return r.Refuse(name)
				}
			}
			if !mode.Chains && len(p) > 2 && !p[2].Null && len(p[2].B) > 0 { // of which MySQL warns
				return r.Refuse(name)
			}
			key, used := p[1].B, cipherOf(r, state)
			switch {
			case len(p) > 3:
				var known bool
				if key, known = used.Derive(wordsOf(p), mode.KeyBytes); !known {
					return r.Refuse(name)
				}
			case len(key) > mode.KeyBytes && warnsOfKeys: // of what is folded
				return r.Refuse(name)
			}
			block := used.With(key, mode.KeyBytes)
			known := true
			out := r.Write(slot, func(dst []byte) []byte {
				dst, known = compute(block, iv, dst, p[0].B)
				return dst
			})
			if !known {
				return program.NullDatum
			}
			return out
		}, args...)), nil
	}
}

// aesArguments evaluates the arguments, as bytes.
func aesArguments(c *compilation.Compilation, name string, args []*program.Node) (*aes.Mode, []program.Evaluator, error) {
	called := c.Session.BlockMode
	if called == "" {
		called = aes.ModeDefault
	}
	mode, ok := aes.Modes[called]
	switch {
	case !ok:
		return nil, nil, refusal.Of(name + " in this block_encryption_mode")
	case mode.Chains && len(args) < 3, !mode.Chains && len(args) == 3, len(args) > 3 && c.Session.IsMariaDB(): // an error of the server's, or a warning
		return nil, nil, refusal.Of(name + " with these arguments")
	}
	evs := make([]program.Evaluator, len(args))
	for i, n := range args {
		if err := c.Allow(name, n); err != nil {
			return nil, nil, err
		}
		texts, _, err := coercion.Texts(c, name, n)
		if err != nil {
			return nil, nil, err
		}
		evs[i] = texts[0]
	}
	return &mode, evs, nil
}

// evalCipher evaluates the arguments; false if one is NULL that makes NULL of the result. A
// function that derives keys leaves an initialization vector that is not used NULL.
func evalCipher(r *program.Run, evs []program.Evaluator, p []*program.Datum) bool {
	for i, ev := range evs {
		if p[i] = ev(r); p[i].Null && (i < 2 || len(evs) == 3) {
			return false
		}
	}
	return r.Err == nil
}

// wordsOf are the arguments behind the text.
func wordsOf(p []*program.Datum) (words aes.Words) {
	for i, d := range p[1:] {
		words.All[i], words.Null[i] = d.B, d.Null
	}
	words.Count = len(p) - 1
	return words
}

// cipherOf is what a run has of a call.
func cipherOf(r *program.Run, state int) *aes.Cipher {
	known, _ := r.States[state].(*aes.Cipher)
	if known == nil {
		known = &aes.Cipher{}
		r.States[state] = known
	}
	return known
}
