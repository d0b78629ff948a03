package draw

import (
	"strings"
	"testing"
)

func TestChartOfOneSecond(t *testing.T) {
	for name, c := range map[string]Chart{
		"nothing":    {},
		"one second": {Lines: []ChartLine{{Values: []float64{3}}}},
		"only zeros": {Lines: []ChartLine{{Values: []float64{0, 0, 0}}}},
	} {
		if drawn := c.Draw(); drawn != "" {
			t.Errorf("%s: %s", name, drawn)
		}
	}
}

// A line of hours has no more points than can be seen, and none is left out of them.
func TestChartOfHours(t *testing.T) {
	values := make([]float64, 7200)
	for i := range values {
		values[i] = 1
	}
	values[7199] = 1000
	drawn := Chart{Title: "x", Lines: []ChartLine{{"#000000", values}}}.Draw()
	_, points, _ := strings.Cut(drawn, `points="`)
	points, _, _ = strings.Cut(points, `"`)
	if n := len(strings.Fields(points)); n < chartPoints/2 || n > chartPoints {
		t.Errorf("%d points", n)
	}
	fields := strings.Fields(points)
	_, first, _ := strings.Cut(fields[0], ",")
	_, last, _ := strings.Cut(fields[len(fields)-1], ",")
	if first == last {
		t.Error("the last second makes no difference")
	}
}

func TestRoundStep(t *testing.T) {
	for value, want := range map[float64]float64{0.2: 0.2, 0.21: 0.5, 3: 5, 6: 10, 10: 10, 11: 20, 0.07: 0.1} {
		if got := RoundStep(value); got < want*0.999 || got > want*1.001 {
			t.Errorf("%v: got %v, want %v", value, got, want)
		}
	}
}

// TestCanvas: a picture names its texts, and what is text stays text.
func TestCanvas(t *testing.T) {
	var c Canvas
	c.Text(1, 2, AtEnd, "head", "a < b")
	c.Line(0, 0, 3, 4, GridColour, 1)
	c.Dot(5, 6, 2, Colours[0], `"tip" & more`)
	c.Bar(7, 8, 9, 10, Colours[1])
	drawn := c.Picture(100, 50, "<all>")
	for _, want := range []string{
		`aria-label="&lt;all&gt;"`, `text-anchor="end" class="head">a &lt; b<`, `<title>&#34;tip&#34; &amp; more</title>`, `<line x1="0.0"`, `<rect x="7.0" y="8.0"`,
	} {
		if !strings.Contains(drawn, want) {
			t.Errorf("%s is not in\n%s", want, drawn)
		}
	}
	if strings.Contains(drawn, "href") || !strings.HasSuffix(drawn, "</svg>\n") {
		t.Error(drawn)
	}
}
