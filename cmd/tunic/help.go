package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"tunic/docs"
	"tunic/internal/config"
	"tunic/internal/sqlerr"
)

// helpCmd is the manual: how commands are used, what codes mean, and the pages of docs.
type helpCmd struct {
	Topic []string `arg:"" optional:"" help:"A code such as TUNIC-2001, a command, or a page of the manual."`
}

// Help is shown by `tunic help --help`.
func (c *helpCmd) Help() string {
	return `A topic is a code, a command, or a page:

    tunic help               the commands
    tunic help serve         how a command is used: the same as tunic serve --help
    tunic help TUNIC-2001    what an error means and what to do; 2001 will do
    tunic help config        a page of the manual, in Markdown

The pages are ` + strings.Join(docs.Names(), ", ") + `. A page with the name of a command is named with its ending, as explain.md.`
}

// codePattern is a code of an error, as people write it.
var codePattern = regexp.MustCompile(`^(?i:tunic-?)?([0-9]{4})$`)

// Run prints what was asked for.
func (c *helpCmd) Run(command *kong.Context) error {
	if len(c.Topic) == 1 {
		if m := codePattern.FindStringSubmatch(c.Topic[0]); m != nil {
			return explainCode(command.Stdout, m[1])
		}
	}
	if trace, err := kong.Trace(command.Kong, c.Topic); err == nil && trace.Error == nil && (len(c.Topic) == 0 || isCommand(trace)) {
		return trace.PrintUsage(false)
	}
	if len(c.Topic) == 1 {
		if page, ok := docs.Page(c.Topic[0]); ok {
			_, err := io.WriteString(command.Stdout, page)
			return err
		}
	}
	return unknownTopic(command.Model.Node, strings.Join(c.Topic, " "))
}

// printUsage prints how a command is used, and where the manual says more of it.
func printUsage(options kong.HelpOptions, command *kong.Context) error {
	if err := kong.DefaultHelpPrinter(options, command); err != nil {
		return err
	}
	node := command.Selected()
	if node == nil {
		return nil
	}
	if _, ok := docs.Page(node.Name); !ok || node.Parent != command.Model.Node {
		return nil
	}
	_, err := fmt.Fprintf(command.Stdout, "\nThe manual has more: tunic help %s.md\n", node.Name)
	return err
}

// isCommand reports whether words are the name of a command, and nothing else.
func isCommand(trace *kong.Context) bool {
	for _, p := range trace.Path[1:] {
		if p.Command == nil {
			return false
		}
	}
	return trace.Selected() != nil
}

// explainCode prints what docs/errors.md has of a code.
func explainCode(out io.Writer, digits string) error {
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return sqlerr.StartInternal(err)
	}
	code := sqlerr.Code(n)
	e, ok := sqlerr.Lookup(code)
	if !ok {
		var near []string
		for _, c := range sqlerr.Near(code) {
			near = append(near, c.String())
		}
		return &sqlerr.StartError{
			Code: sqlerr.CodeUsage, Problem: "there is no error " + code.String(),
			Fix: "the codes next to it are " + strings.Join(near, ", ") + "; tunic help errors lists all",
		}
	}
	_, err = fmt.Fprintf(out, "%s\n\n%s\n", code, wrapped(e.Explanation(), helpWidthMax))
	return err
}

func unknownTopic(root *kong.Node, topic string) error {
	known := docs.Names()
	for _, c := range root.Children {
		known = append(known, c.Name)
	}
	fix := "tunic --help lists the commands, and tunic help --help the pages"
	if near := config.Nearest(topic, known); near != "" {
		fix = "did you mean tunic help " + near + "?"
	}
	return &sqlerr.StartError{
		Code: sqlerr.CodeUsage, Problem: fmt.Sprintf("there is no help on %q: no command, page or code has the name", topic), Fix: fix,
	}
}

// wrapped breaks the lines of a text at spaces so that none is longer than width, where that
// can be; in runes.
func wrapped(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		at := 0
		for i, word := range strings.Fields(line) {
			switch n := len([]rune(word)); {
			case i == 0:
				at = n
			case at+1+n > width:
				b.WriteByte('\n')
				at = n
			default:
				b.WriteByte(' ')
				at += 1 + n
			}
			b.WriteString(word)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}
