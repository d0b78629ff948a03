package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// writeResult writes what a benchmark has measured as JSON into a folder, which it makes, and
// returns the file's path without its ending: the name and when it began, in UTC.
func writeResult(dir, name string, started time.Time, result any) (base string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // results are for everybody to read
		return "", fmt.Errorf("write benchmark: %w", err)
	}
	text, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write benchmark: %w", err)
	}
	base = resultBase(dir, name, started)
	if err := os.WriteFile(base+".json", append(text, '\n'), 0o644); err != nil { //nolint:gosec // as above
		return "", fmt.Errorf("write benchmark: %w", err)
	}
	return base, nil
}

// resultBase is the path of a benchmark's files without their endings.
func resultBase(dir, name string, started time.Time) string {
	return filepath.Join(dir, name+"-"+started.UTC().Format("20060102-150405"))
}
