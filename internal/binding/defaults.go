package binding

import (
	"tunic/internal/catalog"
	"tunic/internal/sql"
	"tunic/internal/value"
)

// defaultOf is the value of a column that a row has none for. What there is to say of it
// servers say once.
func (b *Binder) defaultOf(v *Bound, o *Operand, element int) error {
	if b.Added == nil || element == 0 && b.Row <= 1 {
		return b.defaulted(v, o, element)
	}
	notices := b.Notices
	err := b.defaulted(v, o, element)
	if err == nil {
		b.Notices = notices
	}
	return err
}

// defaulted is the value of a column that the statement gives none.
func (b *Binder) defaulted(v *Bound, o *Operand, element int) error {
	switch d := &o.Column.Default; d.Kind {
	case catalog.DefaultExpression:
		return b.expressed(v, o, element)
	case catalog.DefaultNull:
		v.reach = isNull
	case catalog.DefaultValue:
		v.canonical = append(v.canonical, d.Canonical...)
	case catalog.DefaultNow:
		if err := b.Env.Serves(&o.Column.Type); err != nil {
			return err
		}
		v.canonical = value.AppendNow(v.canonical, o.Column.Type.Kind, b.Env.Value.Now, d.Fraction, &b.Env.Value)
	default:
		return b.withoutDefault(v, o)
	}
	return nil
}

// withoutDefault is the value of a column that has no default: an error, or what the server stores
// instead. One that may be NULL is MySQL's, after ALTER COLUMN … DROP DEFAULT. MariaDB updates none to
// its default, not even an ENUM.
func (b *Binder) withoutDefault(v *Bound, o *Operand) error {
	if o.Column.Type.NotNull {
		v.canonical = value.AppendImplicitDefault(v.canonical, &o.Column.Type)
	} else {
		v.reach = isNull
	}
	mariaDB := b.Env.Value.Flavor == value.MariaDB
	switch run := &b.Statement.Run; {
	case mariaDB && run.Kind == sql.Update:
		return b.NoDefault(o.Column.Names.Name)
	case mariaDB && o.Of.Updated: // it counts as given
	case !NeedsValue(o.Column.Column), run.Load() != nil && !mariaDB:
	case run.Load() == nil && b.Env.Value.Strict():
		return b.NoDefault(o.Column.Names.Name)
	default:
		b.NoteNoDefault(o.Column.Names.Name)
	}
	return nil
}

// NeedsValue reports whether a column has to be given a value, as it has no default. An ENUM has one
// without a word in its definition: NULL if it may be that, or else its first label.
func NeedsValue(c *catalog.Column) bool {
	return c.Default.Kind == catalog.NoDefault && c.Type.Kind != value.Enum && !c.AutoIncrement && !c.Generated
}

// errNoDefault is the server's ER_NO_DEFAULT_FOR_FIELD.
const errNoDefault = 1364

func noDefault(column string) []byte {
	return []byte("Field '" + column + "' doesn't have a default value")
}

// NoteNoDefault is the warning for a column that has to be given a value.
func (b *Binder) NoteNoDefault(column string) { b.Note(value.Warning, errNoDefault, noDefault(column)) }

// HushNoDefault has NoteNoDefault say nothing of a column.
func (b *Binder) HushNoDefault(column string) {
	b.Notices.once = append(b.Notices.once, noDefault(column))
}

// NoDefault is the error for a column that has to be given a value.
func (b *Binder) NoDefault(column string) error {
	message := noDefault(column)
	b.Notices.Add(value.Error, errNoDefault, message)
	return ServerError(b.Env.Value.Flavor, errNoDefault, string(message))
}
