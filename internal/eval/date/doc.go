// Package date compiles functions and operators of dates and times.
//
//	date.go       days: DATE, DATEDIFF, MAKEDATE
//	duration.go   times, and sums and differences of them
//	interval.go   + INTERVAL
//	field.go      parts: YEAR, WEEK, EXTRACT
//	format.go     DATE_FORMAT, STR_TO_DATE
//	unix_time.go  NOW, UNIX_TIMESTAMP, CONVERT_TZ
//
// Dates are packed words, as in a column of them; package calendar computes with the
// clock that they show. Most functions are strict: NULL if an argument is, and refused,
// while rows are evaluated, for values of which the result is not known to be the same
// on all servers. These are dates with zeros first of all: some functions have a result
// for them and some do not, with a warning or without.
//
// Text is read as a date only where it is constant and written as the servers write one,
// so that no reader can take it for something else. How many digits the fraction of its
// seconds has decides the type of a result: the text is pinned, and other text is
// compiled for anew.
//
// The clock of NOW stands still for a statement, in the session's zone. Where the zone is
// not known, whatever needs it is refused. An hour that is there twice, when clocks are
// set back, is refused where a server would go by the moment.
package date
