package value

import (
	"encoding/binary"
	"math"
)

// assignVector stores the floats that STRING_TO_VECTOR makes, or a binary string
// of them.
func assignVector(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	const entryBytes = 4
	binaryString := s.Form == FormHex || s.Form == FormBit || s.Form == FormHexString ||
		s.Form == FormString && s.charset(env.Flavor) == binaryCharset(env)
	b := s.Bytes
	switch {
	case s.Form == FormDate || s.Form == FormTime || s.Form == FormDateTime:
		o.add(Error, Unanswerable, "") // bytes of the server's own
		return dst
	case !binaryString || len(b) == 0 || len(b)%entryBytes != 0:
		o.add(Error, BadVector, "")
		return dst
	case len(b) > t.Length*entryBytes:
		o.warn(env, TooLong, "")
		return dst // and nothing is kept
	}
	for i := 0; i < len(b); i += entryBytes {
		f := float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i:])))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			o.add(Error, BadVector, "")
			return dst
		}
	}
	return append(dst, b...)
}
