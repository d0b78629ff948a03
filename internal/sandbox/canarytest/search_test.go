package canarytest

import "testing"

// TestLookInto: a canary is seen in every form, and nothing else is.
func TestLookInto(t *testing.T) {
	for _, content := range []string{
		"x kanari-value", "KANARI-WEIGHT", "k\x00a\x00n\x00a\x00r\x00i\x00-\x00", "\x00K\x00A\x00N\x00A\x00R\x00I\x00-", "0x6b616e6172692d00",
		"X'6B616E6172692D'", "a=7731415926535897999", string(integerBytes(true)), string(integerBytes(false)),
	} {
		if len(LookInto("here", []byte(content))) == 0 {
			t.Errorf("%q: no canary is seen", content)
		}
	}
	for _, content := range []string{"", "kanar", "canary-value", "773141592", "\x6b\x4b"} {
		if found := LookInto("here", []byte(content)); len(found) > 0 {
			t.Errorf("%q: %v", content, found)
		}
	}
}

// integerBytes is a number canary as InnoDB has it, its first bit turned over, or with
// its low byte first.
func integerBytes(innodb bool) []byte {
	b := make([]byte, 8)
	for i := range b {
		shift := 8 * i
		if innodb {
			shift = 56 - shift
		}
		b[i] = byte(uint64(Number+3) >> shift)
	}
	if innodb {
		b[0] ^= 0x80
	}
	return b
}
