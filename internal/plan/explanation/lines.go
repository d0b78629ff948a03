package explanation

import (
	"strconv"

	"tunic/internal/recipe"
	"tunic/internal/value"
)

// Line is a line of what tunic says of a statement: what it is about, and what is
// said. Both are ASCII but for names.
type Line struct{ About, Text string }

// Lines are what tunic says of the statement: what the server is sent, what it
// returns, what is done locally; each part and who does it; and what layers would
// change that. run is the Run that is carried out, which is e.Run or one of its
// others; fallback says that it is the alternative for NoToken, because of a value that no token
// stands for. No value is in them: a literal or a parameter of the client's is a
// question mark, what fills a slot is in angle brackets.
//
//	about      text
//	remote     the stored statement; before that of an INSERT, its query's
//	fetch      the columns that come back, where tunic does something with them
//	local      a step that finishes the rows
//	insert     how rows are inserted of which one may be there
//	find       the stored statement that finds it
//	write      the stored statement that writes each row back
//	where …    a part, and who does it: one of where, group by, distinct, having,
//	           order by, select and set
//	store      the forms in which a value is written
//	fallback   what is done for a value that no token stands for
//	advice     a layer that would help, and its price
func (e *Explained) Lines(run *recipe.Run, fallback bool) []Line {
	s := lines{run: run}
	s.carriedOut()
	parts := e.Parts
	if fallback {
		parts = e.WithoutTokens
	}
	for i := range parts {
		s.add(string(parts[i].Clause), parts[i].String())
	}
	if run.Alternatives[recipe.NoToken] != nil {
		s.add("fallback", "a value that no token stands for is compared locally, with all rows that the rest leaves")
	}
	q, ok := run.Does.(*recipe.Query)
	if ok && q.HiddenDates {
		s.add("fallback", "in a session with NO_ZERO_IN_DATE dates are put together locally")
	}
	if ok && q.Moments {
		s.add("fallback", "on MySQL, in a session of a zone whose clocks are set, timestamps are put together locally")
	}
	for i := range e.Advice {
		s.advice(&e.Advice[i])
	}
	for _, text := range mixed(run) {
		s.add("advice", text)
	}
	if len(e.Advice) > 0 {
		s.add("advice", map[bool]string{
			true:  "then nothing is left to do locally",
			false: "then there is less to do locally",
		}[e.Enough])
	}
	return s.all
}

type lines struct {
	run *recipe.Run
	all []Line
}

func (s *lines) add(about, text string) { s.all = append(s.all, Line{about, text}) }

// carriedOut tells of the run's statements and steps.
func (s *lines) carriedOut() {
	r := s.run
	if from := r.From(); from != nil {
		of := lines{run: from}
		of.carriedOut()
		s.all = append(s.all, of.all...)
	}
	if r.Remote != nil {
		s.add("remote", r.Say(r.Remote, r.Slots))
	}
	if len(r.Cells) > 0 && (r.Rewrite() != nil || len(r.Local) > 0 || r.Tree != nil || r.Opens()) {
		s.add("fetch", r.CellsInWords())
	}
	for _, step := range r.Local {
		s.add("local", recipe.Show(step, recipe.Phrase))
	}
	if r.Tree != nil {
		for _, text := range r.Tree.Lines(recipe.Phrase) {
			s.add("local", text)
		}
	}
	if rewrite := r.Rewrite(); rewrite != nil {
		s.written(rewrite.Write)
	}
	for _, t := range r.Targets() {
		s.add("write", "for each row: "+(&recipe.Run{Table: t.Table}).Say(t.Write.Back, t.Write.Slots))
	}
	if u := r.Upsert(); u != nil {
		s.upsert(u)
	}
}

// upsert tells how rows are inserted of which one may be there.
func (s *lines) upsert(u *recipe.Upsert) {
	s.add("insert", "each row by itself; one that is there already is read, computed and written")
	for i := range u.Rows {
		for _, f := range u.Rows[i].Finds {
			s.add("find", "by key "+f.Key+": "+s.run.Say(f.Remote, f.Slots))
		}
		s.written(u.Rows[i].Write)
	}
}

// written tells how rows that were read are written back.
func (s *lines) written(w *recipe.Write) {
	if w != nil && w.Back != nil {
		s.add("write", "for each row: "+s.run.Say(w.Back, w.Slots))
	}
}

// advice tells of a layer that would help.
func (s *lines) advice(a *Advice) {
	t := s.run.Table
	c := &t.Columns[a.Column]
	text := "the " + Layer{c.Name, a.Layer}.String() + ": "
	switch {
	case a.Backfilling:
		s.add("advice", text+"it is being filled, and will serve when it is")
		return
	case a.Allowed:
		text += "its ceiling allows it"
	default:
		text += "above its ceiling, which is " + c.Protection.String()
	}
	text += " (COMMENT 'tunic: " + recipe.CapabilityNames[a.Layer] + "'). The server would learn " + learnsOf(c, a.Layer) +
		". Price: " + bytesOf(a.Price.Bytes) + " a row, about " + strconv.Itoa(a.Price.Nanoseconds) + " ns a write"
	s.add("advice", text)
	if a.ByItself {
		text := "or " + c.Name + " sealed by itself (a rule that says apart, then tunic rotate --families). The server would learn which values are NULL"
		if value.FixedBytes(&c.Type) == 0 {
			text += ", and about how long each is"
		}
		s.add("advice", text)
	}
}

// bytesOf is a number of bytes in words.
func bytesOf(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.Itoa(n) + " bytes"
}
