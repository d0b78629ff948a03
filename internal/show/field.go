package show

import (
	"encoding/hex"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/value"
)

// field is what servers tell of a column, apart from its name.
type field struct {
	column  *catalog.Column
	account *account.ColumnAccount
	flavor  value.Flavor
	key     string
}

// table is a protected table as servers would tell of it.
type table struct {
	*catalog.Table
	account *account.Account
	fields  []field
	// layers are the columns of layers, by the stored name in lower case, those of families, and
	// columns that are being filled; -1 is the logical column of a family's.
	layers map[string]int
}

// read prepares a table.
func read(t *catalog.Table, f value.Flavor) (*table, error) {
	if t.View != nil {
		return readView(t), nil
	}
	account, err := account.Read(t)
	if err != nil {
		return nil, err
	}
	s := &table{Table: t, account: account, layers: map[string]int{}}
	for i := range t.Columns {
		c := &t.Columns[i]
		if !c.Backfilling {
			s.fields = append(s.fields, field{column: c, account: &account.Columns[i], flavor: f, key: keyOf(t, c)})
		}
	}
	for of := range t.StoredColumns() {
		if of.Layer != nil || of.Family != nil || of.Column.Backfilling { // nobody is to know of it, or not yet
			s.layers[strings.ToLower(of.Name)] = of.At
		}
	}
	return s, nil
}

// hides reports whether a column is one that the server alone knows of. Those of layers come
// before the catalog has them, and go when it has them no more: what looks like one, and is
// no column of the table, is one.
func (t *table) hides(name string) bool {
	if _, layer := t.layers[strings.ToLower(name)]; layer {
		return true
	}
	return t.View == nil && catalog.Reserved(name) && t.StoredColumn(name).Kind == catalog.NotStored
}

// protected is the field of a protected column, nil if a name is that of no column
// or of a plain one.
func (t *table) protected(name string) *field {
	i := t.Column(name)
	if i < 0 || !t.Columns[i].Protected() {
		return nil
	}
	return &t.fields[i]
}

// place is where a column stands among the logical ones; behind all of them if it is none.
func (t *table) place(name string) int {
	if at := t.Column(name); at >= 0 {
		return at
	}
	return len(t.Columns)
}

// keyOf is what SHOW COLUMNS has under Key: PRI for columns of the primary key, or
// of the first unique key that could be one if there is none; UNI for a unique key
// alone, MUL for what is first in another one.
func keyOf(t *catalog.Table, c *catalog.Column) string {
	key := ""
	for i := range t.Keys {
		k := &t.Keys[i]
		for j := range k.Parts {
			if !strings.EqualFold(k.Parts[j].Column, c.Name) {
				continue
			}
			switch {
			case k == t.RowKey():
				return "PRI"
			case j > 0 || key == "UNI":
			case k.Kind == catalog.Unique && len(k.Parts) == 1:
				key = "UNI"
			default:
				key = "MUL"
			}
		}
	}
	return key
}

// nullable is IS_NULLABLE. The stored column may take NULL where this one does not.
func (f *field) nullable() string {
	if f.column.Type.NotNull {
		return "NO"
	}
	return "YES"
}

// typeText is COLUMN_TYPE.
func (f *field) typeText() string { return f.column.TypeText }

// defaultShown is what SHOW COLUMNS has under Default; ok is false for NULL.
func (f *field) defaultShown() (text string, ok bool) {
	if f.account.Default == "" || strings.EqualFold(f.account.Default, "NULL") {
		return "", false
	}
	if text = f.account.Unquote(); f.computes() {
		return f.defaultExpression(), true
	}
	if f.flavor == value.MariaDB || !f.column.Type.Kind.IsBytes() || strings.HasPrefix(f.account.Default, "0x") {
		return text, true
	}
	if f.column.Type.Kind == value.Binary { // MySQL shows what was written, without what fills it up
		text = strings.TrimRight(text, "\x00")
	}
	return "0x" + strings.ToUpper(hex.EncodeToString([]byte(text))), true
}

// computes reports whether the column has a DEFAULT that is an expression.
func (f *field) computes() bool {
	return f.column.Default.Kind == catalog.DefaultExpression && !f.column.Generated
}

// expressionShown is how MySQL tells an expression outside of a definition: strings in it
// have a backslash before their quotes.
func (f *field) expressionShown(text string) string {
	if f.flavor == value.MariaDB {
		return text
	}
	return strings.NewReplacer(`\\`, `\\\\`, `'`, `\'`, `\'`, `\\\'`).Replace(text)
}

// defaultExpression is the DEFAULT that is an expression. MySQL has parentheses around it
// in the definition alone.
func (f *field) defaultExpression() string {
	text := f.account.Default
	if f.flavor != value.MariaDB {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	}
	return f.expressionShown(text)
}

// extra is EXTRA.
func (f *field) extra() string {
	var parts []string
	c := f.column
	now := "current_timestamp()"
	if f.flavor != value.MariaDB {
		if now = "CURRENT_TIMESTAMP"; c.Default.Kind == catalog.DefaultNow || f.computes() {
			parts = append(parts, "DEFAULT_GENERATED")
		}
	}
	switch {
	case f.account.Generated == "":
	case f.account.Stored:
		parts = append(parts, "STORED GENERATED")
	default:
		parts = append(parts, "VIRTUAL GENERATED")
	}
	if c.OnUpdateNow {
		if n := c.Type.Decimals; n > 0 {
			now = strings.TrimSuffix(now, "()") + "(" + strconv.Itoa(n) + ")"
		}
		parts = append(parts, "on update "+now)
	}
	if c.Invisible {
		parts = append(parts, "INVISIBLE")
	}
	if f.flavor == value.MariaDB {
		return strings.Join(parts, ", ")
	}
	return strings.Join(parts, " ")
}
