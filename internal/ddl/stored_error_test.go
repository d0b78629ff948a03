package ddl

import (
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/sqlerr"
)

// TestStoredError: what the server says of stored columns is said of the logical ones, of a family's of all its members.
func TestStoredError(t *testing.T) {
	table := &catalog.Table{Name: "line", Columns: []catalog.Column{
		{Name: "o", Family: "line$form", Layers: []catalog.Layer{{Stored: "o$eq"}}}, {Name: "id"}, {Name: "w", Family: "line$form"}, {Name: "x", Family: "x_line$form"},
	}, Families: []catalog.Family{{Stored: "line$form"}, {Stored: "x_line$form"}}}
	for said, want := range map[string]string{
		"Column 'o$eq' cannot be null":                     "Column 'o' cannot be null",
		"Column 'line$form' cannot be null":                "Column 'o, w' cannot be null",
		"Data too long for column 'x_line$form' at row 1":  "Data too long for column 'x' at row 1",
		"Unknown column 'id' in 'field list'":              "Unknown column 'id' in 'field list'",
		"CONSTRAINT `tunic$6f0c` failed for `shop`.`line`": "",
	} {
		err := storedError(&sqlerr.Error{Number: 1048, State: "23000", Message: said}, table)
		if want == "" {
			err = storedError(&sqlerr.Error{Number: 4025, State: "23000", Message: said}, table)
			if !errors.Is(err, sqlerr.ChangedAround("", "")) {
				t.Errorf("%s: %v", said, err)
			}
			continue
		}
		if e, ok := errors.AsType[*sqlerr.Error](err); !ok || e.Message != want {
			t.Errorf("%s: %v", said, err)
		}
	}
}
