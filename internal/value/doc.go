// Package value knows the types of columns and the values in them.
//
// A protected column is stored as ciphertext, so the server can no longer do
// what its column types do: convert what a statement supplies, check its range,
// cut it, warn. All of that is done here, with the values, the warnings and the
// errors of the plain server; and the other way around, a value that has been
// opened is written as the server would write it. MariaDB and MySQL differ in
// many of these answers. Where they do, the code says so by name, and the tests
// ask both servers.
//
// Nothing here knows of SQL text, of ciphertext or of keys:
//
//	a literal or parameter ── Source ── Assign ──► canonical form ── crypt
//	                                    Comparand ┘      │
//	client ◄── AppendText, AppendBinary, ColumnMeta ◄────┤
//	equality and order layers ◄── AppendEquality, AppendOrder
//
// # Canonical form
//
// The bytes that are sealed. They are stored for good and never change their
// meaning. All numbers are big endian.
//
//	kinds                    bytes            content
//	TINYINT to BIGINT        8                the integer, two's complement; UNSIGNED as is
//	DECIMAL(p,s)             8, 16, 32        the number times 10^s, two's complement; 8 bytes
//	                                          up to p = 18, 16 up to 38, else 32
//	FLOAT                    8                four zero bytes, IEEE 754 binary32
//	DOUBLE                   8                IEEE 754 binary64; -0 stays -0
//	BIT(n), SET              8                the bits as a number
//	YEAR                     8                the year, 0 for 0000
//	ENUM                     8                the index of the label from 1, 0 for none
//	DATE, DATETIME           8                packed as clock.go says
//	TIMESTAMP                8                the same, in UTC; 0 for the zero date
//	TIME                     8                packed as clock.go says, two's complement
//	CHAR                     0 to length      characters in the column's character set,
//	                                          without spaces at the end
//	VARCHAR, TEXT            0 to length      characters in the column's character set
//	BINARY(n)                n                bytes, padded with zeros
//	VARBINARY, BLOB          0 to length      bytes
//	JSON                     any              the text that the server returns
//	GEOMETRY and its kinds   any              SRID, 4 bytes little endian, then WKB
//	VECTOR                   4 for each       IEEE 754 binary32, little endian
//	UUID, INET6              16               as written, from left to right
//	INET4                    4                the same
//
// NULL has no canonical form: it is stored as NULL.
//
// # No values in messages
//
// A server's message may hold the value that it complains of. A Condition holds
// none: tunic says `Incorrect integer value for column 'c' at row 1` where the
// server says `Incorrect integer value: 'abc' for column 'c' at row 1`. Code,
// SQLSTATE and the rest of the text are the server's. This is the one rule, and
// Condition.AppendMessage is the one place.
//
// # Memory
//
// What appends, appends to the caller's buffer. Numbers, dates and text that
// stays in its character set need no memory of their own.
package value
