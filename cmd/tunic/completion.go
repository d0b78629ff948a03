package main

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"tunic/docs"
	"tunic/internal/config"
	"tunic/internal/sqlerr"
)

// completionCmd prints what a shell needs to complete command lines of tunic.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help is shown by `tunic completion --help`.
func (c *completionCmd) Help() string {
	return `How a shell gets it:

    bash   source <(tunic completion bash), in ~/.bashrc
    zsh    source <(tunic completion zsh), in ~/.zshrc behind compinit
    fish   tunic completion fish > ~/.config/fish/completions/tunic.fish`
}

// The scripts only ask `tunic complete` and show what it says.
//
//go:embed completion
var completionScripts embed.FS

// Run prints the script.
func (c *completionCmd) Run(command *kong.Context) error {
	script, err := completionScripts.ReadFile("completion/tunic." + c.Shell)
	if err != nil {
		return sqlerr.StartInternal(err)
	}
	_, err = command.Stdout.Write(script)
	return err
}

// completeCmd says what may come next on a command line, for those scripts.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"The words behind tunic; the last one is to be completed, and may be empty."`
}

// Run prints a candidate a line, a tab, and what it is. There is none where the shell is to
// complete the name of a file.
func (c *completeCmd) Run(command *kong.Context) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		words = []string{""}
	}
	var b strings.Builder
	for _, it := range candidates(command.Model.Node, words) {
		fmt.Fprintf(&b, "%s\t%s\n", it.text, it.help)
	}
	_, err := io.WriteString(command.Stdout, b.String())
	return err
}

// candidate is something that may be written, and what it is in a few words.
type candidate struct{ text, help string }

// candidates are what the last word may become.
func candidates(root *kong.Node, words []string) []candidate {
	node, last := root, words[len(words)-1]
	before := words[:len(words)-1]
	flag := ""
	for _, w := range before {
		name, isFlag := strings.CutPrefix(w, "--")
		switch {
		case isFlag:
			flag = name
			continue
		case w == "=": // as bash cuts words
			continue
		case flag == "" || !takesValue(node, flag):
			node = childOf(node, w)
		}
		flag = ""
	}
	if name, value, ok := strings.Cut(strings.TrimPrefix(last, "--"), "="); ok && strings.HasPrefix(last, "--") {
		return starting(value, "--"+name+"=", valuesOf(name))
	}
	switch {
	case flag != "" && takesValue(node, flag):
		return starting(strings.TrimPrefix(last, "="), "", valuesOf(flag))
	case strings.HasPrefix(last, "-"):
		return starting(last, "", flagsOf(node))
	}
	return starting(last, "", argumentsOf(root, node))
}

// starting are those that begin with what is there already; ahead is put before each.
func starting(with, ahead string, all []candidate) []candidate {
	var found []candidate
	for _, it := range all {
		if strings.HasPrefix(it.text, with) {
			it.text = ahead + it.text
			found = append(found, it)
		}
	}
	return found
}

// childOf is the command of a name, or the node itself where the word is an argument.
func childOf(node *kong.Node, name string) *kong.Node {
	for _, c := range node.Children {
		if c.Type == kong.CommandNode && c.Name == name {
			return c
		}
	}
	return node
}

// allFlags are those of a node, and those of what it is in.
func allFlags(node *kong.Node) []*kong.Flag {
	var all []*kong.Flag
	for _, group := range node.AllFlags(true) {
		all = append(all, group...)
	}
	return all
}

func takesValue(node *kong.Node, name string) bool {
	for _, f := range allFlags(node) {
		if f.Name == name {
			return !f.IsBool()
		}
	}
	return false
}

func flagsOf(node *kong.Node) []candidate {
	var all []candidate
	for _, f := range allFlags(node) {
		all = append(all, candidate{"--" + f.Name, firstSentence(f.Help)})
		if f.Tag.Negatable != "" {
			all = append(all, candidate{"--no-" + f.Name, "Not: " + firstSentence(f.Help)})
		}
	}
	return all
}

// valuesOf are the words that a setting may be; none where it is something else.
func valuesOf(flag string) []candidate {
	for _, s := range config.Settings() {
		if s.Flag != flag || !isChoice(s) {
			continue
		}
		var all []candidate
		for word := range strings.SplitSeq(s.Value, "|") {
			all = append(all, candidate{word, ""})
		}
		return all
	}
	return nil
}

// argumentsOf are the commands of a node, or what its argument may be.
func argumentsOf(root, node *kong.Node) []candidate {
	if node.Name == "help" && node.Parent == root {
		return topics(root)
	}
	var all []candidate
	for _, c := range node.Children {
		if c.Type == kong.CommandNode && !c.Hidden {
			all = append(all, candidate{c.Name, firstSentence(c.Help)})
		}
	}
	for _, p := range node.Positional {
		if p.Enum == "" {
			continue
		}
		for _, word := range p.EnumSlice() {
			all = append(all, candidate{word, ""})
		}
	}
	return all
}

// topics are what tunic help explains.
func topics(root *kong.Node) []candidate {
	all := argumentsOf(nil, root)
	for _, page := range docs.Names() {
		all = append(all, candidate{page, "a page of the manual"})
	}
	for _, e := range sqlerr.Entries() {
		all = append(all, candidate{e.Code.String(), e.Message})
	}
	return all
}

// firstSentence is a help text up to its first full stop, for one line.
func firstSentence(help string) string {
	sentence, _, _ := strings.Cut(strings.ReplaceAll(help, "\n", " "), ". ")
	return strings.TrimSuffix(sentence, ".")
}
