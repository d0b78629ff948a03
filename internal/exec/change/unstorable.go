package change

import (
	"tunic/internal/binding"
	"tunic/internal/eval"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Unstorable is the refusal of a result of which a column of a type would have something else
// from here than from a plain server.
func Unstorable(result *eval.Result, to *value.Type, env *value.Env) error {
	switch {
	case to.Kind == value.JSON && result.Opaque():
		return sqlerr.ValueRefused("a document with values of other types than JSON's, as the new value of a column,")
	case to.Kind == value.Timestamp && result.Twice():
		return binding.ErrTwiceSet
	}
	from, column := result.Type(), result.Column()
	switch {
	case column == nil:
	case column.Kind == value.Enum && result.Unlabelled() && !to.Kind.IsNumber():
		return sqlerr.ValueRefused("an ENUM that is none of its labels, as the new value of a column,")
	case column.Kind == value.Bit && to.Kind.IsLong():
		return sqlerr.ValueRefused("a BIT as the new value of a TEXT, BLOB or JSON column")
	}
	if env.Flavor != value.MySQL {
		return nil
	}
	return unstorableMySQL(from, to, column != nil)
}

// unstorableMySQL is Unstorable for what MySQL alone does: it stores the text of a chosen date or
// time, and converts some types by rules of their own.
func unstorableMySQL(from, to *value.Type, column bool) error {
	switch {
	case from.Kind.IsTemporal() && !column && (to.Kind.IsNumber() || to.Kind.IsTemporal() && from.Kind != to.Kind && from.Kind == value.Time):
		return sqlerr.ValueRefused("a computed date or time as the new value of a column of another type")
	case from.Kind.IsTemporal() && from.Kind != value.Date && (to.Kind == value.Year || to.Kind == value.Bit):
		return sqlerr.ValueRefused("a date or time as the new value of a YEAR or BIT column")
	case from.Kind == value.JSON && !to.Kind.IsText() && to.Kind != value.JSON:
		return sqlerr.ValueRefused("a document as the new value of a column of another type")
	}
	return nil
}
