package page

import (
	"fmt"
	"slices"
	"strconv"

	"tunic/internal/bench/document"
	"tunic/internal/bench/draw"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/matrix"
)

// The plot's measures, in pixels.
const (
	plotWidth     = 1100.0
	plotMargin    = 28.0
	labelsWidth   = 215.0 // the cases' names
	panelGap      = 56.0
	laneHeight    = 13.0 // one target within a row
	rowPadding    = 7.0  // above and below the lanes
	groupGap      = 8.0  // between two workloads
	panelHeadroom = 44.0 // section heading and panel title
	panelFootroom = 44.0 // tick labels and space below
	dotRadius     = 4.0
)

// Plot draws the document: for each ps-mode the throughput of every case as a
// share of the baseline's, and beside it the hop's CPU a query. A dot is the median
// of the rounds, the line through it reaches from the lowest to the highest; the
// baseline itself is the upright line at 1.
func Plot(d *document.Document) string {
	p := newPlot(d)
	p.placePanels(p.share(), p.cost())
	return p.sections(p.legend(p.heading()), "Benchmark "+d.Name)
}

// HasPlot tells whether there is anything to draw: a document of values alone is a table.
func HasPlot(d *document.Document) bool { return len(d.Settings.PSModes) > 0 }

// plotParts draws the document's matrix twice, for a page that has the conditions
// elsewhere: what plot draws, and what a client and the server notice.
func plotParts(d *document.Document) (throughput, waiting string) {
	p, q := newPlot(d), newPlot(d)
	p.placePanels(p.share(), p.cost())
	q.placePanels(q.waiting(), q.serverCost())
	return p.sections(p.legend(plotMargin), "Throughput and CPU time"),
		q.sections(q.legend(plotMargin), "Latency and CPU time of the server")
}

func newPlot(d *document.Document) *plot {
	p := &plot{document: d, baseline: plotBaseline(d)}
	for _, target := range d.Settings.Targets {
		if target != p.baseline {
			p.lanes = append(p.lanes, target)
		}
	}
	return p
}

// sections draws a section for each ps-mode from y on, and returns the picture.
func (p *plot) sections(y float64, label string) string {
	for _, mode := range p.document.Settings.PSModes {
		if len(matrix.CasesIn(p.document.Settings, mode)) > 0 {
			y = p.section(y, mode)
		}
	}
	return p.Picture(plotWidth, y, label)
}

// plotBaseline is the first baseline that was measured, "" if none was.
func plotBaseline(d *document.Document) string {
	for _, b := range document.Baselines {
		if slices.Contains(d.Settings.Targets, b) {
			return b
		}
	}
	return ""
}

type plot struct {
	draw.Canvas
	document    *document.Document
	baseline    string
	lanes       []string // the other targets, from top to bottom of a row
	left, right panel
}

// panel is one of the two charts of a section.
type panel struct {
	title       string
	left, right float64 // pixels
	limit, step float64 // of the axis, which starts at 0
	shares      bool    // of the baseline, which is the upright line at 1
	least       float64 // that the axis reaches at least
	of          func(*document.Cell) *figure.Stat
	format      func(float64) string
}

// at returns the x of a value.
func (p panel) at(value float64) float64 { return p.left + (p.right-p.left)*value/p.limit }

func (p *plot) share() panel {
	return panel{
		title: "throughput, as a share of " + p.baseline, shares: true, least: 1,
		of:     func(c *document.Cell) *figure.Stat { return c.Summary.Ratio[p.baseline] },
		format: figure.Decimals(2),
	}
}

func (p *plot) cost() panel {
	if p.document.Name == matrix.EncryptKind.Name {
		return ownCost()
	}
	return panel{
		title: "CPU of the hop, µs a query", least: 10,
		of:     func(c *document.Cell) *figure.Stat { return c.Summary.HopCPU },
		format: figure.Decimals(1),
	}
}

func (p *plot) waiting() panel {
	return panel{
		title: "p95 of latency, as a multiple of " + p.baseline, shares: true, least: 1,
		of: func(c *document.Cell) *figure.Stat {
			return figure.NewStat(ratioTo(p.baseline, document.P95Of)(p.document, c))
		},
		format: figure.Decimals(2),
	}
}

