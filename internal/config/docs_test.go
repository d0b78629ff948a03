package config

import (
	"flag"
	"fmt"
	"os"
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
	b.WriteString(documentRules)
	return b.String()
}

const documentRules = `
## Rules

A list of tables in the file says what columns of some names are to be. It has no flag and no variable. SIGHUP reads it again.

` + "```toml" + `
[[policy.rules]]
columns = "shop.patient.ssn"
protection = "equality"

[[policy.rules]]
columns = "shop.*.*_note"
protection = "sealed"
` + "```" + `

The three parts of ` + "`columns`" + ` are schema, table and column; ` + "`*`" + ` stands for any characters and ` + "`?`" + ` for one. A part with a dot in it is
written in backquotes. The first rule that matches is the column's; an annotation in the column's COMMENT may ask for less
than the rule, never for more. ` + "`protection`" + ` is one of ` + "`plain`, `sealed`, `equality`, `order`, `order/GRAIN`" + `, as in an [annotation](#annotations). A rule counts
when a table is defined or changed, and changes nothing of tables that are there. A table that is there and plain, with a column that a
rule protects, is not used: statements over it are refused (TUNIC-2009), since somebody may have put it in the place of a protected one.
A statement is refused as well that names such a column of a plain table, though the table has none of that name; and one that may give it a
value by its place, as INSERT without a list of columns, if the rule has the whole name of the table and its schema, without ` + "`*`" + ` and ` + "`?`" + `.
` + "`waits = true`" + ` in the rule lets it be used as it is, until ` + "`tunic encrypt`" + ` has protected it; take it out then.
One that protects a column with AUTO_INCREMENT, by a pattern too, refuses the definition: a rule that says ` + "`plain`" + ` of that column has to stand before it.

## Accounts

Whoever may create accounts at the server, or set their passwords, could log in through tunic and read all that is protected. A list in
the file says which accounts reach protected tables, and the server has no say in it. It has no flag and no variable. SIGHUP reads it again.

` + "```toml" + `
[[clients.accounts]]
user = "shop_*"
host = "10.1.2.*"

[[clients.accounts]]
user = "report"
host = "*"
certificate = "report.example.org"
` + "```" + `

` + "`user`" + ` is the name that a client logs in with, ` + "`host`" + ` its address as tunic sees it, ` + "`localhost`" + ` over a Unix socket; ` + "`*`" + ` stands for any characters and ` + "`?`" + ` for one,
and letters count as they are. ` + "`certificate`" + ` is the common name of its certificate or one of its alternative names (DNS, e-mail, address, URI); it needs ` + "`--tls-client-ca`" + `.
A name alone keeps nobody out who can set that account's password at the server: the host does, and better the certificate.
Accounts that are not listed are refused at login (TUNIC-6005), or with ` + "`--clients-others plain`" + ` get plain tables only: statements over protected ones, definitions of tables that
are or would be protected, and procedures of tunic's are refused (TUNIC-6006). COM_CHANGE_USER is a login like any other.

## Annotations

Who defines a table says it in the COMMENT of a column, which any migration tool can carry: as the whole comment, or behind a
semicolon in it. Letters may be of either case.

` + "```sql" + `
CREATE TABLE patient (
  ssn   CHAR(11)    COMMENT 'tunic: equality',
  born  DATE        COMMENT 'as in the passport; tunic: order',
  notes TEXT        COMMENT 'tunic: sealed',
  city  VARCHAR(40) COMMENT 'tunic: plain');
` + "```" + `

| word | the column is | layers that it has from the start | and may get with a key |
|---|---|---|---|
| ` + "`plain`" + ` | stored as it is | | |
| ` + "`sealed`" + ` | protected | none | none: it can be in no key |
| ` + "`equality`" + ` | protected | equality | equality |
| ` + "`order`" + ` | protected | equality and order | equality and order |
| ` + "`order/GRAIN`" + ` | protected | order, by steps | the same |
| ` + "`equality, order/GRAIN`" + ` | protected | equality, and order by steps | the same |

A grain is the step by which the server may sort: it is told which step a value is in, and not where in it. Ranges read the steps at
their ends whole, and tunic finishes them; what sorts by the column is finished by tunic. A key over the column is over that layer, if
it need not be unique.

| grain | of | sorts by |
|---|---|---|
| ` + "`second`" + `, ` + "`minute`" + `, ` + "`hour`" + ` | ` + "`DATETIME`" + `, ` + "`TIMESTAMP`" + `, ` + "`TIME`" + ` | the time without what is smaller |
| ` + "`day`" + `, ` + "`month`" + `, ` + "`year`" + ` | ` + "`DATETIME`" + `, ` + "`TIMESTAMP`" + ` (days of UTC), ` + "`DATE`" + ` | the same |
| a whole number n from 2 | whole numbers, ` + "`DECIMAL`" + `, ` + "`FLOAT`" + `, ` + "`DOUBLE`" + `, ` + "`YEAR`" + ` | the value over n, rounded down |
| ` + "`prefix`" + ` n, n from 1 to 16 | strings | the first n characters, as the collation weighs them; where it weighs bytes, the first n bytes |

Who may annotate is for a list in the file to say, which SIGHUP reads again, by user, host and certificate as [accounts](#accounts) are; without one everybody may who may define
the table. An annotation of another account is refused (TUNIC-2063), and nothing is made. What is annotated already may be said again, as ` + "`MODIFY`" + ` has to,
and is copied by ` + "`CREATE TABLE … LIKE`" + ` and ` + "`SELECT`" + ` of a protected table.

` + "```toml" + `
[[policy.annotators]]
user = "migrations"
host = "10.1.2.*"
` + "```" + `

A rule for the column bounds what its annotation may say. Without a rule the annotation decides, whatever ` + "`policy.ceiling`" + ` is: that is
for columns that nobody speaks of. A rule for ` + "`*.*.*`" + ` bounds them all. A column with AUTO_INCREMENT stays plain, since the server makes
its values. A comment that speaks to tunic and cannot be read refuses the definition: [TUNIC-2031](errors.md#tunic-2031).

A tunic without a key file protects nothing, so it refuses definitions with annotations, and statements prepared from texts that may have one: TUNIC-2001.
It does not see what a program of the server puts together.
`

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
