package value

// assignBytes stores into BINARY, VARBINARY and the BLOBs: the bytes of a
// string, whatever its character set.
func assignBytes(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	src := s.Bytes
	var room [96]byte
	if s.Form < FormString || s.Form > FormHexString || s.Form == FormDecimal {
		src = spell(room[:0], t, s, env, o)
	}
	most := t.Length
	if limit := t.Kind.bytesMax(); limit > 0 {
		most = limit
	}
	if len(src) > most {
		tooLong(env, o)
		src = src[:most]
	}
	dst = append(dst, src...)
	if t.Kind == Binary {
		dst = appendByte(dst, 0, t.Length-len(src))
	}
	return dst
}
