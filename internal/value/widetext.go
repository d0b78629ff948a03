package value

import "tunic/internal/value/charset"

// asRead is a source as values of the kind are read from it. Numbers, times and addresses are read from bytes of ASCII, so
// a string in a character set whose characters have two bytes or more (ucs2, utf16, utf32) is converted before.
func (s *Source) asRead(k Kind, env *Env) *Source {
	reads := k.IsNumber() && k != Bit || k.IsTemporal() || k == UUID || k == INET4 || k == INET6
	if s.Form != FormString || s.Collation == nil || s.Collation.Charset.BytesMin == 1 || !reads {
		return s
	}
	to := asciiCharset(env)
	read := *s
	read.Bytes, _ = charset.Convert(nil, to, s.Collation.Charset, s.Bytes)
	read.Collation = to.Default()
	return &read
}
