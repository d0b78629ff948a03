package report

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"
)

// WriteJSON writes the report as JSON: docs/report.md says what is in it.
func (r *Report) WriteJSON(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// group are decisions of one kind with one remedy.
type group struct {
	Kind      Kind
	Fix       string
	Decisions []Decision
}

// listed is how many decisions of one group are listed before the tables.
const listed = 10

// Shown are those that are listed, More is how many are not.
func (g *group) Shown() []Decision { return g.Decisions[:min(listed, len(g.Decisions))] }

// More is how many are not listed.
func (g *group) More() int { return len(g.Decisions) - len(g.Shown()) }

// grouped are decisions by kind and remedy, in their order.
func grouped(all []Decision) (groups []group) {
	at := map[[2]string]int{}
	for _, d := range all {
		of := [2]string{string(d.Kind), d.Fix}
		i, ok := at[of]
		if !ok {
			i = len(groups)
			at[of] = i
			groups = append(groups, group{Kind: d.Kind, Fix: d.Fix})
		}
		groups[i].Decisions = append(groups[i].Decisions, d)
	}
	return groups
}

// headline is what was looked at, in a line.
func (r *Report) headline() string {
	s, views := &r.Scope, 0
	for i := range r.Tables {
		if r.Tables[i].View {
			views++
		}
	}
	all := count(s.Protected, "protected table", "protected tables")
	if s.Protected > 0 {
		all += ", with " + count(s.Sealed, "protected column", "protected columns") + " and " + count(s.Layers, "layer", "layers")
	}
	return all + "; " + count(s.Plain, "plain table", "plain tables") + "; " + count(views, "view", "views")
}

// section are facts with a title.
type section struct {
	Title string
	Facts []Fact
}

// sections are the facts of the whole, in the order of every rendering.
func (r *Report) sections() []section {
	links, logs, jobs := section{Title: "Connections"}, section{Title: "Logs of the server"}, section{Title: "Jobs under way"}
	for i := range r.Links {
		links.Facts = append(links.Facts, Fact{r.Links[i].name(), r.Links[i].line()})
	}
	for i := range r.Logs {
		logs.Facts = append(logs.Facts, Fact{r.Logs[i].Name, r.Logs[i].line()})
	}
	for i := range r.Jobs {
		jobs.Facts = append(jobs.Facts, Fact{r.Jobs[i].Object, r.Jobs[i].line()})
	}
	all := []section{links, {"Who may do what", r.Access}, logs, {"Keys", r.Keys.facts()}}
	if len(jobs.Facts) > 0 {
		all = append(all, jobs)
	}
	return all
}

// line is what is known of a job.
func (j *Job) line() string {
	return "job " + strconv.FormatUint(j.ID, 10) + ", " + j.Kind + ", " + j.State + ", asked for " + j.Asked.Format(time.DateOnly)
}

// scopeWords are the limits of the report.
func (r *Report) scopeWords() (all []string) {
	if len(r.Scope.Schemas) > 0 {
		all = append(all, "Only these schemas were looked at: "+strings.Join(r.Scope.Schemas, ", ")+".")
	}
	if !r.Scope.Whole {
		all = append(all, "Tables that the service account has no privilege on are not in this report: it has no SELECT on the whole server.")
	}
	if r.Scope.Sample > 0 {
		all = append(all, "About "+strconv.FormatInt(r.Scope.Sample, 10)+" values were read of each column that has layers.")
	} else {
		all = append(all, "No values were read (--sample): layers are judged by keys and types.")
	}
	return append(all, "Stored definitions were compared with the catalog. Rows were not: tunic verify does that.")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// thousands is a number with commas between thousands.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// askedWords are who asks for something.
func askedWords(all []Asker) string {
	return strings.Join(named(all), "; ")
}

// named are the words of each.
func named(all []Asker) (words []string) {
	for i := range all {
		words = append(words, all[i].words())
	}
	return words
}

// storedWords are what is stored, and with which algorithm and key.
func (f *Form) storedWords() string {
	words := strings.TrimSuffix(f.Stored+" "+f.Type, " ")
	if f.Scheme != "" && f.Epoch != nil {
		words += ", " + f.Scheme + ", epoch " + strconv.Itoa(int(*f.Epoch))
	}
	if f.Master != nil {
		words += " of master key " + strconv.Itoa(int(*f.Master))
	}
	if f.State != "ready" {
		words += ", " + stateWords[f.State]
	}
	return words
}

var stateWords = map[string]string{
	"filling": "is being filled", "retiring": "is being taken away", "copy": "is to take another one's place", "absent": "absent",
}

// words are what is known of the values; "" if nothing is.
func (v *Values) words() string {
	switch {
	case v == nil:
		return ""
	case v.Read > 0:
		return v.Says + " (" + strconv.FormatInt(v.Read, 10) + " values read)"
	}
	return v.Says
}

// protectionWords are what a column is, and by whom.
func (c *Column) protectionWords() string {
	switch {
	case c.Protected && c.Ceiling == formSealed:
		return "protected, never a layer, by " + c.By.words()
	case c.Protected:
		return "protected, ceiling " + c.Ceiling + ", by " + c.By.words()
	}
	return c.By.plainWords()
}

// plainWords are who has a column be plain.
func (a *Asker) plainWords() string {
	if a.By == "none" {
		return "plain: made around tunic, or before it"
	}
	return "plain, by " + a.words()
}

// words are a key with its columns.
func (k *Key) words() string {
	var parts []string
	for _, p := range k.Parts {
		if p.Form != "" {
			p.Column += " by " + p.Form
		}
		parts = append(parts, p.Column)
	}
	return k.Name + ", " + k.Kind + " (" + strings.Join(parts, ", ") + ")"
}

// words are a family with its columns, and what its forms tell.
func (f *Family) words() string {
	return "family " + strings.TrimSuffix(f.Stored+" "+f.Type, " ") + ", one form of up to " + strconv.Itoa(f.Most) + " bytes a row for " + strings.Join(f.Columns, ", ") + ": tells the server " + f.Tells
}

func (f *Foreign) words() string {
	return f.Name + ", foreign (" + strings.Join(f.Columns, ", ") + ") to " + f.References
}

// keyWords are all keys of a table.
func (t *Table) keyWords() string {
	var all []string
	for i := range t.Keys {
		all = append(all, t.Keys[i].words())
	}
	for i := range t.ForeignKeys {
		all = append(all, t.ForeignKeys[i].words())
	}
	return strings.Join(all, "; ")
}

// mark is the word for what a table is.
func (t *Table) mark() string {
	word := "plain"
	if t.Protected {
		word = "protected"
	}
	if t.View {
		word += " view"
		if t.Protected {
			word = "view over protected tables"
		}
	}
	return word
}

// facts are the keys of the project, line by line.
func (k *Keys) facts() []Fact {
	if k.None {
		return []Fact{{"ledger", k.Says}}
	}
	var masters []string
	for _, m := range k.Masters {
		masters = append(masters, strconv.Itoa(int(m)))
	}
	return []Fact{
		{"project", k.Project},
		{"key file", "key id " + k.KeyID},
		{"master keys", strings.Join(masters, ", ") + " (the first is the newest)"},
		{"ledger", "sealed under epoch " + strconv.Itoa(int(k.Ledger)) + " or newer"},
		{"most used key", "has sealed about " + strconv.FormatUint(k.MostSealed, 10) + " values; it is good for 2^32, and a table gets another one at 2^31"},
		{"epochs", k.Says},
	}
}

// line is what is known of a log.
func (l *Log) line() string {
	if !l.On {
		return l.Says
	}
	return "on" + in(l.Where) + ": " + l.Says
}

// line is what is known of a side.
func (l *Link) line() string {
	words := "tls " + l.TLS + ", at " + l.Address + ": " + l.Says
	if l.Local {
		words += "; the address is on this machine"
	}
	if l.Now != "" {
		words += "; this command's connection has " + l.Now
	}
	return words
}

// name is the side, as both ends are called.
func (l *Link) name() string {
	if l.Of == "server" {
		return "tunic to server"
	}
	return "clients to tunic"
}
