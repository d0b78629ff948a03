package eval

import (
	"maps"
	"slices"
)

// The classes of functions with three operands and more, of which not all
// combinations are measured.
var (
	texts  = []string{"text", "bytes", "text'", "int", "decimal", "null'"}
	counts = []string{"int", "int'", "null'"}
	all    = slices.Sorted(maps.Keys(operandsOf))
)

// operations are what the list is measured for. Each template has the operands
// in as many roles as the operation has forms.
var operations = slices.Concat(commonOperations, textOperations, datesOperations(), documentOperations())

// commonOperations are those that are in no file of their own.
var commonOperations = []operationCase{
	{name: "truth", operands: 1, templates: []string{"NOT %1"}},
	{name: "IS NULL", operands: 1, templates: []string{"%1 IS NULL", "%1 IS NOT NULL", "ISNULL(%1)"}},
	{name: "=", operands: 2, templates: []string{"%1 = %2", "%1 < %2", "%1 <=> %2"}},
	{name: "BETWEEN", operands: 2, templates: []string{"%1 BETWEEN %2 AND %2"}},
	{name: "IN", operands: 2, templates: []string{"%1 IN (%2)", "%1 NOT IN (%2, NULL)"}},
	{name: "LIKE", operands: 2, templates: []string{"%1 LIKE %2"}},
	{name: "+", operands: 2, templates: []string{"%1 + %2"}},
	{name: "-", operands: 2, templates: []string{"%1 - %2"}},
	{name: "*", operands: 2, templates: []string{"%1 * %2"}},
	{name: "/", operands: 2, templates: []string{"%1 / %2"}},
	{name: "DIV", operands: 2, templates: []string{"%1 DIV %2"}},
	{name: "MOD", operands: 2, templates: []string{"%1 MOD %2"}},
	{name: "unary -", operands: 1, templates: []string{"-%1"}},
	{name: "unary +", operands: 1, templates: []string{"+%1"}},
	{name: "~", operands: 1, templates: []string{"~%1"}},
	{name: "&", operands: 2, templates: []string{"%1 & %2"}},
	{name: "|", operands: 2, templates: []string{"%1 | %2"}},
	{name: "^", operands: 2, templates: []string{"%1 ^ %2"}},
	{name: "<<", operands: 2, templates: []string{"%1 << %2"}},
	{name: ">>", operands: 2, templates: []string{"%1 >> %2"}},
	{name: "CASE", operands: 2, templates: []string{"CASE WHEN i > 0 THEN %1 ELSE %2 END"}},
	{name: "IF", operands: 2, templates: []string{"IF(i > 0, %1, %2)", "NVL2(%2, %1, %2)"}},
	{name: "IFNULL", operands: 2, templates: []string{"IFNULL(%1, %2)", "NVL(%1, %2)"}},
	{name: "COALESCE", operands: 2, templates: []string{"COALESCE(%1, %2)"}},
	{name: "COALESCE", operands: 1, templates: []string{"COALESCE(%1)"}},
	{name: "NULLIF", operands: 2, templates: []string{"NULLIF(%1, %2)"}},
	{name: "GREATEST", operands: 2, templates: []string{"GREATEST(%1, %2)"}},
	{name: "LEAST", operands: 2, templates: []string{"LEAST(%1, %2)"}},
	{name: "CONCAT", operands: 2, templates: []string{"CONCAT(%1, %2)"}},
	{name: "CONCAT", operands: 1, templates: []string{"CONCAT(%1)"}},
	{name: "CONCAT_WS", operands: 2, templates: []string{"CONCAT_WS(', ', %1, %2)"}},
	{name: "CONCAT_WS", operands: 1, templates: []string{"CONCAT_WS('-', %1)"}},
	{name: "LENGTH", operands: 1, templates: []string{"LENGTH(%1)"}},
	{name: "CHAR_LENGTH", operands: 1, templates: []string{"CHAR_LENGTH(%1)"}},
	{name: "LEFT", operands: 2, templates: []string{"LEFT(%1, %2)"}},
	{name: "RIGHT", operands: 2, templates: []string{"RIGHT(%1, %2)"}},
	{name: "SUBSTRING", operands: 2, templates: []string{"SUBSTRING(%1, %2)"}},
	{name: "SUBSTRING", operands: 3, templates: []string{"SUBSTRING(%1, %2, %3)"}, classes: [][]string{texts, counts, counts}},
	{name: "LOWER", operands: 1, templates: []string{"LOWER(%1)"}},
	{name: "UPPER", operands: 1, templates: []string{"UPPER(%1)"}},
	{name: "TRIM", operands: 1, templates: []string{"TRIM(%1)", "LTRIM(%1)", "RTRIM(%1)"}},
	{name: "TRIM", operands: 2, templates: []string{"TRIM(%2 FROM %1)", "TRIM(LEADING %2 FROM %1)", "TRIM(TRAILING %2 FROM %1)"}},
	{name: "REPLACE", operands: 2, templates: []string{"REPLACE(%1, %1, %2)", "REPLACE(%1, %2, %2)"}},
	{name: "REVERSE", operands: 1, templates: []string{"REVERSE(%1)"}},
	{name: "STRCMP", operands: 2, templates: []string{"STRCMP(%1, %2)"}},
	{name: "ABS", operands: 1, templates: []string{"ABS(%1)"}},
	{name: "FLOOR", operands: 1, templates: []string{"FLOOR(%1)"}},
	{name: "CEILING", operands: 1, templates: []string{"CEILING(%1)"}},
	{name: "ROUND", operands: 1, templates: []string{"ROUND(%1)"}},
	{name: "ROUND", operands: 2, templates: []string{"ROUND(%1, 0)", "ROUND(%1, 1)", "ROUND(%1, 2)", "ROUND(%1, -1)", "ROUND(%1, 4)"}, classes: [][]string{all, {"int'"}}},
	{name: "TRUNCATE", operands: 2, templates: []string{"TRUNCATE(%1, 0)", "TRUNCATE(%1, 1)", "TRUNCATE(%1, 2)", "TRUNCATE(%1, -1)"}, classes: [][]string{all, {"int'"}}},
	{name: "SIGN", operands: 1, templates: []string{"SIGN(%1)"}},
	{name: "SQRT", operands: 1, templates: []string{"SQRT(%1)"}},
	{name: "POW", operands: 2, templates: []string{"POW(%1, %2)", "POWER(%1, %2 % 4)"}},
	{name: "DEGREES", operands: 1, templates: []string{"DEGREES(%1)"}},
	{name: "RADIANS", operands: 1, templates: []string{"RADIANS(%1)"}},
	{name: "PI", operands: 1, templates: []string{"PI()", "PI() * %1"}, classes: [][]string{{"int'"}}},
	{name: "CAST AS SIGNED", operands: 1, templates: []string{"CAST(%1 AS SIGNED)"}},
	{name: "CAST AS UNSIGNED", operands: 1, templates: []string{"CAST(%1 AS UNSIGNED)"}},
	{name: "CAST AS DECIMAL", operands: 1, templates: []string{"CAST(%1 AS DECIMAL(20,3))", "CAST(%1 AS DECIMAL)"}},
	{name: "CAST AS DOUBLE", operands: 1, templates: []string{"CAST(%1 AS DOUBLE)"}},
	{name: "CAST AS CHAR", operands: 1, templates: []string{"CAST(%1 AS CHAR)", "CAST(%1 AS CHAR(3))"}},
	{name: "CAST AS BINARY", operands: 1, templates: []string{"CAST(%1 AS BINARY)"}},
	{name: "CAST AS DATE", operands: 1, templates: []string{"CAST(%1 AS DATE)"}},
	{name: "CAST AS DATETIME", operands: 1, templates: []string{"CAST(%1 AS DATETIME)", "CAST(%1 AS DATETIME(3))"}},
	{name: "CAST AS TIME", operands: 1, templates: []string{"CAST(%1 AS TIME)", "CAST(%1 AS TIME(2))"}},
	{name: "COLLATE", operands: 1, templates: []string{"(%1 COLLATE utf8mb4_bin) = 'a'", "(%1 COLLATE utf8mb4_general_ci) = 'a'", "(%1 COLLATE utf8mb4_unicode_ci) < 'b'"}},
}
