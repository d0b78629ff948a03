package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tunic/internal/racetest"
)

// completions is a command line as it is typed, and what there must and must not be to complete it
// with.
var completions = []struct {
	line       string
	have, lack []string
}{
	{"tunic ", []string{"serve", "help", "bench", "completion"}, []string{"complete", "--help", "relay"}},
	{"tunic se", []string{"serve"}, []string{"bench"}},
	{"tunic bench ", []string{"relay", "tpcc"}, []string{"serve"}},
	{"tunic serve --back", []string{"--backend", "--backend-tls"}, []string{"--listen"}},
	{"tunic serve --no-comp", []string{"--no-compression"}, nil},
	{"tunic serve --backend-tls ", []string{"required", "verify-ca"}, []string{"--backend"}},
	{"tunic serve --backend-tls ver", []string{"verify-ca"}, []string{"required"}},
	{"tunic serve --backend-tls=ver", []string{"verify-ca"}, []string{"required"}},
	{"tunic serve --compression --log-l", []string{"--log-level"}, nil},
	{"tunic serve --key ", nil, []string{"serve", "--key"}}, // a file
	{"tunic help TUNIC-20", []string{"TUNIC-2001"}, []string{"TUNIC-1001"}},
	{"tunic help conf", []string{"config"}, nil},
	{"tunic help ser", []string{"serve"}, nil},
	{"tunic completion ", []string{"bash", "zsh", "fish"}, nil},
	{"tunic keygen --pass", []string{"--passphrase"}, nil},
}

// TestCompletionInBash runs the script that bash is given as bash does.
func TestCompletionInBash(t *testing.T) {
	racetest.InOrder(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	script := filepath.Join(t.TempDir(), "script")
	text := "source <(tunic completion bash)\n" + `complete_line() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	_tunic "$1"
	printf '%s\n' "${COMPREPLY[@]}"
	echo -- done
}
complete -p tunic
`
	for _, c := range completions {
		text += "complete_line"
		for _, word := range bashWords(c.line) {
			text += " '" + word + "'"
		}
		text += "\n"
	}
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := tunicDir(t)
	command := exec.CommandContext(t.Context(), bash, "--norc", "--noprofile", script)
	command.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	told, rest, _ := strings.Cut(string(out), "\n")
	if told != "complete -o default -F _tunic tunic" {
		t.Fatalf("bash was told %q", told)
	}
	for i, answer := range strings.SplitAfter(rest, "-- done\n")[:len(completions)] {
		c, words := completions[i], strings.Fields(answer)
		for _, want := range c.have {
			if !slices.Contains(words, want) {
				t.Errorf("%q: %s is not among %v", c.line, want, words)
			}
		}
		for _, lack := range c.lack {
			if slices.Contains(words, lack) {
				t.Errorf("%q: %s is among %v", c.line, lack, words)
			}
		}
	}
}

// bashWords cuts a line as bash does, to which = is a word of its own.
func bashWords(line string) []string {
	words := strings.Split(line, " ")
	last := words[len(words)-1]
	if flag, value, ok := strings.Cut(last, "="); ok {
		words = append(words[:len(words)-1], flag, "=", value)
	}
	return words
}

// TestCompletionWhole: zsh and fish do not cut a word at =.
func TestCompletionWhole(t *testing.T) {
	racetest.InOrder(t)
	out, err := exec.CommandContext(t.Context(), filepath.Join(tunicDir(t), "tunic"), "complete", "--", "serve", "--backend-tls=ver").Output()
	if err != nil || !strings.Contains(string(out), "--backend-tls=verify-ca\t\n") {
		t.Errorf("%q, %v", out, err)
	}
	for _, shell := range []string{"zsh", "fish"} {
		if _, err := exec.CommandContext(t.Context(), filepath.Join(tunicDir(t), "tunic"), "completion", shell).Output(); err != nil {
			t.Errorf("%s: %v", shell, err)
		}
		checkSyntax(t, shell)
	}
}

// checkSyntax has a shell read its script, if it is here.
func checkSyntax(t *testing.T, shell string) {
	t.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Logf("there is no %s here", shell)
		return
	}
	if out, err := exec.CommandContext(t.Context(), path, "-n", filepath.Join("completion", "tunic."+shell)).CombinedOutput(); err != nil {
		t.Errorf("%s: %v: %s", shell, err, out)
	}
}

// tunicDir is a folder with this program under the name tunic in it.
func tunicDir(t *testing.T) string {
	t.Helper()
	return filepath.Dir(link(t, "tunic"))
}
