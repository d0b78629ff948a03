package migrate

import (
	"context"
	"database/sql"
	"strings"
)

// checkTable is about the kind of table.
func checkTable(ctx context.Context, s *subject) ([]Finding, error) {
	var engine, options sql.NullString
	err := s.DB.QueryRowContext(ctx, "SELECT ENGINE, CREATE_OPTIONS FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?",
		s.Schema, s.Table).Scan(&engine, &options)
	switch {
	case err != nil:
		return nil, err
	case !strings.EqualFold(engine.String, "InnoDB"):
		return hinders("the table is not InnoDB: others cannot be changed while clients write",
			"ALTER TABLE … ENGINE=InnoDB; or make a protected table and INSERT … SELECT through tunic"), nil
	case strings.Contains(options.String, "partitioned"):
		return hinders("the table is partitioned", "protect it before it is partitioned; or make a protected table and INSERT … SELECT through tunic"), nil
	}
	return nil, nil
}
