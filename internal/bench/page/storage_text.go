package page

import (
	"fmt"

	"tunic/internal/bench/document"
)

// storedAs says what kind they are of.
func storedAs(s document.Storage) string {
	switch s.Target {
	case document.TargetProtected:
		return "protected"
	case document.TargetApart:
		return "protected, each column by itself"
	case document.TargetTDE:
		return "encrypted files"
	case document.TargetShardingSphereEncrypt:
		return s.Target
	}
	return "plain"
}

// storageText says it in one line, "" if nothing was measured: what rows take through
// the first target, and through the others beside it.
func storageText(d *document.Document) string {
	var text string
	for _, s := range d.Storage {
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("%s %.0f bytes a row", storedAs(s), s.BytesPerRow)
		if first := d.Storage[0].BytesPerRow; s.Target != d.Storage[0].Target && first > 0 {
			text += fmt.Sprintf(" (× %.2f)", s.BytesPerRow/first)
		}
	}
	return text
}
