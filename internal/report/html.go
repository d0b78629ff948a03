package report

import (
	_ "embed" // of report.html
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
)

// page is the HTML of a report: one file that loads nothing, runs nothing, and prints well.
//
//go:embed report.html
var pageText string

var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"asked": askedWords, "count": thousands,
}).Parse(pageText))

// view is a report as the page reads it.
type view struct {
	*Report
	at map[string]int // tables by their full names
}

// WriteHTML writes the report as one HTML file.
func (r *Report) WriteHTML(out io.Writer) error {
	v := &view{Report: r, at: make(map[string]int, len(r.Tables))}
	for i := range r.Tables {
		v.at[r.Tables[i].FullName()] = i
	}
	return page.Execute(out, v)
}

// When is the time at which the report was made.
func (v *view) When() string { return v.Made.UTC().Format("2006-01-02 15:04 UTC") }

// Groups are the decisions by kind and remedy, GroupsAccepted those that are accepted.
func (v *view) Groups() []group         { return grouped(v.Decisions) }
func (v *view) GroupsAccepted() []group { return grouped(v.Accepted) }

// Headline and Limits are what was looked at.
func (v *view) Headline() string { return v.headline() }
func (v *view) Limits() []string { return v.scopeWords() }

// Sections are the facts of the whole.
func (v *view) Sections() []section { return v.sections() }

// Anchor is the fragment of the table that an object belongs to; "" if it is no table's. Names may have dots
// in them, so that the longest that is a table's counts.
func (v *view) Anchor(object string) string {
	for name := object; name != ""; {
		if at, ok := v.at[name]; ok {
			return "t" + strconv.Itoa(at)
		}
		cut := strings.LastIndexByte(name, '.')
		if cut < 0 {
			break
		}
		name = name[:cut]
	}
	return ""
}

// Rows are the tables for the page.
func (v *view) Rows() []row {
	wanted := map[string][]Decision{}
	for _, d := range v.Decisions {
		if anchor := v.Anchor(d.Object); anchor != "" {
			wanted[anchor] = append(wanted[anchor], d)
		}
	}
	all := make([]row, len(v.Tables))
	for i := range v.Tables {
		id := "t" + strconv.Itoa(i)
		all[i] = row{Table: &v.Tables[i], ID: id, Wanted: wanted[id]}
	}
	return all
}

// row is a table on the page.
type row struct {
	*Table
	ID string
	// Wanted are the decisions that are wanted about it.
	Wanted []Decision
}

// Mark, KeyText and PlainColumns are those of the text.
func (r row) Mark() string         { return r.mark() }
func (r row) KeyText() string      { return r.keyWords() }
func (r row) PlainColumns() []Fact { return r.plainColumns() }

// FamilyTexts are the families in words.
func (r row) FamilyTexts() (all []string) {
	for i := range r.Families {
		all = append(all, r.Families[i].words())
	}
	return all
}

// Share is how many of the columns are protected.
func (r row) Share() string {
	n := 0
	for i := range r.Columns {
		if r.Columns[i].Protected {
			n++
		}
	}
	return strconv.Itoa(n) + " of " + strconv.Itoa(len(r.Columns))
}

// LayerNames are the layers that there are, each once.
func (r row) LayerNames() string {
	var all []string
	seen := map[string]bool{}
	for i := range r.Columns {
		for j := range r.Columns[i].Forms {
			if f := &r.Columns[i].Forms[j]; (f.Form == formEquality || f.Form == formOrder) && !seen[f.words()] {
				seen[f.words()] = true
				all = append(all, f.words())
			}
		}
	}
	return strings.Join(all, ", ")
}

// Shown are the forms that there is something to say of.
func (c *Column) Shown() []Form {
	return slices.DeleteFunc(slices.Clone(c.Forms), func(f Form) bool { return f.asIs(c) })
}

// ProtectionText is what a column is, and by whom.
func (c *Column) ProtectionText() string { return c.protectionWords() }

// Words are the form's name, with its grain.
func (f *Form) Words() string { return f.words() }

// StoredText is what is stored, and with which algorithm and key.
func (f *Form) StoredText() string { return f.storedWords() }

// Text is what is known of the values.
func (v *Values) Text() string { return v.words() }
