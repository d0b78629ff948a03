package bench

import (
	"strings"
	"testing"
)

// Two tunics that change the layers of one table undo what the other has done, and the
// benchmark would fail by itself.
func TestLayersTables(t *testing.T) {
	if err := Layers(t.Context(), LayersOptions{Tables: 1}); err == nil || !strings.Contains(err.Error(), "tables is 1; it must be at least 2") {
		t.Errorf("one table: %v", err)
	}
	if err := (&LayersOptions{Tables: 2}).check(); err != nil {
		t.Error(err)
	}
}
