package documenttest

import (
	"strings"
	"testing"

	"tunic/internal/bench/document"
)

// Page makes the page of a document, and checks that it stands alone.
func Page(t *testing.T, d *document.Document, render func(*document.Document) (string, error)) string {
	t.Helper()
	text, err := render(d)
	if err != nil {
		t.Fatal(err)
	}
	if err := WellFormed(text); err != nil {
		t.Errorf("not well formed: %v", err)
	}
	for _, outside := range []string{"href", "src=", "url(", "@import", "<script", "NaN", "Inf\""} {
		if strings.Contains(text, outside) {
			t.Errorf("the page has %q", outside)
		}
	}
	return text
}
