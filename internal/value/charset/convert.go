package charset

// Convert appends src, which is in the character set from, to dst in the
// character set to. Where a character is not well formed, or does not exist in
// to, a question mark stands for it (for each byte, of bytes that are not well
// formed), as the servers have it. bad is the offset in src of the first such
// character, -1 if there is none: in strict mode the servers refuse the value.
//
// Bytes of the character set binary, and bytes that stay in their character set,
// are copied as they are; bad then says only where they stop being well formed.
func Convert(dst []byte, to, from *Charset, src []byte) (out []byte, bad int) {
	if to == from || to.isBinary() || from.isBinary() {
		return appendBytes(dst, to, from, src)
	}
	bad = -1
	for i := 0; i < len(src); {
		if to.ascii {
			run := from.asciiRun(src[i:])
			dst = append(dst, src[i:i+run]...)
			if i += run; i == len(src) {
				break
			}
		}
		r, n := from.codec.decode(src[i:])
		ok := n > 0 && r != noRune
		if ok {
			dst, ok = to.codec.encode(dst, r)
		}
		if !ok {
			dst, _ = to.codec.encode(dst, '?')
			if bad < 0 {
				bad = i
			}
		}
		i += max(n, 1)
	}
	return dst, bad
}

// appendBytes copies src. Bytes that become characters of a fixed width are
// filled up with zeros before them: x'41' is U+0041 in UCS-2.
func appendBytes(dst []byte, to, from *Charset, src []byte) (out []byte, bad int) {
	start, fill := len(dst), 0
	if from.isBinary() {
		fill = Fill(to, src)
	}
	for range fill {
		dst = append(dst, 0)
	}
	dst = append(dst, src...)
	if bad = to.FirstBad(dst[start:]); bad >= 0 {
		bad = max(bad-fill, 0)
	}
	return dst, bad
}

// Fill is how many zeros Convert puts before bytes that are of no character set.
func Fill(to *Charset, src []byte) int {
	return (to.BytesMin - len(src)%to.BytesMin) % to.BytesMin
}

// AppendRepaired appends s with a question mark in the place of each byte that belongs to no
// well-formed character, as MariaDB stores it (my_append_fix_badly_formed_tail of its
// strings/ctype-mb.c). The first character, if Fill has put zeros before it, gets one for all.
func (c *Charset) AppendRepaired(dst, s []byte, fill int) []byte {
	for i := 0; i < len(s); {
		_, n := c.codec.decode(s[i:])
		switch {
		case n > 0:
			dst = append(dst, s[i:i+n]...)
		case i == 0 && fill > 0:
			dst, _ = c.codec.encode(dst, '?')
			n = c.BytesMin
		default:
			dst, _ = c.codec.encode(dst, '?')
			n = 1
		}
		i += n
	}
	return dst
}

func (c *Charset) isBinary() bool { return c.codec == binaryCodec{} }
