package wire

import (
	"bytes"
	"testing"
)

// TestTake: what is taken is what was appended, and the rest is left; what is cut
// short is not taken.
func TestTake(t *testing.T) {
	rest := []byte("rest")
	number := append(AppendLenenc(nil, 70000), rest...)
	if n, after, ok := TakeLenenc(number); !ok || n != 70000 || !bytes.Equal(after, rest) {
		t.Errorf("%d, %q, %t", n, after, ok)
	}
	text := append(AppendLenencBytes(nil, []byte("text")), rest...)
	if s, after, ok := TakeLenencBytes(text); !ok || string(s) != "text" || !bytes.Equal(after, rest) {
		t.Errorf("%q, %q, %t", s, after, ok)
	}
	for _, c := range []struct {
		kind  Type
		value string
	}{{TypeTiny, "1"}, {TypeYear, "12"}, {TypeLong, "1234"}, {TypeDouble, "12345678"}, {TypeTime, ""}, {TypeDatetime, "1234567"}, {TypeBlob, "blob"}} {
		b := append(AppendBinaryValue(nil, c.kind, []byte(c.value)), rest...)
		if v, after, ok := TakeBinaryValue(b, c.kind); !ok || string(v) != c.value || !bytes.Equal(after, rest) {
			t.Errorf("type %#x: %q, %q, %t", c.kind, v, after, ok)
		}
	}
	_, _, number1 := TakeLenenc([]byte{0xfd, 1})
	_, _, text1 := TakeLenencBytes([]byte{5, 'a'})
	_, _, value1 := TakeBinaryValue([]byte{1, 2}, TypeLong)
	_, _, value2 := TakeBinaryValue([]byte{1, 2}, 0x50)
	if number1 || text1 || value1 || value2 {
		t.Error("what is cut short is taken")
	}
}
