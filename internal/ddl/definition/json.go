package definition

import (
	"cmp"
	"strings"

	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// AdoptJSON makes the columns of MariaDB's own account of a JSON column what they
// were: LONGTEXT with a CHECK of its own stands for JSON there.
func AdoptJSON(spec *ast.TableSpec) {
	kept := spec.Constraints[:0:0]
	for _, c := range spec.Constraints {
		if def := jsonColumn(spec, c); def != nil {
			def.Type.Type, def.Type.Charset = "json", ast.ColumnCharset{}
			def.Type.Options.Collate = ""
			continue
		}
		kept = append(kept, c)
	}
	spec.Constraints = kept
}

// jsonColumn is the column of a CHECK (json_valid(column)).
func jsonColumn(spec *ast.TableSpec, c *ast.ConstraintDefinition) *ast.ColumnDefinition {
	check, ok := c.Details.(*ast.CheckConstraintDefinition)
	if _, inColumn := tsql.ColumnOfCheck(c.Name.String()); !ok || !inColumn {
		return nil
	}
	valid, ok := check.Expr.(*ast.JSONAttributesExpr)
	if !ok || valid.Type != ast.ValidAttributeType {
		return nil
	}
	name, ok := valid.JSONDoc.(*ast.ColName)
	if !ok {
		return nil
	}
	for _, def := range spec.Columns {
		if def.Name.EqualString(name.Name.String()) && strings.EqualFold(def.Type.Type, "json") {
			return def
		}
		if def.Name.EqualString(name.Name.String()) && strings.EqualFold(def.Type.Type, "longtext") && def.Type.Options != nil &&
			strings.EqualFold(cmp.Or(def.Type.Options.Collate, defaultCollation(spec)), JsonCollation) {
			return def
		}
	}
	return nil
}

// JsonCollation is that of every JSON column of MariaDB.
const JsonCollation = "utf8mb4_bin"

// defaultCollation is what the columns of a table have that the server shows without
// a collation.
func defaultCollation(spec *ast.TableSpec) string {
	for _, o := range spec.Options {
		if strings.EqualFold(o.Name, "COLLATE") {
			return o.String
		}
	}
	return ""
}
