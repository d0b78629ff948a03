package eval

import (
	"tunic/internal/eval/aes"

	"tunic/internal/eval/class"
)

// compileAES makes AES_ENCRYPT and AES_DECRYPT in the session's mode.
func compileAES(decrypts bool) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		mode, evs, err := c.aesArguments(name, args)
		if err != nil {
			return nil, err
		}
		compute := mode.Seal
		if decrypts {
			compute = mode.Open
		}
		slot, state, warnsOfKeys := c.slot(), c.states, !c.session.isMariaDB()
		c.states++
		s := class.Shape{Class: class.Bytes, Chars: c.textChars(args[0]) + aes.BlockSize, Coercible: class.CoercibleLiteral}
		return castable(derive(s, func(r *Run) *datum {
			p := r.pieces(len(evs))
			if !evalCipher(r, evs, p) {
				return nullDatum
			}
			var iv []byte
			if mode.Chains {
				if iv = p[2].b; p[2].null || len(iv) < aes.BlockSize {
					return r.refuse(name)
				}
			}
			if !mode.Chains && len(p) > 2 && !p[2].null && len(p[2].b) > 0 { // of which MySQL warns
				return r.refuse(name)
			}
			key, used := p[1].b, cipherOf(r, state)
			switch {
			case len(p) > 3:
				var known bool
				if key, known = used.Derive(wordsOf(p), mode.KeyBytes); !known {
					return r.refuse(name)
				}
			case len(key) > mode.KeyBytes && warnsOfKeys: // of what is folded
				return r.refuse(name)
			}
			block := used.With(key, mode.KeyBytes)
			known := true
			out := r.write(slot, func(dst []byte) []byte {
				dst, known = compute(block, iv, dst, p[0].b)
				return dst
			})
			if !known {
				return nullDatum
			}
			return out
		}, args...)), nil
	}
}

// aesArguments evaluates the arguments, as bytes.
func (c *compiler) aesArguments(name string, args []*node) (*aes.Mode, []evaluator, error) {
	called := c.session.BlockMode
	if called == "" {
		called = aes.ModeDefault
	}
	mode, ok := aes.Modes[called]
	switch {
	case !ok:
		return nil, nil, refuse(name + " in this block_encryption_mode")
	case mode.Chains && len(args) < 3, !mode.Chains && len(args) == 3, len(args) > 3 && c.session.isMariaDB(): // an error of the server's, or a warning
		return nil, nil, refuse(name + " with these arguments")
	}
	evs := make([]evaluator, len(args))
	for i, n := range args {
		if err := c.allow(name, n); err != nil {
			return nil, nil, err
		}
		texts, _, err := c.texts(name, n)
		if err != nil {
			return nil, nil, err
		}
		evs[i] = texts[0]
	}
	return &mode, evs, nil
}

// evalCipher evaluates the arguments; false if one is NULL that makes NULL of the result. A
// function that derives keys leaves an initialization vector that is not used NULL.
func evalCipher(r *Run, evs []evaluator, p []*datum) bool {
	for i, ev := range evs {
		if p[i] = ev(r); p[i].null && (i < 2 || len(evs) == 3) {
			return false
		}
	}
	return r.err == nil
}

// wordsOf are the arguments behind the text.
func wordsOf(p []*datum) (words aes.Words) {
	for i, d := range p[1:] {
		words.All[i], words.Null[i] = d.b, d.null
	}
	words.Count = len(p) - 1
	return words
}

// cipherOf is what a run has of a call.
func cipherOf(r *Run, state int) *aes.Cipher {
	known, _ := r.states[state].(*aes.Cipher)
	if known == nil {
		known = &aes.Cipher{}
		r.states[state] = known
	}
	return known
}
