package assess

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/resolve"
	"tunic/internal/value"
)

var errNoTable = errors.New("no such table")

// readPlain reads the definition of a plain table.
func readPlain(ctx context.Context, db *sql.DB, flavor value.Flavor, n resolve.Name) (t *catalog.Table, err error) {
	rows, err := db.QueryContext(ctx, "SELECT COLUMN_NAME, COLUMN_TYPE, COLLATION_NAME, IS_NULLABLE, COLUMN_KEY, EXTRA FROM information_schema.COLUMNS"+
		" WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION", n.Schema, n.Table)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	types := catalog.TypesOf(flavor)
	var columns []catalog.Column
	var key []string
	for rows.Next() {
		var c catalog.Column
		var collation sql.NullString
		var nullable, keyed, extra string
		if err := rows.Scan(&c.Name, &c.TypeText, &collation, &nullable, &keyed, &extra); err != nil {
			return nil, err
		}
		if c.Type, err = types(c.TypeText, collation.String, nullable == "NO"); err != nil {
			return nil, err
		}
		extra = strings.ToUpper(extra)
		c.AutoIncrement, c.Invisible = strings.Contains(extra, "AUTO_INCREMENT"), strings.Contains(extra, "INVISIBLE")
		c.OnUpdateNow, c.Generated = strings.Contains(extra, "ON UPDATE"), strings.Contains(extra, " GENERATED")
		columns = append(columns, c)
		if keyed == "PRI" {
			key = append(key, c.Name)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(columns) == 0 {
		return nil, errNoTable
	}
	t = catalog.NewPlain(n.Schema, n.Table, columns)
	var name, definition string
	if db.QueryRowContext(ctx, "SHOW CREATE TABLE "+identifier.Quoted(n.Schema)+"."+identifier.Quoted(n.Table)).Scan(&name, &definition) == nil {
		t.Define(definition, key)
	}
	return t, nil
}
