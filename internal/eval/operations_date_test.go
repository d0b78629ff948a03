package eval

import (
	"maps"
	"slices"
	"strings"

	"tunic/internal/eval/calendar"
)

// The classes of operands of functions of dates and times.
var (
	dates     = []string{"date", "datetime", "timestamp", "date'", "datetime'", "text'", "null'"}
	times     = []string{"time", "time'", "text'", "null'"}
	moments   = append(slices.Clone(dates), "time", "time'")
	numbers   = []string{"int", "uint", "bit", "year", "decimal", "double", "int'", "decimal'", "double'", "text'", "null'"}
	formats   = []string{"text'"}
	dateParts = []string{"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND"}
)

// amounts are those of the units that have several parts.
var amounts = map[string][]string{
	"YEAR_MONTH":         {"'1-2'", "'-3-11'", "5", "1.5"},
	"DAY_HOUR":           {"'1 2'", "'-1 23'", "5"},
	"DAY_MINUTE":         {"'1 2:3'", "'-0 0:59'", "'2:3'"},
	"DAY_SECOND":         {"'1 2:3:4'", "'-1 2:3:4'", "'3:4'", "7"},
	"DAY_MICROSECOND":    {"'1 2:3:4.5'", "'1 2:3:4.000005'"},
	"HOUR_MINUTE":        {"'1:2'", "'-1:30'", "1.5", "90"},
	"HOUR_SECOND":        {"'1:2:3'", "'-1:2:3'"},
	"HOUR_MICROSECOND":   {"'1:2:3.25'"},
	"MINUTE_SECOND":      {"'1:2'", "'-90:90'", "5"},
	"MINUTE_MICROSECOND": {"'1:2.5'"},
	"SECOND_MICROSECOND": {"'1.5'", "'-1.000001'", "1.5", "-2.25"},
}

func ofDate(name string, templates ...string) operationCase {
	if templates == nil {
		templates = []string{name + "(%1)"}
	}
	return operationCase{name: name, operands: 1, templates: templates, classes: [][]string{all}}
}

// datesOperations are what is measured of dates and times: fields, intervals, and dateOperations.
func datesOperations() (operations []operationCase) {
	for _, name := range slices.Sorted(maps.Keys(calendar.Fields)) {
		operations = append(operations, ofDate(strings.ToUpper(name)))
	}
	for _, name := range slices.Sorted(maps.Keys(calendar.Extracts)) {
		operations = append(operations, operationCase{
			name: "EXTRACT " + name, operands: 1, classes: [][]string{moments},
			templates: []string{"EXTRACT(" + name + " FROM %1)"},
		})
	}
	for _, name := range dateParts {
		operations = append(operations, operationCase{
			name: "INTERVAL " + name, operands: 2, classes: [][]string{moments, numbers},
			templates: []string{"%1 + INTERVAL %2 " + name, "DATE_SUB(%1, INTERVAL %2 " + name + ")", "TIMESTAMPADD(" + name + ", %2, %1)"},
		}, operationCase{
			name: "TIMESTAMPDIFF " + name, operands: 2, classes: [][]string{dates, dates},
			templates: []string{"TIMESTAMPDIFF(" + name + ", %1, %2)"},
		})
	}
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		for _, amount := range amounts[name] {
			class := "text'"
			switch {
			case strings.Contains(amount, "'"):
			case strings.Contains(amount, "."):
				class = "decimal'"
			default:
				class = "int'"
			}
			operations = append(operations, operationCase{
				name: "INTERVAL " + name, operands: 2, classes: [][]string{moments, {class}},
				templates: []string{"%1 + INTERVAL " + amount + " " + name, "%1 - INTERVAL " + amount + " " + name},
			})
		}
		operations = append(operations, operationCase{
			name: "INTERVAL " + name, operands: 2, classes: [][]string{moments, {"int", "null'"}},
			templates: []string{"%1 + INTERVAL %2 " + name},
		})
	}
	return append(operations, dateOperations...)
}