func (p *plot) serverCost() panel {
	return panel{
		title: "CPU of the server, µs a query", least: 10,
		of: func(c *document.Cell) *figure.Stat {
			return figure.NewStat(document.ValuesOf(c.Runs, func(r document.Run) float64 { return r.ServerCPU }))
		},
		format: figure.Decimals(1),
	}
}

// placePanels gives both panels their place and an axis that holds every value, the
// same in all sections.
func (p *plot) placePanels(left, right panel) {
	edge := plotMargin + labelsWidth
	width := (plotWidth - plotMargin - edge - panelGap) / 2
	left.left, left.right = edge, edge+width
	right.left, right.right = edge+width+panelGap, plotWidth-plotMargin
	left.fit(p.document.Cells)
	right.fit(p.document.Cells)
	p.left, p.right = left, right
}

// fit chooses an axis with round ticks that reaches the largest value and at least
// the least one, and leaves room for its label.
func (p *panel) fit(cells []document.Cell) {
	largest := p.least
	for i := range cells {
		if cells[i].Failed() {
			continue
		}
		if s := p.of(&cells[i]); s != nil {
			largest = max(largest, s.Max)
		}
	}
	p.step = draw.RoundStep(largest / 7)
	p.limit = largest * 1.08
}

// heading draws the title and the conditions, and returns the y below.
func (p *plot) heading() float64 {
	d := p.document
	y := plotMargin + 12
	p.Text(plotMargin, y, draw.AtStart, "title", matrix.KindOf(d).Title+": "+d.Name)
	for _, line := range []string{
		d.Machine.String(),
		softwareOf(d),
		plotConditions(d),
	} {
		y += 17
		p.Text(plotMargin, y, draw.AtStart, "faint", line)
	}
	if stored := storageText(d); stored != "" {
		y += 17
		p.Text(plotMargin, y, draw.AtStart, "faint", "stored: "+stored)
	}
	return y + 26
}

func plotConditions(d *document.Document) string {
	s := d.Settings
	if asksQuestions(d) || isBeside(d) {
		return fmt.Sprintf("median and extremes of %d rounds, targets taking turns; %s", s.Rounds, d.Started.Format("2006-01-02"))
	}
	return fmt.Sprintf("median and extremes of %d × %s, targets taking turns; %s; %s",
		s.Rounds, lengthOfRun(s), filled(s), d.Started.Format("2006-01-02"))
}

// legend tells the targets' colours, and returns the y below.
func (p *plot) legend(y float64) float64 {
	x := plotMargin
	for _, target := range p.document.Settings.Targets {
		if x+14+8*float64(len(target)) > plotWidth {
			x, y = plotMargin, y+18
		}
		p.Dot(x+dotRadius, y-4, dotRadius, p.colour(target), target)
		p.Text(x+14, y, draw.AtStart, "head", target)
		x += 34 + 8*float64(len(target))
	}
	return y + 22
}

// colour is a target's by its place in the settings.
func (p *plot) colour(target string) string {
	i := slices.Index(p.document.Settings.Targets, target)
	return draw.Colours[max(i, 0)%len(draw.Colours)]
}

// section draws the panels of one ps-mode and returns the y below.
func (p *plot) section(y float64, mode string) float64 {
	title := map[string]string{
		"auto":    "Prepared statements, binary protocol (ps-mode auto)",
		"disable": "Statements as text (ps-mode disable)",
	}[mode]
	p.Text(plotMargin, y+14, draw.AtStart, "section", title)
	top := y + panelHeadroom
	bottom := top + p.sectionHeight(mode)
	for _, panel := range []panel{p.left, p.right} {
		p.frame(panel, top, bottom)
		if panel.shares && p.baseline != "" {
			p.Line(panel.at(1), top, panel.at(1), bottom, p.colour(p.baseline), 2)
		}
	}
	row := top
	for _, workload := range workloadsOf(matrix.CasesIn(p.document.Settings, mode)) {
		row = p.group(row, workload, mode)
	}
	return bottom + panelFootroom
}

