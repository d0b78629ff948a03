package takeover

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tunic/internal/waittest"
)

// askAs names the takeover socket at which this test, run as another user, asks.
const askAs = "TUNIC_TEST_ASK_AT"

// TestOtherUser: a process of another user gets no socket, though it may connect. Nor does one take a
// socket from a process of another user.
func TestOtherUser(t *testing.T) {
	if path := os.Getenv(askAs); path != "" {
		if _, err := Ask(t.Context(), path, Addresses{"a:1", "b:2"}); !errors.Is(err, ErrUser) {
			t.Errorf("asked for the sockets of another user: %v", err)
		}
		conn, err := dial(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := say(conn, asks); err != nil && !errors.Is(err, syscall.EPIPE) { // it may have hung up already
			t.Fatal(err)
		}
		if message, files, err := receive(conn); err == nil && len(message)+len(files) > 0 {
			t.Errorf("got %d sockets", len(files))
		}
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("skipped: only root can be another user")
	}
	old := give(t, listener(t, "tcp", "127.0.0.1:0"))
	for path, mode := range map[string]os.FileMode{old.path: 0o666, filepath.Dir(old.path): 0o755} { // as a mistake would leave them
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(filepath.Dir(old.path), "test") // where the other user can read it
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, text, 0o755); err != nil {
		t.Fatal(err)
	}
	other := exec.CommandContext(t.Context(), program, "-test.run=^TestOtherUser$", "-test.v")
	other.Dir, other.Env = "/", append(os.Environ(), askAs+"="+old.path)
	other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := other.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestOtherUser") {
		t.Errorf("%v\n%s", err, out)
	}
	waittest.Until(t, "the log has the refusal", func() bool { return strings.Contains(old.log.String(), ErrUser.Error()) })
}
