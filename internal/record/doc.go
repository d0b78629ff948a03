// Package record puts the values of several columns of a row into one string of
// bytes, and takes them out again. The columns are a family, the string is a
// record: what is sealed.
//
//	canonical forms ── Layout.Append ──► record ── package crypt ──► sealed form
//	(package value) ◄── Record.Value ─── Record ◄── Layout.Read
//
// It knows neither types nor keys: of a column it is told how long canonical
// forms are ([Field]).
//
// # The bytes
//
// They are stored for good and never change their meaning. All numbers are big
// endian.
//
//	part     size                     content
//	NULLs    fields/8, rounded up     a bit for each field, 1: NULL. The first field is the lowest bit of
//	                                  the first byte; bits without a field are 0
//	fixed    sum of the widths        the fields whose forms are of one size, in their order; zeros for NULL
//	lengths  1, 2 or 4 bytes each     of the other fields, without the last of them, in their order: 1 byte
//	                                  where the longest value has at most 255, 2 up to 65,535; 0 for NULL
//	values   sum of the lengths       of the other fields, one after the other
//	padding  1 to 16 bytes            0x80 and the fewest zeros that bring the record to a multiple of 16
//	                                  bytes (ISO/IEC 7816-4); only if there are other fields
//
// The last of the other fields needs no length: padding says where it ends.
//
// A fixed field need not have all bytes of its canonical form. The first ones may
// be left out of a number, which has them of its sign, and the last ones of a time
// without a fraction, which has zeros there. An INT takes 4 bytes of its 8, a
// DATETIME(0) takes 5.
//
// Values are written in one way only: of the bytes that Layout.Read takes,
// Layout.Append makes the same bytes again.
//
// # Bounds
//
// A layout has up to [FieldsMax] fields. A fixed one has up to 255 bytes, as
// BINARY has; a number of which bytes are left out up to 32, as DECIMAL has; any
// other up to 2^32 - 1, as LONGTEXT has.
//
// # Manners
//
//   - Results are appended to a slice of the caller's, and nothing else is
//     allocated: reuse the slice. The part of it beyond its length must not
//     overlap the arguments.
//   - On an error the slice comes back as it was given.
//   - A Layout may be used by any number of goroutines at once; a Record by one.
//   - No error holds a byte of a value or a record.
//
// That a family has one sealed form, and why its bytes are these: docs/decisions/0050.
package record
