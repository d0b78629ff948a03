package remark

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"tunic/internal/plan/explanation"
	"tunic/internal/show"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// Remarks are what tunic says itself of a statement that the server explains, made ready for the form of the server's answer.
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
type Remarks struct {
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

// Of finds out the form of an answer with these columns, and makes room for tunic's words about a statement
// over a table in them; false if the form is not known.
func Of(lines []explanation.Line, table string, columns []wire.ColumnDefinition, c show.Charset) (Remarks, bool) {
	r := Remarks{lines: lines, table: table, width: len(columns), charset: c}
	r.selectType, r.tableAt, r.extra = column(columns, "select_type"), column(columns, "table"), column(columns, "Extra")
	switch {
	case r.selectType >= 0 && r.tableAt >= 0 && r.extra >= 0:
		longest := 0
		for _, l := range r.lines {
			longest = max(longest, len(c.Encode(said(l))))
		}
		extra := &columns[r.extra]
		extra.Length = max(extra.Length, uint32(longest))
	case len(columns) == 1:
		r.form = formText
	default:
		return Remarks{}, false
	}
	return r, true
}

// column is the number of a column of the answer, -1 if there is none of the name.
func column(columns []wire.ColumnDefinition, name string) int {
	return slices.IndexFunc(columns, func(c wire.ColumnDefinition) bool { return strings.EqualFold(string(c.Name), name) })
}

// said is a line as a text.
func said(l explanation.Line) string { return l.About + ": " + l.Text }

// Rows are tunic's own, of an answer of rows.
func (r *Remarks) Rows() [][]wire.Cell {
	if r.form != formRows {
		return nil
	}
	all := make([][]wire.Cell, 0, len(r.lines))
	for _, l := range r.lines {
		cells := make([]wire.Cell, r.width)
		for i := range cells {
			cells[i].Null = true
		}
		cells[r.selectType] = wire.Cell{Bytes: r.charset.Encode("TUNIC")}
		cells[r.tableAt] = wire.Cell{Bytes: r.charset.Encode(r.table)}
		cells[r.extra] = wire.Cell{Bytes: r.charset.Encode(said(l))}
		all = append(all, cells)
	}
	return all
}

// Adapt adds tunic's words to an answer that is one text.
func (r *Remarks) Adapt(cells []wire.Cell) {
	if r.form != formText || len(cells) != 1 || cells[0].Null {
		return
	}
	text := r.charset.Decode(cells[0].Bytes)
	if strings.HasPrefix(text, "{") {
		text = r.inJSON(text)
	} else {
		text = r.inTree(text)
	}
	cells[0].Bytes = r.charset.Encode(text)
}

// jsonString is a string of a JSON document.
var jsonString = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// inJSON adds a member to a document that is an object.
func (r *Remarks) inJSON(text string) string {
	type line struct {
		About string `json:"about"`
		Text  string `json:"text"`
	}
	all := make([]line, 0, len(r.lines))
	for _, l := range r.lines {
		all = append(all, line(l))
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
	return before + "\n  \"tunic\": " + asJSON(all, "  ") + "\n" + text[end:]
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
func (r *Remarks) inTree(text string) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(translation.HideForms(text), "\n") + "\n-> tunic\n")
	for _, l := range r.lines {
		b.WriteString("    -> " + said(l) + "\n")
	}
	return b.String()
}
