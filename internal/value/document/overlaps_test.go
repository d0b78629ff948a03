package document

import "testing"

func TestOverlaps(t *testing.T) {
	for _, c := range []struct {
		a, b      string
		is, known bool
	}{
		{`[1, 2]`, `[2, 3]`, true, true},
		{`[1, 2]`, `[3]`, false, true},
		{`[1, "x"]`, `"x"`, true, true},
		{`1`, `1.0`, true, true},
		{`1`, `"1"`, false, true},
		{`[]`, `[1]`, false, true},
		{`[[1]]`, `[[1]]`, false, false},
		{`[[1], 5]`, `[[1], 5]`, true, true},
		{`[[1]]`, `[1]`, false, true},
		{`{"a": 1, "b": 2}`, `{"b": 2}`, true, true},
		{`{"a": 1}`, `{"a": 2, "c": 1}`, false, true},
		{`{"a": [1]}`, `{"a": [1]}`, false, false},
		{`{"a": 1}`, `1`, false, true},
		{`[{"a": 1}]`, `{"a": 1}`, false, false},
		{`null`, `[null]`, true, true},
		{`12345678901234567890`, `[12345678901234567891]`, false, false},
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			v, ok := Parse([]byte(pair[0]))
			w, ok2 := Parse([]byte(pair[1]))
			if !ok || !ok2 {
				t.Fatalf("%v: no documents", pair)
			}
			if is, known := v.Overlaps(&w); is != c.is || known != c.known {
				t.Errorf("%s overlaps %s: %t, %t; want %t, %t", pair[0], pair[1], is, known, c.is, c.known)
			}
		}
	}
}
