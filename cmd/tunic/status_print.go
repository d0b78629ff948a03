package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"tunic/internal/status"
)

// widthPlain is how long lines are where nobody knows the terminal.
const widthPlain = 120

func isTerminalWriter(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && isTerminal(f)
}

// widthOf is how many characters fit in a line.
func widthOf(out io.Writer) int {
	if f, ok := out.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return widthPlain
}

// statusText is a status for people, in lines of about a width.
func statusText(s *status.Snapshot, width int) string {
	p := &statusPrinter{width: max(width, 60)}
	p.head(s)
	p.load(s)
	p.statements(s)
	p.refusals(s.Refusals)
	if s.Protection != nil {
		p.protection(s.Protection)
	}
	return p.b.String()
}

type statusPrinter struct {
	b     strings.Builder
	width int
}

func (p *statusPrinter) line(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

// narrow reports whether lines are broken. Where nobody knows the terminal a fact is one line.
func (p *statusPrinter) narrow() bool { return p.width < widthPlain }

// fact is a line, which goes on so many spaces from the left where it is too long.
func (p *statusPrinter) fact(indent int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !p.narrow() {
		p.line("%s", text)
		return
	}
	line := ""
	for _, word := range strings.SplitAfter(text, " ") {
		if longer := strings.TrimRight(line+word, " "); utf8.RuneCountInString(longer) > p.width && len(line) > indent {
			p.line("%s", strings.TrimRight(line, " "))
			line = strings.Repeat(" ", indent)
		}
		line += word
	}
	p.line("%s", line)
}

func (p *statusPrinter) head(s *status.Snapshot) {
	health := s.Health.State
	if s.Health.Reason != "" {
		health += ": " + onLine(s.Health.Reason)
	}
	p.fact(4, "tunic %s, up %s, %s", s.Version, spanText(s.Uptime), health)
	for _, w := range s.Warnings {
		p.fact(4, "%s: %s", strings.ToUpper(w.Level), onLine(w.Text))
		if w.Fix != "" {
			p.fact(4, "    %s", onLine(w.Fix))
		}
	}
}

func (p *statusPrinter) load(s *status.Snapshot) {
	st, l, w := s.Sessions.States, s.Load, s.Work
	p.line("")
	p.fact(13, "Connections  %d of %d: %d busy, %d in a transaction, %d idle, %d logging in", s.Sessions.Open, s.Sessions.Limit,
		st["busy"], st["transaction"], st["idle"], st["login"])
	p.fact(13, "Statements   %s a second, 50 %% within %s, 95 %% %s, 99 %% %s (last %.0f s)", rateText(l.Statements), secondsText(l.P50), secondsText(l.P95), secondsText(l.P99), l.Window)
	share := func(n uint64) string { return percentText(float64(n), float64(w.Statements)) }
	p.fact(13, "Work         %s statements: %s forwarded, %s by the server with values sealed, %s finished by tunic, %s answered by tunic, %s refused",
		grouped(int64(w.Statements)), share(w.Forwarded), share(w.Carried), share(w.Local), share(w.Answered), share(w.Refused))
}

func (p *statusPrinter) statements(s *status.Snapshot) {
	if len(s.Kinds) > 0 {
		p.table("\nKinds of statements", []string{"kind", "count", "a second", "50 %", "95 %", "99 %"}, func(row func(...any)) {
			for _, k := range s.Kinds {
				row(k.Kind, grouped(int64(k.Statements)), rateText(k.PerSecond), secondsText(k.P50), secondsText(k.P95), secondsText(k.P99))
			}
		})
	}
	if len(s.Templates) == 0 {
		return
	}
	p.tableUnder("\nTemplates that cost most, and where their time went", []string{"total", "count", "mean", "server", "open", "local", "send", "statement"}, func(row func(...any)) {
		for _, t := range s.Templates {
			part := func(phase string) string { return percentText(t.Phases[phase], 1) }
			row(secondsText(&t.Seconds), grouped(t.Statements), secondsText(&t.Mean), part("server"), part("open"), part("local"), part("send"), p.cut(t.Text, p.before(70)))
		}
	})
}

func (p *statusPrinter) refusals(all []status.Refusal) {
	if len(all) == 0 {
		return
	}
	p.line("\nRefusals")
	for _, r := range all {
		p.line("%10s  %s  %s", grouped(int64(r.Count)), r.Code, p.cut(r.Text, 24))
		if r.Template != "" {
			p.line("            last: %s", p.cut(r.Template, 20))
		}
	}
}

func (p *statusPrinter) protection(of *status.Protection) {
	l, k := of.Ledger, of.Keys
	state := "in use"
	switch {
	case !l.Usable:
		state = l.Reason
	case l.Barred:
		state = "can be read, not written"
	case !l.Leased:
		state = "late"
	}
	p.line("")
	p.fact(13, "Ledger       %s, version %d, read by %s, project %s", state, l.Version, plural(l.Members, "tunic"), l.Project)
	p.fact(13, "Keys         epoch %d, %s held, the busiest key has sealed %s of %s values", k.Epoch, plural(int64(len(k.Versions)), "master key"), grouped(k.Seals), grouped(k.SealsMax))
	p.work(of)
	if of.TablesAll == 0 {
		p.line("\nNo table is protected.")
		return
	}
	title := fmt.Sprintf("\nProtected tables: %s", grouped(int64(of.TablesAll)))
	if of.TablesFound < of.TablesAll {
		title += ", " + grouped(int64(of.TablesFound)) + " found"
	}
	if len(of.Tables) < of.TablesFound {
		title += ", " + grouped(int64(len(of.Tables))) + " shown"
	}
	p.table(title, []string{"table", "state", "columns", "protected", "layers", "key epoch"}, func(row func(...any)) {
		for _, t := range of.Tables {
			epoch := fmt.Sprint(t.EpochNewest)
			if t.EpochOldest != t.EpochNewest {
				epoch = fmt.Sprintf("%d to %d", t.EpochOldest, t.EpochNewest)
			}
			row(onLine(t.Schema+"."+t.Name), t.State, t.Columns, t.ProtectedColumns, t.Layers, epoch)
		}
	})
}

func (p *statusPrinter) work(of *status.Protection) {
	if of.Error != "" {
		p.line("\n%s", of.Error)
	}
	if len(of.Jobs)+len(of.Encryptions) == 0 {
		return
	}
	p.tableUnder("\nJobs and encryptions", []string{"what", "table", "state", "progress"}, func(row func(...any)) {
		for _, e := range of.Encryptions {
			row("tunic "+e.Direction, onLine(e.Table), "under way", progressText(e.Progress))
		}
		for _, j := range of.Jobs {
			name, state := j.Table, j.State
			if j.Column != "" {
				name += "." + j.Column
			}
			if j.Cause != "" {
				state += ", " + j.Cause
			}
			row(j.Kind, onLine(name), state, progressText(j.Progress))
		}
	})
}

// table prints rows under a heading.
func (p *statusPrinter) table(title string, columns []string, rows func(row func(...any))) {
	p.line("%s", title)
	w := tabwriter.NewWriter(&p.b, 0, 0, 2, ' ', 0)
	write := func(cells ...any) {
		for i, c := range cells {
			if i > 0 {
				_, _ = fmt.Fprint(w, "\t")
			}
			_, _ = fmt.Fprint(w, c)
		}
		_, _ = fmt.Fprintln(w)
	}
	head := make([]any, len(columns))
	for i, c := range columns {
		head[i] = c
	}
	write(head...)
	rows(write)
	_ = w.Flush() // into memory
}

// before is what is before a text in its line: so much, or the indent of a line of its own.
func (p *statusPrinter) before(n int) int {
	if p.narrow() {
		return 4
	}
	return n
}

// tableUnder is table, with the last column in a line of its own where lines are short.
func (p *statusPrinter) tableUnder(title string, columns []string, rows func(row func(...any))) {
	if !p.narrow() {
		p.table(title, columns, rows)
		return
	}
	last := len(columns) - 1
	var under []string
	numbers := &statusPrinter{width: p.width}
	numbers.table(title, columns[:last], func(row func(...any)) {
		rows(func(cells ...any) {
			under = append(under, fmt.Sprint(cells[last]))
			row(cells[:last]...)
		})
	})
	lines := strings.Split(strings.TrimSuffix(numbers.b.String(), "\n"), "\n")
	for i, line := range lines {
		p.line("%s", strings.TrimRight(line, " "))
		if row := i - (len(lines) - len(under)); row >= 0 {
			p.fact(4, "    %s", under[row])
		}
	}
}

// cut makes a text fit into the line behind so many characters.
func (p *statusPrinter) cut(text string, before int) string {
	runes, room := []rune(onLine(text)), max(p.width-before, 40)
	if len(runes) <= room {
		return string(runes)
	}
	return string(runes[:room-1]) + "…"
}

// onLine is a text without what a terminal would act upon.
func onLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '.'
		}
		return r
	}, text)
}

