package migrate

import (
	"context"
	"strings"

	"tunic/internal/ddl/remedy"
)

// checkExpressions is about what the server computes of columns: generated ones, CHECK
// constraints. It would compute of ciphertext.
func checkExpressions(ctx context.Context, s *subject) (all []Finding, err error) {
	plain, err := s.shown(ctx)
	if err != nil {
		return nil, err
	}
	told := map[string]bool{}
	plain.Computed(s.protects, func(generated, column string, r remedy.Remedy) {
		switch {
		case containsFold(s.textual, column) && generated == "": // the JSON of MariaDB, which is told by itself
		case generated != "":
			told[strings.ToLower(generated)] = true
			all = append(all, remedied(generatedColumn, "generated column "+generated+" of the table is over column "+column,
				"drop it, and compute it in the application: tunic adds one to no table with rows", r))
		default:
			all = append(all, remedied(checkConstraint, "a CHECK of the table is over column "+column, "drop it, and add it again through tunic when the column is protected", r))
		}
	})
	for i := 0; s.planned != nil && i < len(s.planned.Columns); i++ {
		if c := &s.planned.Columns[i]; c.Protected() && c.Generated && !told[strings.ToLower(c.Name)] {
			all = append(all, remedied(generatedColumn, "column "+c.Name+" is generated", "leave it out: name the others with --columns", remedy.Remedy{}))
		}
	}
	return all, nil
}
