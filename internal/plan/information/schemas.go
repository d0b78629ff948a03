package information

import "strings"

// ofServer are the schemas in which no client has tables.
var ofServer = map[string]bool{Schema: true, "performance_schema": true, "mysql": true, "sys": true}

// OfServer reports whether a schema is one of those.
func OfServer(schema string) bool { return ofServer[strings.ToLower(schema)] }
