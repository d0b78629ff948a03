package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"tunic/internal/audit"
	"tunic/internal/migrate"
)

// printPlan prints what would be done, and what hinders it.
func (w *encrypting) printPlan(p *migrate.Plan) error {
	if w.JSON {
		return printJSON(w.command.Stdout, planOf(p))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s.%s  about %s, %d MiB\n", p.Schema, p.Table, plural(p.Rows, "row"), p.Bytes>>20)
	columnLines(&b, p.Columns, p.Plain)
	if len(p.Keys) > 0 {
		fmt.Fprintf(&b, "    keys over layers: %s\n", strings.Join(p.Keys, ", "))
	}
	findingLines(&b, p.Findings, "")
	switch {
	case p.At == migrate.Finished:
		b.WriteString("it is protected\n")
	case p.At != migrate.Adopt:
		fmt.Fprintf(&b, "it was begun: tunic encrypt would continue with %s\n", p.At)
	case !p.Hindered():
		b.WriteString("nothing stands in the way\n")
	}
	_, err := io.WriteString(w.command.Stdout, b.String())
	return err
}

// findingLines print findings, each with its SQL.
func findingLines(b *strings.Builder, findings []migrate.Finding, indent string) {
	for i := range findings {
		f := &findings[i]
		word := "note"
		if f.Hinders {
			word = "HINDERS"
		}
		fmt.Fprintf(b, "%s%s  %s: %s; %s\n", indent, word, f.Check, f.What, f.Fix)
		first := "first"
		if f.Through {
			first = "first, through tunic"
		}
		for _, s := range f.Remove {
			fmt.Fprintf(b, "%s    %s  %s;\n", indent, first, s)
		}
		for _, s := range f.Restore {
			fmt.Fprintf(b, "%s    later  %s;\n", indent, s)
		}
	}
}

func columnLines(b *strings.Builder, columns, plain []migrate.Column) {
	for _, c := range columns {
		layers := "sealed"
		if len(c.Layers) > 0 {
			layers += ", " + strings.Join(c.Layers, ", ")
		}
		if c.Family != "" {
			layers += ", in " + c.Family
		}
		fmt.Fprintf(b, "    %s  %s  %s\n", c.Name, c.Type, layers)
	}
	for _, c := range plain {
		fmt.Fprintf(b, "    %s  %s  stays plain\n", c.Name, c.Type)
	}
}

// print prints what was done.
func (w *encrypting) print(r *migrate.Report, p *migrate.Plan) error {
	if w.JSON {
		return printJSON(w.command.Stdout, reportOf(r))
	}
	var b strings.Builder
	if r.From == migrate.Finished {
		fmt.Fprintf(&b, "%s.%s is protected, and nothing is left to be done\n", r.Schema, r.Table)
		checkLine(&b, r)
		_, err := io.WriteString(w.command.Stdout, b.String())
		return err
	}
	total := time.Duration(0)
	for _, t := range r.Took {
		total += t.Time
		fmt.Fprintf(&b, "%-8s  %s\n", t.Step, t.Time.Round(time.Millisecond))
	}
	fmt.Fprintf(&b, "%s.%s is protected: about %s, %s\n", r.Schema, r.Table, plural(p.Rows, "row"), total.Round(time.Millisecond))
	columnLines(&b, r.Columns, r.Plain)
	checkLine(&b, r)
	b.WriteString(remainsText)
	_, err := io.WriteString(w.command.Stdout, b.String())
	return err
}

// checkLine tells of a CHECK that is missing.
func checkLine(b *strings.Builder, r *migrate.Report) {
	if r.Unchecked {
		fmt.Fprintf(b, "\n%s\n", audit.UncheckedSays+": "+audit.UncheckedFix(r.Schema, r.Table))
	}
}

// remainsText says what of the values is left elsewhere.
const remainsText = `
The table's file has no plain value of these columns any more. Old values are still in

- binary logs from before, here and on replicas: FLUSH BINARY LOGS, and PURGE BINARY LOGS
  BEFORE NOW() when all replicas have read them; slow and general query logs, if they are on;
- InnoDB's undo and redo logs, which are overwritten with time, or sooner after a clean
  shutdown (SET GLOBAL innodb_fast_shutdown = 0) and a restart;
- blocks of the disk that the old file used, unless the disk is encrypted or free space is
  overwritten;
- backups, dumps and snapshots from before;
- replicas that lag behind, or do not replicate definitions;
- whatever applications, caches and exports have kept.

tunic help encrypting goes through them one by one.
`

// encryptionPlan is a plan as JSON.
type encryptionPlan struct {
	Schema   string              `json:"schema"`
	Table    string              `json:"table"`
	Step     string              `json:"next_step"`
	Rows     int64               `json:"rows_estimated"`
	Bytes    int64               `json:"bytes_estimated"`
	Columns  []encryptionColumn  `json:"columns"`
	Plain    []plainColumn       `json:"plain_columns"`
	Keys     []string            `json:"keys_over_layers"`
	Findings []encryptionFinding `json:"findings"`
}

type encryptionColumn struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Layers []string `json:"layers"`
	Family string   `json:"family,omitempty"`
}

type plainColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

type encryptionFinding struct {
	Name    string   `json:"name"`
	Check   string   `json:"check"`
	Hinders bool     `json:"hinders"`
	What    string   `json:"what"`
	Fix     string   `json:"fix"`
	Remove  []string `json:"sql_first"`
	Through []string `json:"sql_first_through_tunic,omitempty"`
	Restore []string `json:"sql_later"`
}

func planOf(p *migrate.Plan) encryptionPlan {
	v := encryptionPlan{
		Schema: p.Schema, Table: p.Table, Step: string(p.At), Rows: p.Rows, Bytes: p.Bytes,
		Columns: jsonColumns(p.Columns), Plain: plainColumns(p.Plain), Keys: append([]string{}, p.Keys...), Findings: jsonFindings(p.Findings),
	}
	return v
}

func jsonFindings(findings []migrate.Finding) []encryptionFinding {
	all := []encryptionFinding{}
	for _, f := range findings {
		one := encryptionFinding{f.Name, f.Check, f.Hinders, f.What, f.Fix, []string{}, nil, append([]string{}, f.Restore...)}
		if f.Through {
			one.Through = f.Remove
		} else {
			one.Remove = append(one.Remove, f.Remove...)
		}
		all = append(all, one)
	}
	return all
}

func jsonColumns(columns []migrate.Column) []encryptionColumn {
	all := []encryptionColumn{}
	for _, c := range columns {
		all = append(all, encryptionColumn{c.Name, c.Type, append([]string{}, c.Layers...), c.Family})
	}
	return all
}

func plainColumns(columns []migrate.Column) []plainColumn {
	all := []plainColumn{}
	for _, c := range columns {
		all = append(all, plainColumn{c.Name, c.Type})
	}
	return all
}

// encrypted is a report as JSON.
type encrypted struct {
	Schema  string             `json:"schema"`
	Table   string             `json:"table"`
	From    string             `json:"from_step"`
	At      string             `json:"at_step"`
	Columns []encryptionColumn `json:"columns"`
	Plain   []plainColumn      `json:"plain_columns"`
	Steps   []encryptedStep    `json:"steps"`

	Unchecked bool `json:"without_check,omitempty"`
}

type encryptedStep struct {
	Step    string  `json:"step"`
	Seconds float64 `json:"seconds"`
}

func reportOf(r *migrate.Report) encrypted {
	v := encrypted{Schema: r.Schema, Table: r.Table, From: string(r.From), At: string(r.At), Columns: jsonColumns(r.Columns), Plain: plainColumns(r.Plain), Steps: []encryptedStep{}, Unchecked: r.Unchecked}
	for _, t := range r.Took {
		v.Steps = append(v.Steps, encryptedStep{string(t.Step), t.Time.Seconds()})
	}
	return v
}
