package main

import (
	"fmt"
	"strings"
	"time"

	"tunic/internal/assess"
	"tunic/internal/plan/explanation"
)

// text is what was found, in words; most bounds the statements.
func (f *assessed) text(most int) string {
	var b strings.Builder
	states := map[assess.State]int64{}
	for i := range f.Tables {
		states[f.Tables[i].State]++
	}
	fmt.Fprintf(&b, "%s  %s:", f.Schema, plural(int64(len(f.Tables)), "table"))
	for _, s := range []assess.State{assess.Ready, assess.Hindered, assess.Begun, assess.Protected, assess.Plain, assess.Unseen} {
		if states[s] > 0 {
			fmt.Fprintf(&b, " %d %s", states[s], s)
		}
	}
	b.WriteString("\n")
	for i := range f.Tables {
		f.table(&b, &f.Tables[i])
	}
	f.statementLines(&b, most)
	return b.String()
}

// table prints what was found of a table.
func (f *assessed) table(b *strings.Builder, t *assess.Table) {
	fmt.Fprintf(b, "\n%s.%s  %s\n", f.Schema, t.Name, t.State)
	if t.Problem != "" {
		fmt.Fprintf(b, "    %s\n", t.Problem)
	}
	p := t.Plan
	if p == nil || t.State == assess.Plain {
		return
	}
	columnLines(b, p.Columns, p.Plain)
	if len(p.Keys) > 0 {
		fmt.Fprintf(b, "    keys over layers: %s\n", strings.Join(p.Keys, ", "))
	}
	if t.State == assess.Ready || t.State == assess.Hindered {
		sizeLines(b, t)
	}
	findingLines(b, p.Findings, "    ")
}

// sizeLines print how much room a table takes, and how long it takes to encrypt it.
func sizeLines(b *strings.Builder, t *assess.Table) {
	p := t.Plan
	if p.Would == nil {
		fmt.Fprintf(b, "    about %s, %s\n", plural(p.Rows, "row"), sized(p.Bytes))
		return
	}
	fmt.Fprintf(b, "    about %s, %s now, %s after, up to %s in between\n", plural(p.Rows, "row"), sized(p.Room.Now), sized(p.Room.After), sized(p.Room.Peak))
	if t.Rows > 0 {
		fmt.Fprintf(b, "    about %s: %s a row, measured with %s of no meaning\n", rounded(t.Took), t.PerRow.Round(time.Microsecond), plural(int64(t.Rows), "row"))
	}
}

// sized is a number of bytes.
func sized(n int64) string {
	const kib, mib, gib = 1 << 10, 1 << 20, 1 << 30
	switch {
	case n < mib:
		return fmt.Sprintf("%d KiB", (n+kib-1)/kib)
	case n < 10*gib:
		return grouped(n/mib) + " MiB"
	}
	return grouped(n/gib) + " GiB"
}

// rounded is a time in two figures or so.
func rounded(d time.Duration) time.Duration {
	switch {
	case d < time.Second:
		return time.Second
	case d < time.Minute:
		return d.Round(time.Second)
	case d < time.Hour:
		return d.Round(10 * time.Second)
	}
	return d.Round(10 * time.Minute)
}

// statementLines print what becomes of statements.
func (f *assessed) statementLines(b *strings.Builder, most int) {
	if f.of == "" {
		return
	}
	fmt.Fprintf(b, "\n%s of %s: %s pass, %s finished by tunic, %s refused, %s not known\n", plural(f.read.Statements-f.own, "statement"), f.of,
		grouped(f.counts[assess.Passes]), grouped(f.counts[assess.Local]), grouped(f.counts[assess.Refused]), grouped(f.counts[assess.Unknown]))
	if left := f.read.Skipped + f.dropped; left > 0 {
		fmt.Fprintf(b, "%s left out: too long, cut off, or beyond the 50,000 that are kept\n", plural(left, "statement"))
	}
	if f.own > 0 {
		fmt.Fprintf(b, "%s left out: a tunic has sent them itself\n", plural(f.own, "statement"))
	}
	for i := range f.statements {
		if i == most {
			fmt.Fprintf(b, "\nand %s more: --most\n", plural(int64(len(f.statements)-most), "form"))
			return
		}
		statementLine(b, &f.statements[i])
	}
}

