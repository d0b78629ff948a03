package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"tunic/internal/config"
	"tunic/internal/sqlerr"
)

// negative is an argument that is a number below 0 and no flag.
var negative = regexp.MustCompile(`^-\.?[0-9]`)

// joinNegative writes a flag and a negative number after it as one argument:
// kong would take the number for a flag, and its setting can say better what is
// wrong with it.
func joinNegative(args []string) []string {
	var joined []string
	for i, arg := range args {
		if i > 0 && negative.MatchString(arg) && strings.HasPrefix(args[i-1], "--") && !strings.Contains(args[i-1], "=") {
			joined[len(joined)-1] += "=" + arg
			continue
		}
		joined = append(joined, arg)
	}
	return joined
}

// usageError is what is wrong with a command line, and what was meant, as far as that can be
// told; err is kong's.
func usageError(args []string, err error) error {
	e := &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: usageProblem(err)}
	parse, ok := errors.AsType[*kong.ParseError](err)
	if !ok {
		return e
	}
	node := parse.Context.Selected()
	if node == nil {
		node = parse.Context.Model.Node
	}
	e.Fix = "see " + node.FullPath() + " --help"
	word, ok := strings.CutPrefix(parse.Error(), "unexpected argument ")
	if !ok {
		return e
	}
	word, _, _ = strings.Cut(word, ", did you mean ")
	if problem, fix, ok := switchMistake(args, word, node); ok {
		e.Problem, e.Fix = problem, fix
	} else if len(node.Children) > 0 {
		e.Problem, e.Fix = unknownCommand(node, word)
	}
	return e
}

// withHelp names the help of a command in its own error of a wrong command line, which names no fix.
func withHelp(command *kong.Context, err error) error {
	if wrong, ok := errors.AsType[*sqlerr.StartError](err); ok && wrong.Code == sqlerr.CodeUsage && wrong.Fix == "" {
		wrong.Fix = "see " + command.Selected().FullPath() + " --help"
	}
	return err
}

// usageProblem is what kong says, in the words of this manual.
func usageProblem(err error) string {
	if flag, value, ok := strings.Cut(err.Error(), ": expected string value but got "); ok && strings.HasSuffix(value, "?") {
		value, _, _ = strings.Cut(value, " (")
		return flag + " needs a value, and " + value + " looks like a flag; if it is the value, write " + flag + "=…"
	}
	if flag, _, ok := strings.Cut(err.Error(), `: expected string value but got "EOL"`); ok {
		return flag + " needs a value"
	}
	return err.Error()
}

// Words that people write behind a switch.
var (
	wordsOn  = []string{"true", "on", "yes", "1"}
	wordsOff = []string{"false", "off", "no", "0"}
)

// switchMistake is what is wrong where a switch has a value behind it, as in --compression
// false.
func switchMistake(args []string, word string, node *kong.Node) (problem, fix string, ok bool) {
	low := strings.ToLower(word)
	on, off := slices.Contains(wordsOn, low), slices.Contains(wordsOff, low)
	for i := 1; i < len(args) && (on || off); i++ {
		name, isFlag := strings.CutPrefix(args[i-1], "--")
		if args[i] != word || !isFlag {
			continue
		}
		for _, flag := range node.Flags {
			if flag.Name != name || !flag.IsBool() {
				continue
			}
			fix = "write --" + name + " alone"
			switch {
			case off && flag.Tag.Negatable != "":
				fix = "write --no-" + name
			case off:
				fix = "leave it out"
			}
			return fmt.Sprintf("--%s takes no value, and has %q behind it", name, word), fix, true
		}
	}
	return "", "", false
}

// unknownCommand is what is wrong where a command does not exist, and the one that was meant.
func unknownCommand(node *kong.Node, word string) (problem, fix string) {
	known := commandNames(node)
	of := strings.TrimSpace("tunic " + node.Path())
	if node.Parent == nil {
		of = "tunic"
	}
	problem = fmt.Sprintf("%s has no command %q", of, word)
	if near := config.Nearest(word, known); near != "" {
		return problem, "did you mean " + of + " " + near + "?"
	}
	return problem, "the commands are " + strings.Join(known, ", ")
}

// commandNames are the commands of a node that are shown.
func commandNames(node *kong.Node) []string {
	var names []string
	for _, c := range node.Children {
		if c.Type == kong.CommandNode && !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}
