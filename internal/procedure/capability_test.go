package procedure

import (
	"testing"

	"tunic/internal/policy"
)

// TestEachCapability: the word for a layer of each is read as it is told.
func TestEachCapability(t *testing.T) {
	for _, c := range policy.Each() {
		if got := layerWords[layerWord(c)]; got != c {
			t.Errorf("%v is told as %q, which is read as %v (layerWord, layerWords)", c, layerWord(c), got)
		}
	}
}
