package plan

import "strings"

// Named is a table that a statement names, with the schema that it is looked for in.
type Named struct{ Schema, Table string }

// ofServer are the schemas in which no client has tables.
var ofServer = map[string]bool{"information_schema": true, "performance_schema": true, "mysql": true, "sys": true}

// OfServer reports whether a schema is one of those.
func OfServer(schema string) bool { return ofServer[strings.ToLower(schema)] }
