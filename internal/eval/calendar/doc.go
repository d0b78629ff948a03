// Package calendar computes with dates and times as the servers do: days and weeks by their numbers, months that are
// added, intervals in all units and what the text of one stands for, parts of EXTRACT, formats that write a date and
// formats that read one, offsets of zones.
//
// A Clock is a date, a time or both, field by field; package value packs it into the 64 bits that a column has. A
// Span is what an INTERVAL moves it by.
//
//	packed ── UnpackDateTime ──► Clock ── fields, Week, AppendFormatted ──► numbers, text
//	                               └───── Span, Between, ConvertZone ─────► packed
//
// Nothing here is NULL, warns or is refused. False says that the servers differ, or that the calendar has no such day:
// the years are 1 to 9999, and a date with a zero in it is no date of the calendar. The package knows no types and no
// sessions: lc_time_names is en_US, and which zone a session has is its caller's to say. It stands on package value for
// the fields of a Clock and on package decimal for seconds with a fraction.
package calendar
