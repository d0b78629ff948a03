package catalog

import (
	"testing"

	"tunic/internal/policy"
)

// TestEachCapability: a layer of each capability, and what succeeds it, have a word of their own in the written
// form and columns of their own. Two layers that share a column would overwrite each other's tokens.
func TestEachCapability(t *testing.T) {
	words, columns := map[string]bool{capabilityWords[0]: true, capabilityWords[PlainForm]: true}, map[string]bool{"c": true, StoredName("c", PlainForm): true}
	for _, c := range policy.Each() {
		if c == PlainForm || Shadow(c) == c || Base(Shadow(c)) != c || Base(c) != c {
			t.Errorf("%v: its bit is that of a shadow or of the plain form", c)
		}
		for _, of := range []policy.Capabilities{c, Shadow(c)} {
			if words[capabilityWords[of]] {
				t.Errorf("%v: the word %q is another one's (capabilityWords)", of, capabilityWords[of])
			}
			words[capabilityWords[of]] = true
		}
		for _, name := range []string{StoredName("c", c), StoredName("c", Shadow(c)), PastName("c", c)} {
			if columns[name] || !Reserved(name) {
				t.Errorf("%v: the column %q is another one's, or may be a client's (layerName)", c, name)
			}
			columns[name] = true
		}
	}
}
