package draw

import (
	"fmt"
	"html"
	"strings"
)

// Canvas writes the few SVG shapes that plots are made of. Coordinates are
// pixels from the upper left corner.
type Canvas struct {
	body strings.Builder
}

// Anchor says which end of a text its position is.
type Anchor string

// The anchors.
const (
	AtStart Anchor = "start"
	AtEnd   Anchor = "end"
	Centred Anchor = "middle"
)

// Text draws one line; class is one of the style sheet's.
func (c *Canvas) Text(x, y float64, a Anchor, class, text string) {
	fmt.Fprintf(&c.body, `<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>`+"\n", x, y, a, class, html.EscapeString(text))
}

// Line draws a straight line.
func (c *Canvas) Line(x1, y1, x2, y2 float64, colour string, width float64) {
	fmt.Fprintf(&c.body, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="%.1f"/>`+"\n", x1, y1, x2, y2, colour, width)
}

// Dot draws a filled circle that shows the tip when the mouse rests on it.
func (c *Canvas) Dot(x, y, radius float64, colour, tip string) {
	fmt.Fprintf(&c.body, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"><title>%s</title></circle>`+"\n", x, y, radius, colour, html.EscapeString(tip))
}

// path draws a line through points.
func (c *Canvas) path(xs, ys []float64, colour string, width float64) {
	var points strings.Builder
	for i := range xs {
		fmt.Fprintf(&points, "%.1f,%.1f ", xs[i], ys[i])
	}
	fmt.Fprintf(&c.body, `<polyline points="%s" fill="none" stroke="%s" stroke-width="%.1f" stroke-linejoin="round"/>`+"\n",
		strings.TrimSpace(points.String()), colour, width)
}

// Bar draws a filled rectangle.
func (c *Canvas) Bar(x, y, width, height float64, colour string) {
	fmt.Fprintf(&c.body, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", x, y, width, height, colour)
}

// svgHead makes the picture stand alone: its own fonts' names, its own light
// background, no reference to anything outside.
const svgHead = `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">
<style>
text { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; font-size: 12px; fill: #1f2328 }
.title { font-size: 20px; font-weight: 600 }
.section { font-size: 15px; font-weight: 600 }
.head { font-weight: 600 }
.faint { fill: #59636e; font-size: 11px }
.value { fill: #424a53; font-size: 10px }
.failed { fill: #b42318; font-weight: 600; font-size: 11px }
</style>
<rect width="%.0f" height="%.0f" fill="#ffffff"/>
`

// Picture returns the whole of it.
func (c *Canvas) Picture(width, height float64, label string) string {
	head := fmt.Sprintf(svgHead, width, height, width, height, html.EscapeString(label), width, height)
	return head + c.body.String() + "</svg>\n"
}
