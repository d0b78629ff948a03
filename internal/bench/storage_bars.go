package bench

import "fmt"

// Measures of the bars of what is stored, in pixels.
const (
	barsLeft   = 120.0
	barsWidth  = 620.0
	barHeight  = 22.0
	barsMargin = 200.0 // right of the longest bar, for its number
)

// storageBars draws the bytes that a row takes at each server, "" if none were measured.
func (d *Document) storageBars() string {
	largest := 0.0
	for _, s := range d.Storage {
		largest = max(largest, s.BytesPerRow)
	}
	if largest == 0 {
		return ""
	}
	var c canvas
	y := 8.0
	for _, s := range d.Storage {
		rowBytes := float64(s.DataBytes) / float64(max(s.Rows, 1))
		scale := (barsWidth - barsLeft - barsMargin) / largest
		c.text(barsLeft-8, y+15, atEnd, "head", s.tables())
		c.bar(barsLeft, y, rowBytes*scale, barHeight-4, targetColours[2])
		c.bar(barsLeft+rowBytes*scale, y, max(0, s.BytesPerRow-rowBytes)*scale, barHeight-4, targetColours[6])
		c.text(barsLeft+s.BytesPerRow*scale+8, y+14, atStart, "value",
			fmt.Sprintf("%.0f bytes a row, %.0f of them the row's", s.BytesPerRow, rowBytes))
		y += barHeight
	}
	return c.picture(barsWidth, y+4, "Bytes a row")
}
