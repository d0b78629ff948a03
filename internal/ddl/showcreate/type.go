package showcreate

import (
	"strconv"
	"strings"
)

// TypeLength is the number in the text of a type.
func TypeLength(typ string) (n int) {
	_, rest, _ := strings.Cut(typ, "(")
	n, _ = strconv.Atoi(strings.TrimSuffix(rest, ")"))
	return n
}
