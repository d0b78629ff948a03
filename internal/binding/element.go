package binding

import "strings"

// formatElements are those of TO_CHAR, the longer of two that begin alike first (MariaDB manual, "TO_CHAR").
var formatElements = []string{
	"YYYY", "YYY", "YY", "Y", "RRRR", "RR", "MONTH", "MON", "MM", "MI", "DAY", "DD", "DY", "HH24", "HH12", "HH", "SS",
	"A.D.", "A.M.", "AD", "AM", "B.C.", "BC", "P.M.", "PM",
}

// elementOf is how long the element is with which a format begins; 0 if it begins with none.
func elementOf(s []byte) int {
	for _, e := range formatElements {
		if len(s) >= len(e) && strings.EqualFold(string(s[:len(e)]), e) {
			return len(e)
		}
	}
	return 0
}
