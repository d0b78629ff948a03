package information

import (
	"strings"

	"tunic/internal/catalog"
)

// worded are the columns of information_schema that the server does not know: in its
// answer words stand for them, so that it decides nothing of them.
var worded = map[string]bool{
	"column_default": true, "column_type": true, "column_comment": true, "table_comment": true, "view_definition": true,
	"generation_expression": true, "check_clause": true,
}

// Worded reports whether a column of information_schema may be one that the server does
// not know.
func Worded(column string) bool { return worded[strings.ToLower(column)] }

// IsTold reports whether a table is one of information_schema.
func IsTold(t *catalog.Table) bool { return strings.EqualFold(t.Schema, Schema) }
