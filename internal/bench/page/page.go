package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"strings"

	"tunic/internal/bench/document"
	"tunic/internal/bench/draw"
	"tunic/internal/bench/matrix"
)

// pageText is the report: one file that refers to nothing outside and runs no script.
//
//go:embed page.html
var pageText string

// page is what the report's template is filled with.
type page struct {
	Title, About string
	Verdict      string
	Warnings     []string
	Conditions   []condition
	Plots        []plotGroup
	Tables, Runs []Grid
	Profiles     []Grid
	Notes        []string
	References   []document.Reference
}

type condition struct {
	Name, Text string
	Code       bool // as one would type it
}

type plotGroup struct {
	Heading, Text string
	Pictures      []template.HTML
}

// Grid is a table of the page.
type Grid struct {
	Heading  string // "" of the only one
	Headings []Field
	Rows     []Row
}

// Row is a line of a Grid.
type Row struct {
	Begins bool // a new case
	Fields []Field
}

// Field is a place in a Row.
type Field struct {
	Text  string
	Words bool // flush left
}

// Render renders the document as one self-contained HTML file.
func Render(d *document.Document) (string, error) {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return "", fmt.Errorf("report: %w", err)
	}
	kind := matrix.KindOf(d)
	p := page{
		Title: kind.Title + ", " + d.Started.Format("2006-01-02"), About: kind.About, Verdict: verdictOf(d),
		Warnings: warningsOf(d), Conditions: conditionsOf(d), Plots: plotsOf(d),
		Profiles: profileTables(d), Notes: notesOf(d), References: d.References,
	}
	for _, s := range Sections(d) {
		p.Tables, p.Runs = append(p.Tables, s.figures()), append(p.Runs, s.EveryRun())
	}
	var b strings.Builder
	if err := t.Execute(&b, p); err != nil {
		return "", fmt.Errorf("report: %w", err)
	}
	return b.String(), nil
}

// Write writes the report of a document beside others.
func Write(d *document.Document, path string) error {
	text, err := Render(d)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // results are for everybody to read
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// warningsOf are what a reader must know before any figure.
func warningsOf(d *document.Document) []string {
	var all []string
	if d.Machine.Busy() {
		all = append(all, busyNote)
	}
	if !d.Complete {
		all = append(all, interruptedNote)
	}
	if d.Settings.Rounds < roundsLeast {
		all = append(all, fmt.Sprintf("fewer than %d rounds: too few to tell a difference from chance", roundsLeast))
	}
	return all
}

// conditionsOf are everything that the figures depend on.
func conditionsOf(d *document.Document) []condition {
	s := d.Settings
	all := []condition{
		{Name: "measured", Text: fmt.Sprintf("%s, in %.0f s", d.Started.Format("2006-01-02 15:04 MST"), d.Seconds)},
		{Name: "machine", Text: d.Machine.String()},
		{Name: "software", Text: softwareOf(d)},
		{Name: "commit", Text: d.Commit},
		{Name: "settings", Text: measuredText(d)},
		{Name: "targets", Text: strings.Join(s.Targets, ", ")},
		{Name: "stored", Text: storageText(d)},
		{Name: "command", Text: d.Command, Code: true},
		{Name: "server", Text: strings.Join(d.ServerFlags, " "), Code: true},
	}
	var known []condition
	for _, c := range all {
		if c.Text != "" {
			known = append(known, c)
		}
	}
	return known
}

// plotsOf are the matrix, what goes on over time, and what is stored.
func plotsOf(d *document.Document) []plotGroup {
	var groups []plotGroup
	if HasPlot(d) {
		groups = append(groups, matrixPlots(d))
	}
	for _, c := range d.Cases() {
		if asksQuestions(d) {
			break // a question is over before memory goes anywhere
		}
		if drawn := chartsOf(d, c); len(drawn) > 0 {
			groups = append(groups, plotGroup{Heading: "Over time: " + c.String(), Text: colourKey, Pictures: drawn})
		}
	}
	if bars := storageBars(d); bars != "" {
		groups = append(groups, plotGroup{Heading: "Bytes stored", Pictures: pictures(bars)})
	}
	return groups
}

func matrixPlots(d *document.Document) plotGroup {
	throughput, waiting := plotParts(d)
	return plotGroup{
		Heading: "Throughput, CPU time and latency",
		Text: "A dot is the median of the rounds, the line through it reaches from the lowest to the highest. " +
			"Ratios are formed within each round. The upright line is what the others are compared with.",
		Pictures: pictures(throughput, waiting),
	}
}

// colourKey says what the charts' lines are; the matrix above has the colours' names.
const colourKey = "A line is one measurement, in the colour that its target has above."

// pictures are made by this package, which escapes the texts in them.
func pictures(svgs ...string) []template.HTML {
	var all []template.HTML
	for _, svg := range svgs {
		if svg != "" {
			all = append(all, template.HTML(svg)) //nolint:gosec // see above
		}
	}
	return all
}

// chartsOf draws what is known second by second of a case.
func chartsOf(d *document.Document, c document.Case) []template.HTML {
	var all []template.HTML
	for _, shown := range []struct {
		title string
		of    func(document.Run) []float64
	}{
		{"transactions a second", func(r document.Run) []float64 { return r.OverSeconds(func(s document.Second) float64 { return s.TPS }) }},
		{"p95 of latency, ms", func(r document.Run) []float64 {
			return r.OverSeconds(func(s document.Second) float64 { return s.P95Ms })
		}},
		{"RSS of the hop, MiB", func(r document.Run) []float64 { return r.HopRSS }},
		{"RSS of the server, MiB", func(r document.Run) []float64 { return r.ServerRSS }},
	} {
		drawn := draw.Chart{Title: shown.title, Lines: chartLines(d, c, shown.of)}.Draw()
		all = append(all, pictures(drawn)...)
	}
	return all
}

// chartLines has a line for each run of each target.
func chartLines(d *document.Document, c document.Case, of func(document.Run) []float64) []draw.ChartLine {
	var lines []draw.ChartLine
	for i, target := range d.Settings.Targets {
		cell := d.Cell(c, target)
		if cell == nil {
			continue
		}
		for _, r := range cell.Runs {
			lines = append(lines, draw.ChartLine{Colour: draw.Colours[i%len(draw.Colours)], Values: of(r)})
		}
	}
	return lines
}
