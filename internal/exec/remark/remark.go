package exec

import (
	"encoding/json"
	"regexp"
	"strings"

	"tunic/internal/plan/explanation"
	"tunic/internal/show"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// words are what tunic says, made ready for the form of the server's answer.
//
//	form                        tunic's words
//	rows (FORMAT=TRADITIONAL)   rows behind the server's: select_type is TUNIC, table the
//	                            table, Extra a line; all else is NULL
//	JSON                        a member "tunic" at the end of the document: a list of
//	                            objects with "about" and "text"
//	a tree of text              a last node "-> tunic", a line each
//
// Of what the server says, strings and what is hexadecimal are left out where it is
// text: they are stored forms, of values that were asked for or that rows have.
type words struct {
	form  explainForm
	lines []explanation.Line
	table string
	// width is how many columns the answer has; selectType, tableAt and extra are three.
	width, selectType, tableAt, extra int
	charset                           show.Charset
}

// explainForm is how a server has explained.
type explainForm uint8

const (
	formRows explainForm = iota
	formText
)

// fit finds out the form of the answer, and makes room for tunic's words in its
// columns; false if the form is not known.
func (x *explaining) fit(c show.Charset) bool {
	w := words{lines: x.Lines(&x.st.Run, x.fallback), table: x.st.Run.Table.Name, width: len(x.columns), charset: c}
	w.selectType, w.tableAt, w.extra = x.column("select_type"), x.column("table"), x.column("Extra")
	switch {
	case w.selectType >= 0 && w.tableAt >= 0 && w.extra >= 0:
		longest := 0
		for _, l := range w.lines {
			longest = max(longest, len(c.Encode(w.line(l))))
		}
		extra := &x.columns[w.extra]
		extra.Length = max(extra.Length, uint32(longest))
	case len(x.columns) == 1:
		w.form = formText
	default:
		return false
	}
	x.words = w
	return true
}

// column is the number of a column of the answer, -1 if there is none of the name.
func (x *explaining) column(name string) int {
	for i := range x.columns {
		if strings.EqualFold(string(x.columns[i].Name), name) {
			return i
		}
	}
	return -1
}

func (w *words) line(l explanation.Line) string { return l.About + ": " + l.Text }

// rows are tunic's own, of an answer of rows.
func (w *words) rows() [][]wire.Cell {
	if w.form != formRows {
		return nil
	}
	all := make([][]wire.Cell, 0, len(w.lines))
	for _, l := range w.lines {
		cells := make([]wire.Cell, w.width)
		for i := range cells {
			cells[i].Null = true
		}
		cells[w.selectType] = wire.Cell{Bytes: w.charset.Encode("TUNIC")}
		cells[w.tableAt] = wire.Cell{Bytes: w.charset.Encode(w.table)}
		cells[w.extra] = wire.Cell{Bytes: w.charset.Encode(w.line(l))}
		all = append(all, cells)
	}
	return all
}

// adapt adds tunic's words to an answer that is one text.
func (w *words) adapt(cells []wire.Cell) {
	if w.form != formText || len(cells) != 1 || cells[0].Null {
		return
	}
	text := w.charset.Decode(cells[0].Bytes)
	if strings.HasPrefix(text, "{") {
		text = w.inJSON(text)
	} else {
		text = w.inTree(text)
	}
	cells[0].Bytes = w.charset.Encode(text)
}

// jsonString is a string of a JSON document.
var jsonString = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// inJSON adds a member to a document that is an object.
func (w *words) inJSON(text string) string {
	type line struct {
		About string `json:"about"`
		Text  string `json:"text"`
	}
	said := make([]line, 0, len(w.lines))
	for _, l := range w.lines {
		said = append(said, line(l))
	}
	text = jsonString.ReplaceAllStringFunc(text, hideInJSON)
	end := strings.LastIndexByte(text, '}')
	if end < 0 {
		end = len(text)
	}
	before := strings.TrimRight(text[:end], " \t\r\n") // what JSON takes for space
	if !strings.HasSuffix(before, "{") {
		before += ","
	}
	return before + "\n  \"tunic\": " + asJSON(said, "  ") + "\n" + text[end:]
}

// hideInJSON is translation.HideForms within a string of a JSON document.
func hideInJSON(quoted string) string {
	var text string
	if err := json.Unmarshal([]byte(quoted), &text); err != nil {
		return `"?"`
	}
	if hidden := translation.HideForms(text); hidden != text {
		return asJSON(hidden, "")
	}
	return quoted
}

func asJSON(v any, prefix string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(prefix, "  ")
	if err := encoder.Encode(v); err != nil {
		return "null"
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// inTree adds a node to a tree.
func (w *words) inTree(text string) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(translation.HideForms(text), "\n") + "\n-> tunic\n")
	for _, l := range w.lines {
		b.WriteString("    -> " + w.line(l) + "\n")
	}
	return b.String()
}