func progressText(p status.Progress) string {
	text := plural(int64(p.Done), "row")
	if p.Expected >= p.Done && p.Expected > 0 {
		text += " of about " + grouped(int64(p.Expected)) + ", " + percentText(float64(p.Done), float64(p.Expected))
	}
	if p.Rate != nil {
		text += ", " + rateText(*p.Rate) + " a second"
	}
	if p.Left != nil {
		text += ", " + spanText(*p.Left) + " left"
	}
	return text
}

func rateText(n float64) string {
	switch {
	case n >= 100:
		return grouped(int64(n))
	case n >= 10 || n == 0:
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.1f", n)
}

func percentText(part, whole float64) string {
	if whole == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.0f %%", 100*part/whole)
}

// secondsText is a duration to three digits; – for none.
func secondsText(s *float64) string {
	if s == nil {
		return "–"
	}
	switch {
	case *s < 100e-6:
		return fmt.Sprintf("%.0f µs", *s*1e6)
	case *s < 10e-3:
		return fmt.Sprintf("%.2f ms", *s*1e3)
	case *s < 1:
		return fmt.Sprintf("%.0f ms", *s*1e3)
	case *s < 100:
		return fmt.Sprintf("%.2f s", *s)
	}
	return spanText(*s)
}

// spanText is a longer time.
func spanText(s float64) string {
	d := time.Duration(s * float64(time.Second)).Round(time.Second)
	if days := int(d.Hours()) / 24; days > 0 {
		return fmt.Sprintf("%d d %d h", days, int(d.Hours())%24)
	}
	return d.String()
}
