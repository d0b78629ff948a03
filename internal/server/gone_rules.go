package server

import (
	"slices"

	"tunic/internal/config"
)

// goneRules are the columns of rules that are no more, or are of other columns: what they would protect may come in the
// clear from now on. It may be meant; or the file was cut, or is an older one.
func goneRules(before, now []config.Rule) (columns []string) {
	for _, r := range before {
		if !slices.ContainsFunc(now, func(of config.Rule) bool { return of.Columns == r.Columns }) {
			columns = append(columns, r.Columns)
		}
	}
	return columns
}
