package layering

import (
	"context"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/form"
)

// addColumns adds the stored columns of layers that a table is to get, before anybody knows of
// them: servers add columns at once in a statement that does nothing else, and MariaDB behind
// all others only. Columns of such names that are there are of another time, but for mine.
func (s *Layers) addColumns(ctx context.Context, t, next *catalog.Table, mine map[string]bool, wait time.Duration) error {
	leftovers, err := s.Tables.LeftoversOf(ctx, t)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, name := range leftovers {
		if there[name] = mine[name]; !mine[name] {
			if err := s.Tables.DropLeftover(ctx, t, name, wait); err != nil {
				return err
			}
		}
	}
	var clauses []string
	for of := range next.StoredColumns() {
		if of.Layer == nil {
			continue
		}
		if mine[of.Name] = t.StoredColumn(of.Name).Layer == nil; mine[of.Name] && !there[of.Name] {
			clauses = append(clauses, "ADD COLUMN "+form.Column(of.Name, form.TokenType(of.Layer, &of.Column.Type), false).Text)
		}
	}
	if len(clauses) == 0 {
		return nil
	}
	return s.Tables.Turns.Quiesced(ctx, t, wait, func(ctx context.Context) error {
		err := s.Tables.Turns.BriefAnewIfTooWide(ctx, t, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(clauses, ", "), wait)
		crash.Point("ddl.online.added")
		return err
	})
}
