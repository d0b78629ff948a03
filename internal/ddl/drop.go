package ddl

import (
	"context"

	"tunic/internal/sql/ast"
)

func (w *work) drop(ctx context.Context, stmt *ast.DropTable) error             { return nil }
func (w *work) dropSchema(ctx context.Context, stmt *ast.DropDatabase) error    { return nil }
func (w *work) rename(ctx context.Context, stmt *ast.RenameTable) error         { return nil }
func (w *work) alter(ctx context.Context, stmt *ast.AlterTable) error           { return nil }
func (w *work) createLike(ctx context.Context, stmt *ast.CreateTable, schema, table string) error {
	return nil
}
