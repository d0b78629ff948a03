package page

import (
	"fmt"

	"tunic/internal/bench/document"
	"tunic/internal/bench/draw"
)

// Measures of the bars of what is stored, in pixels.
const (
	barsLeft   = 120.0
	barsWidth  = 620.0
	barHeight  = 22.0
	barsMargin = 200.0 // right of the longest bar, for its number
)

// storageBars draws the bytes that a row takes at each server, "" if none were measured.
func storageBars(d *document.Document) string {
	largest := 0.0
	for _, s := range d.Storage {
		largest = max(largest, s.BytesPerRow)
	}
	if largest == 0 {
		return ""
	}
	var c draw.Canvas
	y := 8.0
	for _, s := range d.Storage {
		rowBytes := float64(s.DataBytes) / float64(max(s.Rows, 1))
		scale := (barsWidth - barsLeft - barsMargin) / largest
		c.Text(barsLeft-8, y+15, draw.AtEnd, "head", storedAs(s))
		c.Bar(barsLeft, y, rowBytes*scale, barHeight-4, draw.Colours[2])
		c.Bar(barsLeft+rowBytes*scale, y, max(0, s.BytesPerRow-rowBytes)*scale, barHeight-4, draw.Colours[6])
		c.Text(barsLeft+s.BytesPerRow*scale+8, y+14, draw.AtStart, "value",
			fmt.Sprintf("%.0f bytes a row, %.0f of them the row's", s.BytesPerRow, rowBytes))
		y += barHeight
	}
	return c.Picture(barsWidth, y+4, "Bytes a row")
}
