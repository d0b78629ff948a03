package binding

import "testing"

func FuzzDepthOf(f *testing.F) {
	f.Add([]byte(`[{"a":["]"]}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if depth := depthOf(text); depth < 0 || depth > len(text) {
			t.Errorf("%d of %d bytes", depth, len(text))
		}
	})
}
