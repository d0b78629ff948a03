package build

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// Load makes the Run of a LOAD DATA.
func (b *Builder) Load(file *sql.FileLoad) error {
	end := b.load(file)
	if end.isWrong() {
		end = b.loadWrong(file)
	}
	return end.told()
}

func (b *Builder) load(file *sql.FileLoad) *ending {
	name := ast.TableName{Name: ast.Name(file.Table.Name)}
	if file.Table.Schema != "" {
		name.Qualifier = ast.Name(file.Table.Schema)
	}
	n := &ast.Insert{Table: &ast.AliasedTableExpr{Expr: name}}
	if n.Ignore = true; file.Replace {
		n.Ignore, n.Action, b.Run.Kind = false, ast.ReplaceAct, sql.Replace
	}
	b.Tree = sql.NewTree(n, nil)
	if end := b.over(n.Table); end != nil {
		return end
	}
	if end := transactional(b.scope.Table); end != nil {
		return end
	}
	l := &recipe.Load{File: *file}
	if end := b.loadFields(l); end != nil {
		return end
	}
	if end := b.loadSet(l); end != nil {
		return end
	}
	if end := b.filled(l); end != nil {
		return end
	}
	row := make(ast.ValTuple, len(l.Into))
	for cell, i := range l.Into {
		row[cell] = sql.QueryCell(cell)
		n.Columns = append(n.Columns, ast.Identifier(b.scope.At(i).Name))
		if c := b.scope.At(i); !c.Protected() && !written(c.Type.Kind) {
			return beyond("LOAD DATA, with a plain column of this type,")
		}
	}
	n.Rows = ast.Values{row}
	b.inserts().Rows = l
	return b.insert(n)
}

// filled refuses REPLACE where the server has nothing for a plain column: a REPLACE of
// rows of values fails then, and LOAD DATA does not.
func (b *Builder) filled(l *recipe.Load) *ending {
	for i := range b.scope.Table.Columns {
		c := b.scope.At(i)
		empty := !c.Protected() && c.Type.NotNull && c.Default.Kind == catalog.NoDefault && !c.AutoIncrement
		if l.File.Replace && empty && slices.Index(l.Into, i) < 0 {
			return beyond("LOAD DATA … REPLACE with no value for a plain column without a default")
		}
	}
	return nil
}

// loadFields finds out what the fields are for.
func (b *Builder) loadFields(l *recipe.Load) *ending {
	fields := l.File.Fields
	if fields == nil {
		for i := range b.scope.Table.Columns {
			if c := b.scope.At(i); !c.Invisible {
				fields = append(fields, sql.LoadField{Name: c.Name})
			}
		}
	}
	for _, f := range fields {
		if f.Variable {
			continue
		}
		i := b.scope.Table.Column(f.Name)
		if i < 0 {
			return unknown()
		}
		switch {
		case slices.Index(l.Into, i) >= 0:
			return beyond("LOAD DATA with a column that is there twice")
		case b.scope.At(i).Generated && b.Modes&sql.MariaDB == 0: // which reads the field, and computes the column
			return beyond("LOAD DATA with a field for a generated column")
		}
		l.Into = append(l.Into, i)
	}
	for _, set := range l.File.Set {
		i, ok := b.scope.Column(set.Name)
		if !ok {
			return unknown()
		}
		if slices.Index(l.Into, i) < 0 {
			l.Into = append(l.Into, i)
		}
	}
	for _, f := range fields {
		if !f.Variable {
			l.Fields = append(l.Fields, slices.Index(l.Into, b.scope.Table.Column(f.Name)))
			continue
		}
		l.Fields = append(l.Fields, len(l.Into)+len(l.Variables))
		l.Variables = append(l.Variables, strings.ToLower(f.Name))
	}
	return nil
}

// loadSet plans what is computed: of fields before, and of columns set before.
func (b *Builder) loadSet(l *recipe.Load) *ending {
	known := map[int]bool{}
	for _, f := range l.Fields {
		known[f] = true
	}
	for _, set := range l.File.Set {
		i, _ := b.scope.Column(set.Name)
		cell := slices.Index(l.Into, i)
		to, reads, end := b.ofFile(l, set.Expr, known)
		if end != nil {
			return end
		}
		if reads && !b.scope.At(i).Protected() {
			return refused(sqlerr.FlowRefused(b.scope.At(i).Name))
		}
		known[cell] = true
		l.Set = append(l.Set, recipe.LoadSet{Cell: cell, To: to})
	}
	return nil
}

// ofFile is an expression with columns of FileVariable in the place of variables; reads
// says that a protected column is in it.
func (b *Builder) ofFile(l *recipe.Load, e ast.Expr, known map[int]bool) (_ ast.Expr, reads bool, end *ending) {
	replace := func(c *ast.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.Variable:
			name := n.Name.Lowered()
			for _, v := range l.Variables {
				if v == name && n.Scope == ast.VariableScope {
					c.Replace(&ast.ColName{Name: ast.Identifier(recipe.VariableColumn(v)), Qualifier: ast.TableName{Name: ast.Name(recipe.FileVariable)}})
					return false
				}
			}
			end = beyond("LOAD DATA with a variable that is none of its fields")
		case *ast.ColName:
			i, ok := b.scope.Column(n)
			switch {
			case !ok:
				end = unknown()
			case !known[slices.Index(l.Into, i)]:
				end = beyond("LOAD DATA that computes with a column it has not set")
			default:
				reads = reads || b.scope.At(i).Protected()
				c.Replace(&ast.ColName{Name: ast.Identifier(b.scope.At(i).Name)})
				return false
			}
		case *ast.Default, *ast.Subquery:
			end = beyond("LOAD DATA that sets a column to DEFAULT or to what a query returns")
		}
		return end == nil
	}
	to, ok := ast.Rewrite(ast.Clone(e), replace, nil).(ast.Expr)
	if !ok && end == nil {
		end = beyond("an expression")
	}
	return to, reads, end
}

// loadWrong makes the Run of a statement with a name that is no column: nothing of it is
// done, and the server says so, asked for a query of all of them over the twin.
func (b *Builder) loadWrong(file *sql.FileLoad) (end *ending) {
	n := &ast.Select{SelectExprs: &ast.SelectExprs{}, From: ast.TableExprs{b.twin()}}
	add := func(name ast.IdentifierCI) {
		n.SelectExprs.Exprs = append(n.SelectExprs.Exprs, &ast.AliasedExpr{Expr: &ast.ColName{Name: name}})
	}
	for _, f := range file.Fields {
		if !f.Variable {
			add(ast.Identifier(f.Name))
		}
	}
	for _, set := range file.Set {
		add(set.Name.Name)
	}
	b.Run = &recipe.Run{Kind: b.Run.Kind, Table: b.Run.Table, Does: &recipe.Insert{Rows: &recipe.Load{}}}
	b.Run.Answer.Describe, end = b.print(n)
	return end
}
