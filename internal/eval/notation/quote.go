package notation

// AppendQuoted writes text as a literal has it.
func AppendQuoted(dst, s []byte) []byte {
	dst = append(dst, '\'')
	for _, b := range s {
		switch b {
		case 0:
			dst = append(dst, '\\', '0')
		case '\x1a':
			dst = append(dst, '\\', 'Z')
		case '\'', '\\':
			dst = append(dst, '\\', b)
		default:
			dst = append(dst, b)
		}
	}
	return append(dst, '\'')
}

// soundCodes are the digits of the letters. 0 is not written, and does not keep
// apart equal ones that it stands between.
const soundCodes = "01230120022455012623010202"

// SoundexLeast is the shortest SOUNDEX of anything.
const SoundexLeast = 4

// AppendSoundex writes how letters of ASCII sound.
func AppendSoundex(dst, s []byte) []byte {
	start := len(dst)
	last := byte('0')
	for _, b := range s {
		b &^= 0x20
		if b < 'A' || b > 'Z' {
			continue
		}
		code := soundCodes[b-'A']
		switch {
		case len(dst) == start:
			dst = append(dst, b)
		case code == '0' || code == last:
			continue
		default:
			dst = append(dst, code)
		}
		last = code
	}
	if len(dst) == start {
		return dst
	}
	for len(dst) < start+SoundexLeast {
		dst = append(dst, '0')
	}
	return dst
}
