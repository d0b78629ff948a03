package definition

import (
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
	"tunic/internal/sql/ast"
)

// Stored makes the stored definition of a table: the account of its logical one
// with the protected columns replaced.
func (l *Logical) Stored() *showcreate.Table {
	t := l.Table
	blobs := form.BlobsFor(t)
	out := &showcreate.Table{}
	for s := range t.StoredColumns() {
		if s.At >= len(l.Shown.Columns) {
			continue // it is being backfilled: the definition does not have it yet
		}
		switch c := s.Column; s.Kind {
		case catalog.StoredPlain:
			out.Columns = append(out.Columns, form.PlainColumn(t, l.Shown.Columns[s.At]))
		case catalog.StoredSealed:
			out.Columns = append(out.Columns, form.Column(s.Name, form.SealedType(&c.Type, blobs[s.Name]), c.Type.NotNull && !c.Nullable))
		case catalog.StoredMember:
			out.Columns = append(out.Columns, form.Member(s.Name))
		case catalog.StoredFamily:
			out.Columns = append(out.Columns, form.Column(s.Name, form.FamilyType(s.Family, blobs[s.Name]), !s.Family.Nullable))
		case catalog.StoredToken:
			out.Columns = append(out.Columns, form.Column(s.Name, form.TokenType(s.Layer, &c.Type), c.Type.NotNull && !form.TakesNull(s.Layer)))
		default: // the service account has made it
			out.Columns = append(out.Columns, showcreate.Column{Name: s.Name})
		}
	}
	for i := range l.Shown.Keys {
		out.Keys = append(out.Keys, form.Key(t, &l.Shown.Keys[i], &t.Keys[i]))
	}
	for i := range l.Shown.ForeignKeys {
		out.ForeignKeys = append(out.ForeignKeys, l.storedForeignKey(l.Shown.ForeignKeys[i]))
	}
	for _, k := range l.Shown.Checks {
		if !account.OverProtected(t, k.Text) {
			out.Checks = append(out.Checks, k)
		}
	}
	if !l.Protects() {
		out.Options = l.Shown.Options
		return out
	}
	if !t.Unchecked {
		out.Checks = append(out.Checks, showcreate.Check{Name: form.CheckName(t), Text: "CHECK (" + form.CheckText(t) + ")"})
	}
	out.Options = marked(l.Shown.Options, ledger.Mark(t))
	out.Fence = t.Fence()
	return out
}

// storedForeignKey puts a foreign key over the layers of both sides, which are the
// same.
func (l *Logical) storedForeignKey(k showcreate.ForeignKey) showcreate.ForeignKey {
	t := l.Table
	columns, referenced := append([]string(nil), k.Columns...), append([]string(nil), k.Referenced...)
	if k.Schema == "" {
		k.Schema = t.Schema // the client's current schema may be another
	}
	for i, name := range k.Columns {
		c := &t.Columns[t.Column(name)]
		if !c.Protected() {
			continue
		}
		layer := l.Layers[catalog.Folded(name)]
		columns[i] = catalog.StoredName(c.Name, layer)
		referenced[i] = catalog.StoredName(k.Referenced[i], layer)
	}
	k.Columns, k.Referenced = columns, referenced
	return k
}

// marked sets the comment among the options of a table, before its partitions.
func marked(options, mark string) string {
	all, value := showcreate.OptionComment(options)
	if all != (showcreate.Span{}) {
		return showcreate.Edited(options, showcreate.Edit{Span: value, Text: showcreate.QuoteString(mark)})
	}
	at := showcreate.OptionPartitions(options)
	if at < 0 {
		at = len(options)
	}
	return options[:at] + " COMMENT=" + showcreate.QuoteString(mark) + options[at:]
}

// counted adds the counter that a definition sets. It is in no account: it moves
// with the rows.
func counted(options string, given ast.TableOptions) string {
	for _, o := range given {
		if !strings.EqualFold(o.Name, "AUTO_INCREMENT") || o.Value == nil {
			continue
		}
		if n, err := strconv.ParseUint(o.Value.Val, 10, 64); err == nil {
			all, _ := showcreate.OptionComment(options)
			options = options[:all.From] + " AUTO_INCREMENT=" + strconv.FormatUint(n, 10) + options[all.From:]
		}
	}
	return options
}

// CreateText is the statement that makes a stored table.
func CreateText(d *Definition, account *showcreate.Table) string {
	create := "CREATE TABLE"
	if d.Temporary {
		create = "CREATE TEMPORARY TABLE"
	}
	if d.IfNotExists {
		create += " IF NOT EXISTS"
	}
	account.Options = counted(account.Options, d.Spec.Options)
	return account.SQL(create, identifier.Quoted(d.Schema)+"."+identifier.Quoted(d.Table))
}
