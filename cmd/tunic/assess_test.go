package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAssessmentSample: docs/assess.md shows what the command prints in its script, and all of it.
func TestAssessmentSample(t *testing.T) {
	document, err := os.ReadFile("../../docs/assess.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "script", "server", "assess.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	_, want, ok := strings.Cut(string(script), "-- example.want --\n")
	if !ok || want == "" || !strings.Contains(string(document), "```\n"+want+"```\n") {
		t.Errorf("docs/assess.md does not have:\n%s", want)
	}
}