func statementLine(b *strings.Builder, s *assess.Statement) {
	word := map[assess.Verdict]string{assess.Refused: "REFUSED", assess.Local: "LOCAL", assess.Unknown: "UNKNOWN"}[s.Verdict]
	fmt.Fprintf(b, "\n%s  %s%s\n    %s\n", word, plural(s.Count, "time"), inSchema(s.Schema), s.Text)
	if s.Reason != "" {
		fmt.Fprintf(b, "    %s\n", s.Reason)
	}
	for _, l := range s.Lines {
		fmt.Fprintf(b, "    %-9s %s\n", l.About, l.Text)
	}
}

func inSchema(schema string) string {
	if schema == "" {
		return ""
	}
	return ", in " + schema
}

// assessment is what was found, as JSON.
type assessment struct {
	Schema     string              `json:"schema"`
	Decides    bool                `json:"needs_decision"`
	Tables     []assessedTable     `json:"tables"`
	Workload   *assessedWorkload   `json:"workload,omitempty"`
	Statements []assessedStatement `json:"statements"`
}

type assessedTable struct {
	Table    string              `json:"table"`
	State    string              `json:"state"`
	Problem  string              `json:"problem,omitempty"`
	Rows     int64               `json:"rows_estimated"`
	Now      int64               `json:"bytes_now"`
	After    int64               `json:"bytes_after"`
	Peak     int64               `json:"bytes_peak"`
	Seconds  float64             `json:"seconds"`
	PerRow   float64             `json:"seconds_a_row"`
	Measured int                 `json:"rows_measured"`
	Columns  []encryptionColumn  `json:"columns"`
	Plain    []plainColumn       `json:"plain_columns"`
	Keys     []string            `json:"keys_over_layers"`
	Findings []encryptionFinding `json:"findings"`
	First    []string            `json:"sql_first"`
	Through  []string            `json:"sql_first_through_tunic,omitempty"`
	Later    []string            `json:"sql_later"`
}

type assessedWorkload struct {
	Of      string `json:"of"`
	Read    int64  `json:"statements"`
	LeftOut int64  `json:"left_out"`
	Own     int64  `json:"of_tunic"`
	Passes  int64  `json:"pass"`
	Local   int64  `json:"local"`
	Refused int64  `json:"refused"`
	Unknown int64  `json:"unknown"`
}

type assessedStatement struct {
	Verdict string   `json:"verdict"`
	Count   int64    `json:"count"`
	Schema  string   `json:"schema"`
	Text    string   `json:"text"`
	Code    int      `json:"code,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Lines   []string `json:"explained"`
}

func jsonOf(f *assessed) assessment {
	v := assessment{Schema: f.Schema, Decides: f.decision() != nil, Tables: []assessedTable{}, Statements: []assessedStatement{}}
	for i := range f.Tables {
		v.Tables = append(v.Tables, jsonTable(&f.Tables[i]))
	}
	if f.of != "" {
		v.Workload = &assessedWorkload{
			f.of, f.read.Statements - f.own, f.read.Skipped + f.dropped, f.own,
			f.counts[assess.Passes], f.counts[assess.Local], f.counts[assess.Refused], f.counts[assess.Unknown],
		}
	}
	for _, s := range f.statements {
		v.Statements = append(v.Statements, assessedStatement{string(s.Verdict), s.Count, s.Schema, s.Text, int(s.Code), s.Reason, jsonLines(s.Lines)})
	}
	return v
}

func jsonLines(lines []explanation.Line) []string {
	all := []string{}
	for _, l := range lines {
		all = append(all, l.About+": "+l.Text)
	}
	return all
}

func jsonTable(t *assess.Table) assessedTable {
	v := assessedTable{
		Table: t.Name, State: string(t.State), Problem: t.Problem, Seconds: t.Took.Seconds(), PerRow: t.PerRow.Seconds(), Measured: t.Rows,
		Columns: []encryptionColumn{}, Plain: []plainColumn{}, Keys: []string{}, Findings: []encryptionFinding{},
		First: append([]string{}, t.Remove(false)...), Through: t.Remove(true), Later: append([]string{}, t.Restore()...),
	}
	if p := t.Plan; p != nil {
		v.Rows, v.Now, v.After, v.Peak = p.Rows, p.Room.Now, p.Room.After, p.Room.Peak
		v.Columns, v.Plain, v.Keys = jsonColumns(p.Columns), plainColumns(p.Plain), append(v.Keys, p.Keys...)
		v.Findings = jsonFindings(p.Findings)
	}
	return v
}
