package config

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var rewrite = flag.Bool("rewrite", false, "write the generated document instead of comparing it")

// TestDocument keeps docs/config.md what the table says.
func TestDocument(t *testing.T) {
	const path = "../../docs/config.md"
	want := document()
	if *rewrite {
		must(t, os.WriteFile(path, []byte(want), 0o644))
		return
	}
	got, err := os.ReadFile(path)
	must(t, err)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not what the table makes; run go test ./internal/config -rewrite\n%s", path, diff)
	}
}

const documentHead = `<!-- Generated from the table in internal/config/settings.go by go test ./internal/config -rewrite. Do not edit. -->

# Settings

Every setting of ` + "`tunic serve`" + ` can be given in three places. A flag overrides the environment variable, which overrides
the TOML file that ` + "`--config FILE`" + ` or ` + "`TUNIC_CONFIG`" + ` names, which overrides the default. An unknown flag, key or ` + "`TUNIC_*`" + ` variable
is an error, and so is a value out of range: tunic does not start. An environment variable set to nothing counts as not
set, except for ` + "`TUNIC_SERVICE_PASSWORD`" + `, which then says that the account has no password. (Variables that Kubernetes and Docker make for a service called tunic, such as ` + "`TUNIC_PORT_3307_TCP`" + `, are ignored, and so are those that
start with ` + "`TUNIC_TEST_`" + `.)

| form | examples |
|---|---|
| HOST:PORT | ` + "`127.0.0.1:3307`, `[::1]:3307`, `db.example:3306`" + ` |
| unix:PATH | ` + "`unix:/run/mysqld/mysqld.sock`" + `, at most 107 bytes of path |
| NETWORK | ` + "`10.1.0.0/16`, `fd00::/8`, `10.1.2.3`" + `; with commas between several |
| PATH | ` + "`/etc/tunic/key.pem`, `key.pem`" + ` |
| DURATION | ` + "`30` and `30s` are 30 seconds; `1.5`, `250ms`, `1m30s`, `8h`" + ` |
| BYTES | ` + "`67108864`, `64M`, `64MiB`" + `; K, M and G are powers of 1024 |

Settings and lists of which this page says so are read again at SIGHUP: see [what SIGHUP reads again](operating.md#what-sighup-reads-again).

A relative path in the configuration file, that of a ` + "`unix:PATH`" + ` included, starts at the file's own folder: ` + "`key.pem`" + ` in
` + "`/etc/tunic/tunic.toml`" + ` is ` + "`/etc/tunic/key.pem`" + `, wherever tunic is started. In flags and variables it starts at the working
folder, as everywhere on a command line.

A file with the settings most starts need:

` + "```toml" + `
key = "/etc/tunic/key"
listen = "127.0.0.1:3307"

[backend]
address = "db.example:3306"
tls = "verify-full"

[service]
user = "tunic_service"
password_file = "/etc/tunic/password"

[policy]
default = "protect"

[limits]
drain = "30s"
` + "```" + `
`

// document is docs/config.md.
func document() string {
	var b strings.Builder
	b.WriteString(documentHead)
	group := ""
	for _, s := range Settings() {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		b.WriteString(documentSetting(s))
	}
	b.WriteString("\nRules, annotators and accounts are lists in the file: see [policy](policy.md).\n")
	return b.String()
}

func documentSetting(s Setting) string {
	var b strings.Builder
	title := "--" + s.Flag
	if s.Flag == "" {
		title = s.Env
	}
	fmt.Fprintf(&b, "\n### `%s`\n\n%s", title, s.Help)
	if s.More != "" {
		b.WriteString(" " + s.More)
	}
	if s.Reload {
		b.WriteString(" SIGHUP reads it again.")
	}
	b.WriteString("\n\n| flag | environment | key in the file | value | default |\n|---|---|---|---|---|\n")
	fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n",
		code(flagText(s)), s.Env, code(s.Key), code(strings.ReplaceAll(s.Value, "|", `\|`)), defaultText(s))
	return b.String()
}

func flagText(s Setting) string {
	if s.Flag == "" {
		return ""
	}
	return "--" + s.Flag
}

func defaultText(s Setting) string {
	if s.Required {
		return "none; required"
	}
	return code(s.Default)
}

// code is text as code, or a dash for none.
func code(text string) string {
	if text == "" {
		return "–"
	}
	return "`" + text + "`"
}

// TestTable holds every line of the table to the house's form.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Settings() {
		for _, name := range []string{s.Env, "--" + s.Flag, s.Key} {
			if name != "--" && name != "" && seen[name] {
				t.Errorf("%s names two settings", name)
			}
			seen[name] = true
		}
		if !strings.HasSuffix(s.Help, ".") || strings.Contains(s.Help, "\n") {
			t.Errorf("%s: the help is not a sentence: %q", s.Env, s.Help)
		}
		if s.Group == "" || s.Value == "" {
			t.Errorf("%s: no group or form", s.Env)
		}
		if s.Required && s.Default != "" {
			t.Errorf("%s: required, with a default", s.Env)
		}
		if serviceLink.MatchString(s.Env) {
			t.Errorf("%s would be taken for a service link of Kubernetes", s.Env)
		}
	}
}

// TestLimitsDocumented: whoever operates tunic finds each limit where the others are told of.
func TestLimitsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Settings() {
		if s.Group == groupLimits && !strings.Contains(string(page), "`--"+s.Flag+"`") {
			t.Errorf("docs/operating.md says nothing of --%s", s.Flag)
		}
	}
}

// TestReloadDocumented: the table of docs/operating.md names each setting and each list that SIGHUP reads again, and no
// other setting. A group in brackets stands for all of its settings but those that the row leaves out.
func TestReloadDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/operating.md")
	must(t, err)
	_, below, found := strings.Cut(string(page), "\n| what | holds for open sessions |\n|---|---|\n")
	rows, _, ends := strings.Cut(below, "\n\n")
	if !found || !ends {
		t.Fatal("docs/operating.md has no table of what SIGHUP reads again")
	}
	told := map[string]bool{}
	for row := range strings.SplitSeq(rows, "\n") {
		what, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		read, left, _ := strings.Cut(what, " without ")
		for i, part := range []string{read, left} {
			for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(part, -1) {
				tell(told, name[1], i == 0)
			}
		}
	}
	for _, key := range []string{rulesKey, accountsKey, annotatorsKey} {
		if !told["[["+key+"]]"] {
			t.Errorf("docs/operating.md does not say that SIGHUP reads %s again", key)
		}
	}
	for _, s := range Settings() {
		if told[s.Key] != s.Reload {
			t.Errorf("%s: SIGHUP reads it again: %t, docs/operating.md: %t", s.Key, s.Reload, told[s.Key])
		}
	}
}

// tell notes that a row names a setting, a list, or a group with all of its settings, or that it leaves a setting out.
func tell(told map[string]bool, name string, read bool) {
	told[name] = read
	for _, s := range Settings() {
		if "["+strings.Split(s.Key, ".")[0]+"]" == name {
			told[s.Key] = read
		}
	}
}
