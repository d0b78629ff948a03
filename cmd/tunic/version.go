package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

// version is set by the build: -ldflags '-X main.version=v1.2.3'.
var version = "dev"

// versionCmd says which build this is.
type versionCmd struct{}

// Run prints one line.
func (versionCmd) Run(command *kong.Context) error {
	_, err := fmt.Fprintf(command.Stdout, "tunic %s (commit %s) %s %s/%s\n",
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
