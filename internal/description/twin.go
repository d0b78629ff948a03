package description

import (
	"strings"

	"tunic/internal/backend"
	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// OfTwin asks the server for the definitions of a table's logical columns, by
// their names in lower case.
func OfTwin(d Describer, t *catalog.Table, as backend.DescribeAs) (map[string]wire.ColumnDefinition, error) {
	known := t.Known()
	quoted := make([]string, len(known))
	for i := range known {
		quoted[i] = identifier.Quoted(known[i].Name)
	}
	as.Client = "utf8mb4"
	_, columns, err := d.Describe(
		[]byte("SELECT "+strings.Join(quoted, ", ")+" FROM "+catalog.Schema+"."+identifier.Quoted(t.Twin)), nil, as)
	if err != nil || len(columns) != len(known) {
		return nil, sqlerr.NotDescribed()
	}
	found := make(map[string]wire.ColumnDefinition, len(columns))
	for i := range columns {
		c := &columns[i]
		c.Schema, c.Table, c.OrgTable = []byte(t.Schema), []byte(t.Name), []byte(t.Name)
		found[strings.ToLower(known[i].Name)] = *c
	}
	return found, nil
}
