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
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"tunic/internal/sqlerr"
)

// commandLine is what can be written after `tunic`.
type commandLine struct {
	Serve   serveCmd   `cmd:"" help:"Stand before a database server and relay its clients."`
	Keygen  keygenCmd  `cmd:"" help:"Make a key file."`
	Init    initCmd    `cmd:"" help:"Make the ledger of protected tables in a database."`
	Explain explainCmd `cmd:"" help:"Show what tunic would do with a statement."`
	Verify  verifyCmd  `cmd:"" help:"Look at all that is stored, and say what is not as tunic has written it."`
	Rotate  rotateCmd  `cmd:"" help:"Bring what is stored under a new master key, or have another key file wrap the master keys."`
	Assess  assessCmd  `cmd:"" help:"Say what would happen if the tables of a schema were encrypted."`
	Encrypt encryptCmd `cmd:"" help:"Protect a table that is there, while clients read and write it."`
	Decrypt decryptCmd `cmd:"" help:"Make a protected table a plain one, while clients use it."`
	Demo    demoCmd    `cmd:"" help:"Show tunic at work on a private database server."`
	Bench   benchCmd   `cmd:"" help:"Measure tunic beside other ways to the server."`
	Version versionCmd `cmd:"" help:"Print version, commit, Go release and platform."`

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
	cli := commandLine{Serve: serveCmd{Settings: settingFlags(everySetting)}, Init: initCmd{Settings: settingFlags(ofDatabase)}, Verify: verifyCmd{Settings: settingFlags(ofDatabase)}, Rotate: rotateCmd{Settings: settingFlags(ofDatabase)}, Assess: assessCmd{Settings: settingFlags(ofDatabaseAndPolicy)}, Encrypt: encryptCmd{Settings: settingFlags(ofDatabaseAndPolicy)}, Decrypt: decryptCmd{Settings: settingFlags(ofDatabaseAndPolicy)}}
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
	command, err := parser.Parse(joinNegative(args))
	if err != nil {
		return &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: usageProblem(err)}
	}
	return command.Run()
}

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
