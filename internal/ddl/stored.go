package ddl

import (
	"fmt"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// CheckName is the name of the constraint that makes the server refuse plaintext.
// Names of constraints belong to a schema, so it has the table's ID.
func CheckName(t *catalog.Table) string { return checkPrefix + t.ID.String() }

const checkPrefix = "tunic$"

// stored makes the stored definition of a table: the account of its logical one
// with the protected columns replaced.
func (l *logical) stored() *showcreate.Table {
	t := l.table
	blobs := blobsFor(t)
	out := &showcreate.Table{}
	for i := range l.shown.Columns {
		c := &t.Columns[i]
		if !c.Protected() {
			out.Columns = append(out.Columns, plainColumn(t, l.shown.Columns[i]))
			continue
		}
		out.Columns = append(out.Columns, storedColumn(c.Name, sealedType(&c.Type, blobs[i]), c.Type.NotNull && !c.Nullable))
		for j := range c.Layers {
			if c.Layers[j].Bare() { // the service account has made it
				out.Columns = append(out.Columns, showcreate.Column{Name: c.Layers[j].Stored})
				continue
			}
			out.Columns = append(out.Columns, storedColumn(c.Layers[j].Stored, tokenType(&c.Layers[j], &c.Type), c.Type.NotNull && !takesNull(&c.Layers[j])))
		}
	}
	for i := range l.shown.Keys {
		out.Keys = append(out.Keys, storedKey(t, &l.shown.Keys[i], &t.Keys[i]))
	}
	for i := range l.shown.ForeignKeys {
		out.ForeignKeys = append(out.ForeignKeys, l.storedForeignKey(l.shown.ForeignKeys[i]))
	}
	for _, k := range l.shown.Checks {
		if !account.OverProtected(t, k.Text) {
			out.Checks = append(out.Checks, k)
		}
	}
	if !l.protects() {
		out.Options = l.shown.Options
		return out
	}
	if !t.Unchecked {
		out.Checks = append(out.Checks, showcreate.Check{Name: CheckName(t), Text: "CHECK (" + checkText(t) + ")"})
	}
	out.Options = marked(l.shown.Options, ledger.Mark(t))
	out.Fence = t.Fence()
	return out
}

// plainColumn is a plain column without a CHECK that MariaDB has in its definition and
// that is over a protected one.
func plainColumn(t *catalog.Table, c showcreate.Column) showcreate.Column {
	if at := showcreate.PartsOf(c.Text).Check; !at.Empty() && account.OverProtected(t, c.Text[at.From:at.To]) {
		c.Text = showcreate.Edited(c.Text, showcreate.Edit{Span: at})
	}
	return c
}

// tokenType is the type of a layer's column.
func tokenType(l *catalog.Layer, t *value.Type) string {
	return "binary(" + strconv.Itoa(TokenBytes(l, t)) + ")"
}

// takesNull says that a layer's column takes NULL though the logical one does not.
func takesNull(l *catalog.Layer) bool { return l.Nullable || l.State == catalog.Filling }

func storedColumn(name, typ string, notNull bool) showcreate.Column {
	text := catalog.Quoted(name) + " " + typ
	if notNull {
		text += " NOT NULL"
	} else {
		text += " DEFAULT NULL"
	}
	return showcreate.Column{Name: name, Text: text}
}

// blobsFor says which sealed columns are BLOBs so that the rest of a row fits into
// the server's limits: the widest ones first.
func blobsFor(t *catalog.Table) []bool {
	blobs := make([]bool, len(t.Columns))
	for _, l := range []limit{
		{most: rowMax, blob: blobBytes, of: func(bytes int) int { return bytes }},
		{most: pageMax, blob: localBytes, of: pageBytes},
	} {
		l.take(t, blobs)
	}
	return blobs
}

// limit is one of the server's for rows.
type limit struct {
	most, blob int                 // bytes of a row, and what a BLOB takes of them
	of         func(bytes int) int // what a column of so many bytes takes of them
}

// take makes BLOBs of sealed columns until rows are within the limit, or nothing helps: then the
// server says so.
func (l limit) take(t *catalog.Table, blobs []bool) {
	total, sizes := 0, make([]int, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		switch fixed := value.FixedBytes(&c.Type) > 0; {
		case !c.Protected():
			total += l.of(rowBytes(&c.Type))
		case blobs[i]:
			total += l.blob
		case fixed:
			total += l.of(sealedRowBytes(&c.Type))
		default:
			sizes[i] = l.of(sealedRowBytes(&c.Type))
			total += sizes[i]
		}
		for j := range c.Layers {
			total += l.of(TokenBytes(&c.Layers[j], &c.Type))
		}
	}
	for total > l.most {
		widest := 0
		for i := range sizes {
			if sizes[i] > sizes[widest] {
				widest = i
			}
		}
		if sizes[widest] <= l.blob {
			break
		}
		total -= sizes[widest] - l.blob
		sizes[widest], blobs[widest] = 0, true
	}
}

// storedKey puts a key over the layers. A comment of a key over protected columns
// is not shown to the server.
func storedKey(t *catalog.Table, account *showcreate.Key, k *catalog.Key) showcreate.Key {
	out := *account
	out.Parts = append([]showcreate.Part(nil), account.Parts...)
	hides := false
	for i := range k.Parts {
		if k.Parts[i].Layer == 0 {
			continue
		}
		hides = true
		name := t.Columns[t.Column(k.Parts[i].Column)].Layer(k.Parts[i].Layer).Stored
		text := catalog.Quoted(name)
		if k.Parts[i].Desc {
			text += " DESC"
		}
		out.Parts[i] = showcreate.Part{Text: text, Name: name, Desc: k.Parts[i].Desc}
	}
	if at := showcreate.TailComment(out.Tail); hides && !at.Empty() {
		out.Tail = showcreate.Edited(out.Tail, showcreate.Edit{Span: at, Text: "''"})
	}
	return out
}

// storedForeignKey puts a foreign key over the layers of both sides, which are the
// same.
func (l *logical) storedForeignKey(k showcreate.ForeignKey) showcreate.ForeignKey {
	t := l.table
	columns, referenced := append([]string(nil), k.Columns...), append([]string(nil), k.Referenced...)
	if k.Schema == "" {
		k.Schema = t.Schema // the client's current schema may be another
	}
	for i, name := range k.Columns {
		c := &t.Columns[t.Column(name)]
		if !c.Protected() {
			continue
		}
		layer := l.layers[catalog.Folded(name)]
		columns[i] = catalog.StoredName(c.Name, layer)
		referenced[i] = catalog.StoredName(k.Referenced[i], layer)
	}
	k.Columns, k.Referenced = columns, referenced
	return k
}

// checkText is what every row has to fulfil: each sealed form begins with a suite
// (package scheme) and is no shorter than one can be. NULL is neither true nor
// false, and passes.
func checkText(t *catalog.Table) string {
	var terms []string
	for i := range t.Columns {
		c := &t.Columns[i]
		if !c.Protected() || c.Filling {
			continue
		}
		least, _ := sealedSize(&c.Type)
		name := catalog.Quoted(c.Name)
		terms = append(terms, fmt.Sprintf("ascii(%s) BETWEEN 1 AND 3 AND length(%s) >= %d", name, name, least))
	}
	return strings.Join(terms, " AND ")
}

// marked sets the comment among the options of a table, before its partitions.
func marked(options, mark string) string {
	all, value := showcreate.OptionComment(options)
	if all != (showcreate.Span{}) {
		return showcreate.Edited(options, showcreate.Edit{Span: value, Text: showcreate.QuoteString(mark)})
	}
	at := len(options)
	for _, t := range showcreate.Tokens(options) {
		if t.Is(options, "PARTITION") {
			at = strings.LastIndexByte(options[:t.From], '\n')
			break
		}
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

// createText is the statement that makes a stored table.
func createText(d *definition, account *showcreate.Table) string {
	create := "CREATE TABLE"
	if d.Temporary {
		create = "CREATE TEMPORARY TABLE"
	}
	if d.IfNotExists {
		create += " IF NOT EXISTS"
	}
	account.Options = counted(account.Options, d.Spec.Options)
	return account.SQL(create, catalog.Quoted(d.Schema)+"."+catalog.Quoted(d.Table))
}
