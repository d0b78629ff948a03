package meter

import (
	"context"
	"debug/buildinfo"
	"os/exec"
	"regexp"
	"runtime/debug"
)

// versionWord finds the version in "program 1.2.3 …" and "program version 1.2.3 …".
var versionWord = regexp.MustCompile(`^\S+ (?:version )?(\S+)`)

// VersionOf returns the version that a program prints of itself in its first line,
// "" if it prints none.
func VersionOf(ctx context.Context, program string, args ...string) string {
	if _, err := exec.LookPath(program); err != nil {
		program = "/usr/sbin/" + program // which an ordinary user's PATH leaves out
	}
	out, _ := exec.CommandContext(ctx, program, args...).Output()
	return versionIn(string(out))
}

func versionIn(output string) string {
	if m := versionWord.FindStringSubmatch(output); m != nil {
		return m[1]
	}
	return ""
}

// ChangesMark follows the name of a commit that the working tree differed from.
const ChangesMark = "+changes"

// CommitOf reads from a Go program the commit it was built from, with changesMark
// if the working tree differed, "" if it does not say.
func CommitOf(binary string) string {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return ""
	}
	commit := buildSetting(info, "vcs.revision")
	if commit != "" && buildSetting(info, "vcs.modified") == "true" {
		commit += ChangesMark
	}
	return commit
}

// GoVersionOf is the version of Go that built a program, "" if it does not say.
func GoVersionOf(binary string) string {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return ""
	}
	return info.GoVersion
}

func buildSetting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
