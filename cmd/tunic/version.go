package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"tunic/internal/sqlerr"
)

// version is set by the build: -ldflags '-X main.version=v1.2.3'.
var version = "dev"

// versionCmd says which build this is.
type versionCmd struct {
	JSON bool `name:"json" help:"Print it as JSON, for programs."`
}

// Run prints one line.
func (c *versionCmd) Run(command *kong.Context) error {
	if !c.JSON {
		return printVersion(command.Stdout)
	}
	return json.NewEncoder(command.Stdout).Encode(build{version, commit(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
}

// build is what `tunic version --json` prints.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// versionFlag is --version, which stands alone.
type versionFlag bool

// BeforeReset prints the line and ends the process, as --help does, before
// anything is asked of the rest of the command line.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	err := printVersion(app.Stdout)
	app.Exit(sqlerr.ExitStatus(err))
	return err
}

func printVersion(out io.Writer) error {
	_, err := fmt.Fprintf(out, "tunic %s (commit %s) %s %s/%s\n",
		version, commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// commitLength is how much of a commit's name tells it from others.
const commitLength = 12

// commit is what the binary was built from, as the Go tool stamped it: the
// name of the commit, with + when files were changed since; unknown when it
// was built outside of a checkout.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return commitOf(info.Settings)
}

func commitOf(settings []debug.BuildSetting) string {
	name, changed := "unknown", ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			name = s.Value[:min(commitLength, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	return name + changed
}
