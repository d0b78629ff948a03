package session

import (
	"strings"
	"testing"
)

// TestCountsBesideOthers: what asks for more than counts of the statement before, or for its message,
// does not show the server a value that goes with a protected column.
func TestCountsBesideOthers(t *testing.T) {
	const canary = "7731415"
	tunnel, written := beforeRecordedServer(t)
	for _, step := range []struct{ text, want string }{
		{"INSERT INTO note VALUES (1, 10), (2, 20)", ""},
		{"INSERT INTO note VALUES (1, 10)", "Duplicate entry '1'"},
		{"GET DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT, @e = MYSQL_ERRNO", ""},
		{"SELECT @m", "Duplicate entry '1'"},
		{"SELECT @e", "1062"},
		{"SELECT id FROM plain.note WHERE id = @m", "TUNIC-2005"},
		{"SELECT @@error_count FROM note WHERE v = 7731415", "TUNIC-2003"},
		{"SELECT id FROM plain.note WHERE id = @m", "TUNIC-2005"},
		{"SELECT @@warning_count + (SELECT COUNT(*) FROM note WHERE v = 7731415)", "TUNIC-2003"},
		{"SELECT id FROM plain.note WHERE id = @m", "TUNIC-2005"},
		{"SELECT ROW_COUNT() FROM note WHERE v = 7731415 LIMIT 1", ""},
		{"SELECT id FROM plain.note WHERE id = @m", "TUNIC-2005"},
		{"SELECT @@error_count, @@warning_count", "1"},
	} {
		if got := answerTo(tunnel, step.text); !strings.Contains(got, step.want) || step.want == "" && got != "" {
			t.Errorf("%s: %s, want %q", step.text, got, step.want)
		}
	}
	for _, s := range written() {
		if strings.Contains(s, canary) || strings.Contains(s, "Duplicate entry") {
			t.Errorf("the server has got %s", s)
		}
	}
}
