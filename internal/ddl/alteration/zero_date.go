package alteration

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/value"
)

// WithoutZeroDates is a sql_mode that allows all dates.
func WithoutZeroDates(mode string) string {
	all := strings.Split(mode, ",")
	return strings.Join(slices.DeleteFunc(all, func(m string) bool {
		return m == "NO_ZERO_DATE" || m == "NO_ZERO_IN_DATE" || m == "TRADITIONAL"
	}), ",")
}

// CopiesDates reports whether what a server has said is of a plain date that goes on as it
// is, and that a plain server would not have looked at. Columns that come with zero dates
// of their own, or that are computed, it does look at.
func (c *Change) CopiesDates(next *catalog.Table, message string) bool {
	if !c.Rowless || strings.Contains(strings.ToUpper(c.Old.Definition), " AS (") {
		return false
	}
	for i := range next.Columns {
		now := &next.Columns[i]
		if c.Before(now.Name) == nil && !now.Protected() && now.Type.NotNull && isDate(now.Type.Kind) {
			return false
		}
	}
	for i := range c.Old.Columns {
		column := &c.Old.Columns[i]
		if column.Protected() || !isDate(column.Type.Kind) {
			continue
		}
		for _, quote := range [...]string{"'", "`"} {
			if strings.Contains(message, quote+column.Name+quote+" at row ") {
				return true
			}
		}
	}
	return false
}

func isDate(k value.Kind) bool {
	return k == value.Date || k == value.DateTime || k == value.Timestamp
}