// caseLabel says what cases of one workload differ by.
func caseLabel(c document.Case) string {
	if c.Rate != "" {
		return c.Rate + " writes/s"
	}
	if c.Rows > 0 {
		return figure.Grouped(float64(c.Rows)) + " rows"
	}
	return fmt.Sprintf("%d threads", c.Threads)
}

func (p *plot) rowHeight() float64 {
	return laneHeight*float64(max(len(p.lanes), 1)) + rowPadding
}

// sectionHeight is of the cases that there are in the mode: a workload may have none.
func (p *plot) sectionHeight(mode string) float64 {
	cases := matrix.CasesIn(p.document.Settings, mode)
	return float64(len(cases))*p.rowHeight() + float64(len(workloadsOf(cases)))*groupGap
}

// workloadsOf are those of cases, in their order.
func workloadsOf(cases []document.Case) []string {
	var all []string
	for _, c := range cases {
		if !slices.Contains(all, c.Workload) {
			all = append(all, c.Workload)
		}
	}
	return all
}

// frame draws a panel's title, grid and ticks.
func (p *plot) frame(a panel, top, bottom float64) {
	p.Text(a.left, top-10, draw.AtStart, "head", a.title)
	for i := 0; float64(i)*a.step <= a.limit; i++ {
		value := float64(i) * a.step
		p.Line(a.at(value), top, a.at(value), bottom, draw.GridColour, 1)
		p.Text(a.at(value), bottom+15, draw.Centred, "faint", strconv.FormatFloat(value, 'g', 6, 64))
	}
	p.Line(a.left, top, a.left, bottom, draw.FrameColour, 1)
	p.Line(a.left, bottom, a.right, bottom, draw.FrameColour, 1)
}

// group draws the rows of one workload and returns the y below.
func (p *plot) group(y float64, workload, mode string) float64 {
	y += groupGap / 2
	p.Text(plotMargin, y+15, draw.AtStart, "head", workload)
	for _, c := range matrix.CasesIn(p.document.Settings, mode) {
		if c.Workload != workload {
			continue
		}
		middle := y + p.rowHeight()/2 + 4
		p.Text(plotMargin+labelsWidth-10, middle, draw.AtEnd, "faint", caseLabel(c))
		p.row(y+rowPadding/2, c)
		y += p.rowHeight()
	}
	p.Line(plotMargin, y+groupGap/2, plotWidth-plotMargin, y+groupGap/2, draw.GridColour, 1)
	return y + groupGap/2
}

// row draws a lane for each target.
func (p *plot) row(y float64, c document.Case) {
	if base := p.document.Cell(c, p.baseline); base != nil && base.Failed() {
		p.Text(p.left.at(1)-6, y+laneHeight/2+4, draw.AtEnd, "failed", "✕ "+p.baseline+" failed")
	}
	for i, target := range p.lanes {
		lane := y + laneHeight*(float64(i)+0.5)
		cell := p.document.Cell(c, target)
		switch {
		case cell == nil: // interrupted before
		case cell.Refused():
			p.Text(p.left.left+6, lane+4, draw.AtStart, "faint", target+" refuses it: "+cell.Runs[0].Refused)
		case cell.Failed():
			p.Text(p.left.left+6, lane+4, draw.AtStart, "failed", "✕ "+target+" failed")
		default:
			p.mark(p.left, lane, p.colour(target), cell)
			p.mark(p.right, lane, p.colour(target), cell)
		}
	}
}

// mark draws the median, the extremes and the number.
func (p *plot) mark(a panel, y float64, colour string, cell *document.Cell) {
	s := a.of(cell)
	if s == nil {
		return
	}
	tip := fmt.Sprintf("%s, %s: %s (%s to %s)", cell.Case, cell.Target, a.format(s.Median), a.format(s.Min), a.format(s.Max))
	p.Line(a.at(s.Min), y, a.at(s.Max), y, colour, 2)
	p.Dot(a.at(s.Median), y, dotRadius, colour, tip)
	p.Text(max(a.at(s.Max), a.at(s.Median)+dotRadius)+4, y+3.5, draw.AtStart, "value", a.format(s.Median))
}
