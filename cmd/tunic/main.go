// Command tunic is an encrypting proxy for MySQL, MariaDB and TiDB.
//
// Each sub-command is a struct in a file of its own with a Run method; kong
// fills in its flags. Here is only what they have in common: one line on
// standard error for what went wrong, and the exit status of its class
// (docs/errors.md).
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"tunic/internal/sqlerr"
)

// commandLine is what can be written after `tunic`.
type commandLine struct {
	Serve   serveCmd   `cmd:"" help:"Stand before a database server and relay its clients."`
	Demo    demoCmd    `cmd:"" help:"Show tunic at work on a private database server."`
	Bench   benchCmd   `cmd:"" help:"Measure tunic beside other ways to the server."`
	Version versionCmd `cmd:"" help:"Print version, commit, Go release and platform."`
}

const description = `An encrypting proxy for MySQL, MariaDB and TiDB: the application connects to tunic as it would to its database.

This version encrypts nothing yet. It relays, and understands, every byte of the protocol.`

// helpWidthMax keeps help readable on wide terminals.
const helpWidthMax = 100

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "tunic: "+err.Error())
		os.Exit(sqlerr.ExitStatus(err))
	}
}

// run parses the arguments and runs the sub-command they name. It does not
// return after --help.
func run(args []string, stdout, stderr io.Writer) error {
	cli := commandLine{Serve: serveCmd{Settings: settingFlags()}}
	parser, err := kong.New(
		&cli,
		kong.Name("tunic"),
		kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{
			Compact: true, NoExpandSubcommands: true, WrapUpperBound: helpWidthMax,
			ValueFormatter: kong.DefaultHelpValueFormatter,
		}),
		kong.Writers(stdout, stderr),
	)
	if err != nil {
		return sqlerr.StartInternal(err)
	}
	command, err := parser.Parse(args)
	if err != nil {
		return &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: usageProblem(err)}
	}
	return command.Run()
}

// usageProblem is what kong says, in the words of this manual.
func usageProblem(err error) string {
	if flag, _, ok := strings.Cut(err.Error(), `: expected string value but got "EOL"`); ok {
		return flag + " needs a value"
	}
	return err.Error()
}
