package structure

import (
	"fmt"
	"slices"
	"strings"
)

// wide is where a line of a picture is broken.
const wide = 140

// Picture draws packages, the importers above what they import: a line, or several, for each floor,
// with the thousands of lines of each package and the share of them in its largest cycle of files.
func Picture(packages []Package) string {
	var b strings.Builder
	for floor, on := range slices.Backward(floorsOf(packages)) {
		slices.SortStableFunc(on, func(a, b Package) int { return b.Lines - a.Lines })
		line := fmt.Sprintf("%-2d", floor)
		for i, p := range on {
			box := boxOf(p)
			switch {
			case i == 0:
				line += " "
			case len(line)+len(box)+2 > wide:
				b.WriteString(line + "\n")
				line = "   "
			default:
				line += "  "
			}
			line += box
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func boxOf(p Package) string {
	box := fmt.Sprintf("%s %.1f", strings.TrimPrefix(p.Path, "internal/"), float64(p.Lines)/1000)
	if p.CycleLines > 0 {
		box += fmt.Sprintf("/%d%%", p.Share())
	}
	return box
}

// floorsOf puts each package on the lowest floor that is above all that it imports.
func floorsOf(packages []Package) (floors [][]Package) {
	by := make(map[string]Package, len(packages))
	for _, p := range packages {
		by[p.Path] = p
	}
	known := map[string]int{}
	var floorOf func(path string) int
	floorOf = func(path string) int {
		floor, ok := known[path]
		if ok {
			return floor
		}
		for _, i := range by[path].Imports {
			if _, measured := by[i]; measured {
				floor = max(floor, floorOf(i)+1)
			}
		}
		known[path] = floor
		return floor
	}
	for _, p := range packages {
		floor := floorOf(p.Path)
		for len(floors) <= floor {
			floors = append(floors, nil)
		}
		floors[floor] = append(floors[floor], p)
	}
	return floors
}
