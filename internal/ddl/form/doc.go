// Package form says how the forms of a column stand in a stored table: as which columns, of which types and widths,
// under which keys, and what the server checks of them.
//
// A protected column of type INT is a BINARY of the sealed form's length, one of VARCHAR(100) a VARBINARY, and one
// whose sealed form is long a BLOB. Which of them are BLOBs is a question of the whole table: a server bounds the
// bytes of a row, in its own format and in a page, and tunic takes the widest columns out of the row until the rest
// fits. A layer is a BINARY of the length of its tokens. Whoever writes a clause about a stored column asks here for
// its definition, so that a column that is added later is the one that CREATE TABLE would have made.
//
// The package computes with catalog tables and types. It knows neither a session nor a server.
package form
