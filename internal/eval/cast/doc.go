// Package cast compiles CAST, CONVERT and COLLATE.
//
// A cast is a coercion that the statement asks for, so nearly all of it is in package
// coercion and in the assignment of package value: a cast to a date is what a column of
// that type would store. The difference is what becomes of a value that does not fit.
// A column has rules of sql_mode for it; a cast warns and cuts, rounds or is NULL, and
// each server in its own way. Here a value that does not become one of the type without
// a warning is refused.
//
// The result may be NULL whatever is cast. COLLATE changes no value, only whose
// collation counts where the text meets other text.
package cast
