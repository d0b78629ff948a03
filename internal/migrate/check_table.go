package migrate

import (
	"context"
	"database/sql"
	"strings"

	"tunic/internal/ddl/remedy"
	"tunic/internal/identifier"
)

// checkTable is about the kind of table.
func checkTable(ctx context.Context, s *subject) (all []Finding, err error) {
	var engine, options sql.NullString
	err = s.DB.QueryRowContext(ctx, "SELECT ENGINE, CREATE_OPTIONS FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?",
		s.Schema, s.Table).Scan(&engine, &options)
	if err != nil {
		return nil, err
	}
	if !strings.EqualFold(engine.String, "InnoDB") {
		all = append(all, remedied(otherEngine, "the table is not InnoDB: others cannot be changed while clients write",
			"change its engine, which copies it", remedy.Remedy{Remove: []string{"ALTER TABLE " + identifier.Quoted(s.Schema) + "." + identifier.Quoted(s.Table) + " ENGINE=InnoDB"}}))
	}
	if strings.Contains(options.String, "partitioned") {
		plain, err := s.shown(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, remedied(partitions, "the table is partitioned", "remove the partitions, which copies it; or make a protected table with partitions, and INSERT … SELECT through tunic", plain.Unpartitioned()))
	}
	return all, nil
}