// dateOperations are those whose templates are their own.
var dateOperations = []operationCase{
	ofDate("DATE"), ofDate("LAST_DAY"), ofDate("DAYNAME"), ofDate("MONTHNAME"),
	{name: "DATEDIFF", operands: 2, templates: []string{"DATEDIFF(%1, %2)"}, classes: [][]string{dates, dates}},
	ofDate("WEEK", "WEEK(%1)"),
	{name: "WEEK", operands: 2, classes: [][]string{dates, {"int'"}}, templates: []string{
		"WEEK(%1, 0)", "WEEK(%1, 1)", "WEEK(%1, 2)", "WEEK(%1, 3)", "WEEK(%1, 4)", "WEEK(%1, 5)", "WEEK(%1, 6)", "WEEK(%1, 7)",
	}},
	ofDate("YEARWEEK", "YEARWEEK(%1)"),
	{name: "YEARWEEK", operands: 2, classes: [][]string{dates, {"int'"}}, templates: []string{
		"YEARWEEK(%1, 0)", "YEARWEEK(%1, 1)", "YEARWEEK(%1, 4)", "YEARWEEK(%1, 5)",
	}},
	{name: "DATE_FORMAT", operands: 2, classes: [][]string{moments, formats}, templates: []string{
		"DATE_FORMAT(%1, '%Y-%m-%d')", "DATE_FORMAT(%1, '%d.%m.%Y %H:%i:%s')", "DATE_FORMAT(%1, '%y/%c/%e äö %q %%')",
		"DATE_FORMAT(%1, '%a %b %D %W %M')", "DATE_FORMAT(%1, '%f %h %I %j %k %l %p %r %S %T')",
		"DATE_FORMAT(%1, '%U %u %V %v %w %X %x %')", "DATE_FORMAT(%1, '')",
	}},
	{name: "TIME_FORMAT", operands: 2, classes: [][]string{moments, formats}, templates: []string{
		"TIME_FORMAT(%1, '%H:%i:%s')", "TIME_FORMAT(%1, '%h %I %k %l %p %r %T %f %S')", "TIME_FORMAT(%1, '%H h %q')",
	}},
	{name: "STR_TO_DATE", operands: 2, classes: [][]string{{"text'"}, formats}, templates: []string{
		"STR_TO_DATE('2020-01-02', '%Y-%m-%d')", "STR_TO_DATE('2.1.2020', '%d.%m.%Y')", "STR_TO_DATE('10:11:12', '%H:%i:%s')",
		"STR_TO_DATE('10:11:12.5', '%T.%f')", "STR_TO_DATE('2020-02-29 23:59:59.25', '%Y-%m-%d %H:%i:%s.%f')",
		"STR_TO_DATE('Jan 2, 69 12:05 AM', '%b %e, %y %h:%i %p')", "STR_TO_DATE('january 31 1970 12:00:01 pm', '%M %d %Y %r')",
		"STR_TO_DATE(%1, '%Y-%m-%d')", "STR_TO_DATE('2020-02-30', '%Y-%m-%d')", "STR_TO_DATE('20200102', '%Y%m%d')",
	}},
	{name: "STR_TO_DATE", operands: 2, classes: [][]string{{"text"}, formats}, templates: []string{
		"STR_TO_DATE(CONCAT(da), '%Y-%m-%d')", "STR_TO_DATE(CONCAT(dt6), '%Y-%m-%d %H:%i:%s.%f')",
		"STR_TO_DATE(CONCAT(da, ' ', tm), '%Y-%m-%d %T')", "STR_TO_DATE(CONCAT(tm), '%H:%i:%s')", "STR_TO_DATE(%1, '%d.%m.%Y')",
	}},
	{name: "TIME", operands: 1, templates: []string{"TIME(%1)"}, classes: [][]string{moments}},
	{name: "TIMESTAMP", operands: 1, templates: []string{"TIMESTAMP(%1)"}, classes: [][]string{moments}},
	{name: "TIMESTAMP", operands: 2, templates: []string{"TIMESTAMP(%1, %2)"}, classes: [][]string{moments, moments}},
	{name: "TIMEDIFF", operands: 2, templates: []string{"TIMEDIFF(%1, %2)"}, classes: [][]string{moments, moments}},
	{name: "ADDTIME", operands: 2, templates: []string{"ADDTIME(%1, %2)"}, classes: [][]string{moments, times}},
	{name: "SUBTIME", operands: 2, templates: []string{"SUBTIME(%1, %2)"}, classes: [][]string{moments, times}},
	{name: "SEC_TO_TIME", operands: 1, templates: []string{"SEC_TO_TIME(%1)"}, classes: [][]string{numbers}},
	{name: "MAKETIME", operands: 3, templates: []string{"MAKETIME(%1, %2, %3)"}, classes: [][]string{{"int", "int'"}, {"int", "int'"}, {"int", "decimal", "int'", "decimal'"}}},
	{name: "MAKEDATE", operands: 2, templates: []string{"MAKEDATE(%1, %2)"}, classes: [][]string{numbers, numbers}},
	{name: "FROM_DAYS", operands: 1, templates: []string{"FROM_DAYS(%1)", "FROM_DAYS(%1 + 700000)"}, classes: [][]string{numbers}},
	{name: "PERIOD_ADD", operands: 2, templates: []string{"PERIOD_ADD(%1, %2)", "PERIOD_ADD(202011, %2)"}, classes: [][]string{{"int", "int'", "uint", "decimal"}, {"int", "int'", "uint", "decimal"}}},
	{name: "PERIOD_DIFF", operands: 2, templates: []string{"PERIOD_DIFF(%1, %2)", "PERIOD_DIFF(7002, 199912)"}, classes: [][]string{{"int", "int'", "uint", "decimal"}, {"int", "int'", "uint", "decimal"}}},
	{name: "UNIX_TIMESTAMP", operands: 1, templates: []string{"UNIX_TIMESTAMP(%1)"}, classes: [][]string{moments}},
	{name: "FROM_UNIXTIME", operands: 1, templates: []string{"FROM_UNIXTIME(%1)"}, classes: [][]string{numbers}},
	{name: "FROM_UNIXTIME", operands: 2, classes: [][]string{numbers, formats}, templates: []string{
		"FROM_UNIXTIME(%1, '%Y-%m-%d')", "FROM_UNIXTIME(%1, '%H:%i:%s.%f %W')",
	}},
	{name: "CONVERT_TZ", operands: 3, classes: [][]string{dates, formats, formats}, templates: []string{
		"CONVERT_TZ(%1, '+00:00', '+01:00')", "CONVERT_TZ(%1, '-05:30', '+00:00')", "CONVERT_TZ(%1, %2, '+00:00')",
	}},
}
