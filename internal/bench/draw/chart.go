package draw

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// A chart's measures, in pixels. Two of them stand side by side on a page.
const (
	chartWidth  = 540.0
	chartHeight = 250.0
	chartLeft   = 62.0 // of the axis
	chartTop    = 34.0
	chartRight  = 14.0 // right of the last value
	chartFoot   = 30.0
	chartPoints = 270 // at most in one line: more would be narrower than two pixels each
)

// Chart shows how a number goes on, second by second.
type Chart struct {
	Title string
	Lines []ChartLine
}

// ChartLine is one measurement of one target: a value a second.
type ChartLine struct {
	Colour string
	Values []float64
}

// Draw returns the picture, "" if there is nothing that goes on.
func (c Chart) Draw() string {
	seconds, largest := 0, 0.0
	for _, l := range c.Lines {
		seconds = max(seconds, len(l.Values))
		for _, v := range l.Values {
			largest = max(largest, v)
		}
	}
	if seconds < 2 || largest <= 0 {
		return ""
	}
	a := axes{
		seconds: float64(seconds), limit: largest * 1.08,
		right: chartWidth - chartRight, bottom: chartHeight - chartFoot,
	}
	a.Text(chartLeft, 18, AtStart, "head", c.Title)
	a.frame(largest)
	for _, l := range c.Lines {
		a.follow(l)
	}
	return a.Picture(chartWidth, chartHeight, c.Title)
}

// axes are a canvas with time to the right and a value upwards, both from 0.
type axes struct {
	Canvas
	seconds, limit float64
	right, bottom  float64 // pixels
}

func (a *axes) x(second float64) float64 {
	return chartLeft + (a.right-chartLeft)*second/a.seconds
}

func (a *axes) y(value float64) float64 {
	return a.bottom - (a.bottom-chartTop)*value/a.limit
}

// frame draws the grid and its numbers.
func (a *axes) frame(largest float64) {
	for i, step := 0, RoundStep(largest/5); float64(i)*step <= a.limit; i++ {
		y := a.y(float64(i) * step)
		a.Line(chartLeft, y, a.right, y, GridColour, 1)
		a.Text(chartLeft-6, y+4, AtEnd, "faint", strconv.FormatFloat(float64(i)*step, 'g', 6, 64))
	}
	for i, step := 0, math.Max(1, RoundStep(a.seconds/8)); float64(i)*step <= a.seconds; i++ {
		second := float64(i) * step
		a.Text(a.x(second), a.bottom+16, Centred, "faint", fmt.Sprintf("%g s", second))
	}
	a.Line(chartLeft, a.bottom, a.right, a.bottom, FrameColour, 1)
}

// follow draws a line through the middle of each second, or of as many seconds as make
// a point.
func (a *axes) follow(l ChartLine) {
	size := max(1, (len(l.Values)+chartPoints-1)/chartPoints)
	var xs, ys []float64
	from := 0
	for chunk := range slices.Chunk(l.Values, size) {
		sum := 0.0
		for _, v := range chunk {
			sum += v
		}
		xs = append(xs, a.x(float64(from)+float64(len(chunk))/2))
		ys = append(ys, a.y(sum/float64(len(chunk))))
		from += len(chunk)
	}
	a.path(xs, ys, l.Colour, 1.5)
}
