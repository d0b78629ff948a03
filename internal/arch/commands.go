package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
)

// shells are the languages of fenced blocks that hold commands.
var shells = []string{"sh", "bash", "console"}

var (
	targetPattern = regexp.MustCompile(`^([A-Za-z0-9][\w.-]*)\s*:(?:[^=]|$)`)
	setPattern    = regexp.MustCompile(`^[A-Z][A-Z0-9_]*=`)
	// mentionPattern is a flag inside a text.
	mentionPattern = regexp.MustCompile(`(?:^|[\s"\x60(,])--([a-z][a-z0-9-]+)`)
	flagPattern    = regexp.MustCompile(`^--([a-z][a-z0-9-]*)`)
	// joinPattern is what stands between the commands of one line.
	joinPattern = regexp.MustCompile(`&&|\|\||[;|&]`)
	// variablePattern is an environment variable of tunic. TUNIC_PORT… are made
	// by others, for a service of that name, and TUNIC_* is no name.
	variablePattern      = regexp.MustCompile(`\bTUNIC_[A-Z0-9_]*[A-Z0-9]\b`)
	wholeVariablePattern = regexp.MustCompile(`^["\x60](TUNIC_[A-Z0-9_]*[A-Z0-9])["\x60]$`)
)

// commands is what can be typed in this repository.
type commands struct {
	targets   map[string]bool // of make
	verbs     map[string]bool // sub-commands of tunic
	flags     map[string]bool // of tunic, without the hyphens
	variables map[string]bool // environment variables of tunic
	files     func(string) bool
}

// findCommands checks the commands that documents show: targets of make,
// sub-commands, flags and environment variables of tunic, and scripts of the
// repository. A code span that starts with two hyphens is a flag of tunic;
// write the flags of other programs with their program.
//
// The same goes for the strings of the rooms that make up a running tunic:
// their messages tell operators which flag to set.
func findCommands(r *repo) []finding {
	known := r.commands()
	found := messageFlags(r, known)
	for _, d := range r.docs {
		typed := d.spans()
		for _, b := range d.blocks {
			if slices.Contains(shells, b.language) {
				typed = append(typed, joined(b.lines)...)
			}
		}
		for _, l := range typed {
			if fact := known.judge(l.text); fact != "" {
				found = append(found, finding{d.path, l.number, fact, "show what works, or make it work"})
			}
		}
	}
	return found
}

// messageFlags finds flags that messages name and tunic does not have.
func messageFlags(r *repo, known *commands) []finding {
	h, _ := r.house()
	var found []finding
	for _, f := range r.code {
		room := roomOf(f.dir)
		if f.test || isTestPackage(f.dir) || room != "server" && !h.below["server"][room] {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			for _, m := range mentionPattern.FindAllStringSubmatch(lit.Value, -1) {
				if !known.flags[m[1]] {
					found = append(found, finding{f.path, r.line(n.Pos()), "a message names the flag --" + m[1], "name one that tunic has"})
				}
			}
			return true
		})
	}
	return found
}

// joined puts lines that end in a backslash together with the next.
func joined(lines []line) []line {
	var found []line
	pending := ""
	for _, l := range lines {
		if s, ok := strings.CutSuffix(strings.TrimSpace(l.text), `\`); ok {
			pending += s + " "
			continue
		}
		found = append(found, line{l.number, pending + l.text})
		pending = ""
	}
	return found
}

// judge returns what is wrong with a command line, "" if nothing is.
func (c *commands) judge(text string) string {
	for _, name := range variablePattern.FindAllString(text, -1) {
		if !c.variables[name] && !strings.HasPrefix(name, "TUNIC_PORT") {
			return "tunic reads no variable " + name
		}
	}
	if flagPattern.MatchString(text) {
		return c.judgeFlags(strings.Fields(text))
	}
	for _, part := range joinPattern.Split(text, -1) {
		if fact := c.judgeOne(part); fact != "" {
			return fact
		}
	}
	return ""
}

// judgeOne judges one simple command.
func (c *commands) judgeOne(text string) string {
	text, _, _ = strings.Cut(text, " #")
	words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(text), "$ "))
	for len(words) > 0 && (setPattern.MatchString(words[0]) || words[0] == "sudo") {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	switch name := words[0]; {
	case name == "make":
		return c.judgeMake(words[1:])
	case name == "tunic" || name == "bin/tunic" || name == "./bin/tunic":
		return c.judgeTunic(words[1:])
	case strings.HasPrefix(name, "./") && !c.files(path.Clean(name)):
		return name + " is not there"
	}
	return ""
}

// judgeMake judges the arguments of make.
func (c *commands) judgeMake(words []string) string {
	for _, w := range words {
		if !setPattern.MatchString(w) && !strings.HasPrefix(w, "-") && !c.targets[w] {
			return fmt.Sprintf("make has no target %s", w)
		}
	}
	return ""
}

// judgeTunic judges the arguments of tunic.
func (c *commands) judgeTunic(words []string) string {
	if len(words) == 0 {
		return ""
	}
	if verb := words[0]; !strings.HasPrefix(verb, "-") && !c.verbs[verb] && verb != "…" {
		return fmt.Sprintf("tunic has no command %s", verb)
	}
	return c.judgeFlags(words)
}

// judgeFlags judges the flags among words.
func (c *commands) judgeFlags(words []string) string {
	for _, w := range words {
		for alternative := range strings.SplitSeq(w, "|") {
			m := flagPattern.FindStringSubmatch(strings.Trim(alternative, "[]"))
			if m != nil && !c.flags[m[1]] {
				return fmt.Sprintf("tunic has no flag --%s", m[1])
			}
		}
	}
	return ""
}

// commands reads the Makefile and the command line of tunic.
func (r *repo) commands() *commands {
	c := &commands{targets: map[string]bool{}, files: r.exists}
	for _, t := range r.texts {
		if base := path.Base(t.path); base != "Makefile" && path.Ext(base) != ".mk" {
			continue
		}
		for s := range strings.Lines(t.body) {
			if m := targetPattern.FindStringSubmatch(s); m != nil {
				c.targets[m[1]] = true
			}
		}
	}
	c.verbs, c.flags, c.variables = r.commandLine()
	return c
}
