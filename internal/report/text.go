package report

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
)

// WriteText writes the report for a terminal or a mail, the decisions first.
func (r *Report) WriteText(out io.Writer) error {
	w := &text{}
	w.line(0, "tunic report of %s %s at %s, %s", r.Server.Product, r.Server.Version, r.Server.Address, r.Made.UTC().Format(time.RFC3339))
	w.line(0, "")
	w.decisions(r)
	w.line(0, "%s.", r.headline())
	for _, s := range r.scopeWords() {
		w.line(0, "%s", s)
	}
	for _, of := range r.sections() {
		w.facts(of.Title, of.Facts)
	}
	var facts []Fact
	for _, l := range r.Legend {
		facts = append(facts, Fact{l.Form, l.Algorithm + ". Tells the server: " + l.Tells})
	}
	w.facts("What is stored, and what it tells the server", facts)
	for i := range r.Tables {
		w.table(&r.Tables[i])
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// WriteDecisions writes what needs a decision, and nothing else.
func (r *Report) WriteDecisions(out io.Writer) error {
	w := &text{}
	w.decisions(r)
	_, err := io.WriteString(out, w.String())
	return err
}

// text is a report being written.
type text struct{ strings.Builder }

// line adds a line, so many spaces from the left. Names come from the server: what would move a terminal's
// cursor, or begin another line, is shown as a question mark.
func (w *text) line(indent int, form string, args ...any) {
	line := strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '?'
		}
		return c
	}, fmt.Sprintf(form, args...))
	w.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+line, " ") + "\n")
}

func (w *text) decisions(r *Report) {
	if len(r.Decisions) == 0 {
		w.line(0, "Nothing needs a decision.")
	} else {
		w.line(0, "%s:", count(len(r.Decisions), "decision is needed", "decisions are needed"))
	}
	for _, g := range grouped(r.Decisions) {
		w.line(2, "%s: %s, %d", g.Kind, g.Kind.Title(), len(g.Decisions))
		for _, d := range g.Shown() {
			w.line(4, "%s: %s", d.Object, d.What)
		}
		if n := g.More(); n > 0 {
			w.line(4, "… and %d more, which --json lists", n)
		}
		w.line(4, "do: %s", g.Fix)
	}
	if n := len(r.Accepted); n > 0 {
		w.line(0, "%s accepted, and not listed here.", count(n, "more is", "more are"))
	}
	w.line(0, "")
}

func (w *text) facts(title string, facts []Fact) {
	if len(facts) == 0 {
		return
	}
	w.line(0, "")
	w.line(0, "%s", title)
	for _, f := range facts {
		w.line(2, "%s: %s", f.Name, f.Says)
	}
}

func (w *text) table(t *Table) {
	w.line(0, "")
	head := t.FullName() + "  " + t.mark()
	if t.State != "" {
		head += ", " + t.State
	}
	w.line(0, "%s", head)
	for _, f := range t.Faults {
		w.line(2, "! %s", f)
	}
	for _, p := range t.Programs {
		w.line(2, "%s has the table's name in it: if it reads the table, it reads stored forms", p)
	}
	if t.Protected {
		for i := range t.Columns {
			w.column(&t.Columns[i])
		}
		for i := range t.Families {
			w.line(2, "%s", t.Families[i].words())
		}
	} else {
		for _, p := range t.plainColumns() {
			w.line(2, "%s: %s", p.Name, p.Says)
		}
	}
	if keys := t.keyWords(); keys != "" {
		w.line(2, "keys: %s", keys)
	}
}

// plainColumns are the columns of a plain table by who has them be plain.
func (t *Table) plainColumns() (all []Fact) {
	for i := range t.Columns {
		c := &t.Columns[i]
		by := c.By.plainWords()
		if n := len(all); n > 0 && all[n-1].Name == by {
			all[n-1].Says += ", " + c.Name + " " + c.Type
		} else {
			all = append(all, Fact{by, c.Name + " " + c.Type})
		}
	}
	return all
}

func (w *text) column(c *Column) {
	w.line(2, "%s %s: %s", c.Name, c.Type, c.protectionWords())
	for i := range c.Forms {
		f := &c.Forms[i]
		if f.asIs(c) {
			continue
		}
		w.line(4, "%s: %s", f.words(), f.storedWords())
		if len(f.AskedBy) > 0 {
			w.line(6, "asked for by %s", askedWords(f.AskedBy))
		}
		w.line(6, "tells the server %s", f.Tells)
		if words := f.Values.words(); words != "" {
			w.line(6, "%s", words)
		}
	}
}

// asIs reports whether a form is all that a plain column has: nothing is left to say of it.
func (f *Form) asIs(c *Column) bool { return !c.Protected && f.Form == formPlain && len(c.Forms) == 1 }
