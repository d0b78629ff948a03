// Command tunic is an encrypting proxy for MySQL, MariaDB and TiDB.
//
// Each sub-command is a struct in a file of its own with a Run method; kong
// fills in its flags. Here is only what they have in common: one line on
// standard error for what went wrong, and the exit status of its class
// (docs/errors.md, and tunic help).
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"tunic/internal/sqlerr"
)

// commandLine is what can be written after `tunic`.
type commandLine struct {
	Serve   serveCmd   `cmd:"" help:"Serve clients in front of a database server."`
	Status  statusCmd  `cmd:"" help:"Show what a running tunic is doing."`
	Keygen  keygenCmd  `cmd:"" help:"Make a key file."`
	Init    initCmd    `cmd:"" help:"Make the ledger of protected tables in a database."`
	Explain explainCmd `cmd:"" help:"Show what the server and what tunic would do of a statement."`
	Verify  verifyCmd  `cmd:"" help:"Check everything that is stored."`
	Report  reportCmd  `cmd:"" help:"Print what is stored of every table, who asked for it, and what the server learns."`
	Rotate  rotateCmd  `cmd:"" help:"Replace the master key, or the key file."`
	Assess  assessCmd  `cmd:"" help:"Print what would happen if the tables of a schema were encrypted."`
	Encrypt encryptCmd `cmd:"" help:"Protect an existing table, while clients use it."`
	Decrypt decryptCmd `cmd:"" help:"Make a protected table plain again, while clients use it."`
	Health  healthCmd  `cmd:"" help:"Ask a running tunic whether it would serve a client now, as a probe."`
	Demo    demoCmd    `cmd:"" help:"Show tunic at work on a private database server."`
	Bench   benchCmd   `cmd:"" help:"Measure tunic beside other ways to reach the server."`
	Version versionCmd `cmd:"" help:"Print version, commit, Go release and platform."`
	Help    helpCmd    `cmd:"" help:"Say what an error means and how a command is used, or show a page of the manual."`

	Completion completionCmd `cmd:"" help:"Print a script with which a shell completes commands and flags."`
	Complete   completeCmd   `cmd:"" hidden:"" help:"Say what may come next on a command line, for the scripts of tunic completion."`

	ShowVersion versionFlag `name:"version" help:"Print what 'tunic version' prints."`
}

const description = `An encrypting proxy for MySQL, MariaDB and TiDB: the application connects to tunic as it would to its database.

The server holds only ciphertext; queries give the answers a plain server would give, or are refused with a code.`

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
	cli := commandLine{Serve: serveCmd{Settings: settingFlags(everySetting)}, Init: initCmd{Settings: settingFlags(ofDatabase)}, Verify: verifyCmd{Settings: settingFlags(ofDatabase)}, Report: reportCmd{Settings: settingFlags(ofReport)}, Rotate: rotateCmd{Settings: settingFlags(ofDatabaseAndPolicy)}, Assess: assessCmd{Settings: settingFlags(ofDatabaseAndPolicy)}, Encrypt: encryptCmd{Settings: settingFlags(ofDatabaseAndPolicy)}, Decrypt: decryptCmd{Settings: settingFlags(ofDatabaseAndPolicy)}}
	parser, err := kong.New(
		&cli,
		kong.Name("tunic"),
		kong.Description(description),
		kong.Help(printUsage),
		kong.ConfigureHelp(kong.HelpOptions{
			Compact: true, NoExpandSubcommands: true, WrapUpperBound: helpWidthMax,
			ValueFormatter: kong.DefaultHelpValueFormatter,
		}),
		kong.Writers(stdout, stderr),
	)
	if err != nil {
		return sqlerr.StartInternal(err)
	}
	command, err := parser.Parse(joinNegative(args))
	if err != nil {
		return usageError(args, err)
	}
	return withHelp(command, command.Run())
}
