package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

// TestTutorial runs the tutorial as a reader does, command by command.
func TestTutorial(t *testing.T) {
	racetest.InOrder(t)
	server := sandboxtest.Own(t, sandbox.MariaDB)
	_, serverPort := server.HostPort()
	_, port, _ := net.SplitHostPort(freeAddr(t)) // of a listener
	ports := strings.NewReplacer("3306", serverPort, "3307", port)
	shell := startShell(t)
	for _, c := range readConsole(t, filepath.Join("..", "..", "docs", "tutorial.md")) {
		output, err := shell.run(ports.Replace(c.text))
		t.Logf("$ %s\n%s", c.text, output)
		if err != nil {
			t.Fatalf("line %d: %s\n%v\n%s", c.line, c.text, err, output)
		}
		if !asWritten(ports.Replace(c.output)).MatchString(output) {
			t.Fatalf("line %d: %s\nprinted:\n%s\nthe tutorial says:\n%s", c.line, c.text, output, c.output)
		}
	}
}

// consoleCommand is a command of a ```console block, with what the document says that it prints.
type consoleCommand struct {
	line         int
	text, output string
}

var hereDocument = regexp.MustCompile(`<<'(\w+)'`)

// readConsole returns the commands of a document: a line that begins with "$ ", and the
// here-document behind it.
func readConsole(t *testing.T, file string) (commands []consoleCommand) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	inside, until := false, ""
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case until != "":
			c := &commands[len(commands)-1]
			c.text += "\n" + line
			if line == until {
				until = ""
			}
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case !inside:
		case strings.HasPrefix(line, "$ "):
			commands = append(commands, consoleCommand{line: i + 1, text: line[2:]})
			if m := hereDocument.FindStringSubmatch(line); m != nil {
				until = m[1]
			}
		default:
			commands[len(commands)-1].output += line + "\n"
		}
	}
	if len(commands) == 0 {
		t.Fatalf("%s has no command", file)
	}
	return commands
}

// asWritten matches what a document says that a command prints: "…" is any text, and alone on a
// line any number of lines.
func asWritten(output string) *regexp.Regexp {
	var b strings.Builder
	for line := range strings.Lines(output) {
		if line == "…\n" {
			b.WriteString(`(?:.*\n)*`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*"))
	}
	return regexp.MustCompile(`^` + b.String() + `$`)
}

// shell is a bash that commands are given to one after the other, in a folder of its own, with the
// program tunic on its path.
type shell struct {
	in  io.Writer
	out *bufio.Reader
}

func startShell(t *testing.T) *shell {
	t.Helper()
	for _, program := range []string{"bash", "mariadb"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	tunic, err := sandbox.TunicBinary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	bin := filepath.Join(t.TempDir(), "bin")
	if err := errors.Join(os.Mkdir(bin, 0o755), os.Symlink(tunic, filepath.Join(bin, "tunic"))); err != nil {
		t.Fatal(err)
	}
	bash := exec.Command("bash") // the context of a test ends before its cleanup, which ends what bash has started
	bash.Dir = dir
	bash.Env = append(sandbox.WithoutSettings(os.Environ()), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+dir,
		"LC_ALL=C.UTF-8") // as in a terminal: the width of a table depends on it
	in, err := bash.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	bash.Stdout, bash.Stderr = write, write
	if err := bash.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close() // bash has its own
	t.Cleanup(func() {
		_, _ = io.WriteString(in, "\nkill $(jobs -p) 2> /dev/null; wait\n")
		_ = in.Close()
		_ = bash.Wait()
		_ = read.Close()
	})
	return &shell{in: in, out: bufio.NewReader(read)}
}

// run returns what a command has printed; a status other than 0 is an error.
func (s *shell) run(text string) (string, error) {
	const end = "the command has ended with status "
	if _, err := fmt.Fprintf(s.in, "%s\nprintf '\\n%s%%d\\n' $?\n", text, end); err != nil {
		return "", err
	}
	var printed strings.Builder
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			return printed.String(), err
		}
		status, ended := strings.CutPrefix(line, end)
		if !ended {
			printed.WriteString(line)
			continue
		}
		if status != "0\n" {
			err = errors.New("status " + strings.TrimSpace(status))
		}
		return strings.TrimSuffix(printed.String(), "\n"), err
	}
}
