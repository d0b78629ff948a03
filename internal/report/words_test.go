package report

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 layers", 1: "1 layer", 999: "999 layers", 1371: "1,371 layers", 1234567: "1,234,567 layers"} {
		if got := count(n, "layer", "layers"); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
