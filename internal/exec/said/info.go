package said

import (
	"bytes"
	"strconv"

	"tunic/internal/wire"
)

// Servers say in a text how many rows an UPDATE has found and changed, and of how many warnings there are.

// matchedWord is before the number of rows that an UPDATE has found.
var matchedWord = []byte("Rows matched: ")

// MatchedRows is how many rows an UPDATE has found: each of them was assigned the
// value.
func MatchedRows(ok *wire.OK) int {
	if n, told := numberBehind(ok.Info, matchedWord); told {
		return n
	}
	return int(ok.AffectedRows)
}

// numberBehind is the number that an info has behind a word; told is false if it has none.
func numberBehind(info, word []byte) (n int, told bool) {
	_, rest, found := bytes.Cut(info, word)
	digits, _, _ := bytes.Cut(rest, []byte(" "))
	n, err := strconv.Atoi(string(digits))
	return n, found && err == nil
}

// duplicatesWord is before the number of rows that were there in what servers say of an INSERT.
var duplicatesWord = []byte("Duplicates: ")

// DuplicateRows is how many rows were there and were changed, as servers say it of an INSERT. Of one of a single row
// they tell it by the rows that count as changed alone.
func DuplicateRows(ok *wire.OK) int {
	if n, told := numberBehind(ok.Info, duplicatesWord); told {
		return n
	}
	if ok.AffectedRows == 2 {
		return 1
	}
	return 0
}

// warningsWord is before the number of warnings at the end of what servers say of
// an INSERT or UPDATE.
var warningsWord = []byte("Warnings: ")

// WithWarnings adds to the number of warnings in an info, if it tells one.
func WithWarnings(info []byte, more int) []byte {
	at := bytes.LastIndex(info, warningsWord)
	if at < 0 {
		return info
	}
	at += len(warningsWord)
	n, err := strconv.Atoi(string(info[at:]))
	if err != nil {
		return info
	}
	return strconv.AppendInt(bytes.Clone(info[:at]), int64(n+more), 10)
}

// changedWord is before the number of rows that an UPDATE has changed.
var changedWord = []byte("Changed: ")

// ChangedRows is how many rows an UPDATE has changed.
func ChangedRows(ok *wire.OK) int {
	_, rest, found := bytes.Cut(ok.Info, changedWord)
	digits, _, _ := bytes.Cut(rest, []byte(" "))
	n, err := strconv.Atoi(string(digits))
	if !found || err != nil {
		return int(ok.AffectedRows)
	}
	return n
}

// Records is the text behind the answer to an INSERT of several rows.
func Records(rows int, duplicates int64, warnings int) []byte {
	info := strconv.AppendInt([]byte("Records: "), int64(rows), 10)
	info = strconv.AppendInt(append(info, "  Duplicates: "...), duplicates, 10)
	return strconv.AppendInt(append(info, "  Warnings: "...), int64(warnings), 10)
}

// atRow is before the number of a row, at the end of a message.
var atRow = []byte(" at row ")

// LaterRow is a message with the number of a row that is so many rows later.
func LaterRow(message []byte, by int) []byte {
	at := bytes.LastIndex(message, atRow)
	if at < 0 || by == 0 {
		return message
	}
	n, err := strconv.Atoi(string(message[at+len(atRow):]))
	if err != nil {
		return message
	}
	return strconv.AppendInt(bytes.Clone(message[:at+len(atRow)]), int64(n+by), 10)
}
