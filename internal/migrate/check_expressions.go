package migrate

import (
	"context"
	"slices"
	"strings"
)

// checkExpressions is about what the server computes of columns: generated ones, CHECK
// constraints. It would compute of ciphertext.
func checkExpressions(ctx context.Context, s *subject) (all []Finding, err error) {
	var name, definition string
	err = s.DB.QueryRowContext(ctx, "SHOW CREATE TABLE "+quoted(s.Schema)+"."+quoted(s.Table)).Scan(&name, &definition)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(definition, "\n")
	for _, line := range lines[1:] {
		generated, check := strings.Contains(line, " GENERATED ALWAYS AS ("), strings.Contains(strings.ToUpper(line), "CHECK (")
		if !generated && !check {
			continue
		}
		for _, column := range s.names() {
			if strings.Contains(strings.ToLower(line), strings.ToLower(quoted(column))) {
				found := Finding{Hinders: true, What: "a generated column or a CHECK of the table is over column " + column, Fix: "drop it, and add it again through tunic when the column is protected"}
				if !slices.Contains(all, found) {
					all = append(all, found)
				}
			}
		}
	}
	return all, nil
}
