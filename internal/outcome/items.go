package outcome

import (
	"strconv"

	"tunic/internal/sql"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// messagesOfNames are the conditions whose messages have names, kinds and row numbers in them, and no
// value of a row: NULL that is not taken, values out of range, cut, too long or without a default,
// foreign keys, names that are not there, and the division by 0.
var messagesOfNames = map[string]bool{
	"1048": true, "1364": true, "1264": true, "1265": true, "1406": true, "1451": true, "1452": true, "1054": true, "1146": true, "1365": true,
}

var levels = map[string]value.Level{"Note": value.Note, "Warning": value.Warning, "Error": value.Error}

// LevelOf is a level of SHOW WARNINGS by its name.
func LevelOf(name []byte) value.Level { return levels[string(name)] }

// NamesOnly reports whether a message, of a condition by its number, has no value of a row in it.
func (l *Last) NamesOnly(number []byte) bool {
	return messagesOfNames[string(number)] || l.refused != nil && l.refused.Code != 0
}

// StatementItem appends what is asked about a statement.
func (l *Last) StatementItem(set []byte, item string, conditions int) ([]byte, bool) {
	changed := l.Counts.changed
	switch {
	case item == "NUMBER":
		return appendUnsigned(set, strconv.Itoa(conditions)), true
	case item == "ROW_COUNT" && l.refused != nil:
		return append(set, "-1"...), true
	case item == "ROW_COUNT" && changed.by == countedHere:
		return strconv.AppendInt(set, changed.n, 10), true
	}
	return nil, false
}

// ConditionItem appends what is asked about a condition.
func (l *Last) ConditionItem(set []byte, item string, cells []wire.Cell, m sql.Modes) ([]byte, bool) {
	number := string(cells[1].Bytes)
	switch item {
	case "MYSQL_ERRNO":
		return appendUnsigned(set, number), true
	case "MESSAGE_TEXT":
		return AppendText(set, cells[2].Bytes, m), true
	case "RETURNED_SQLSTATE":
		state := conditionStates[number]
		if l.refused != nil && number == strconv.Itoa(int(l.refused.Number)) {
			state = l.refused.State
		}
		return AppendText(set, []byte(state), m), state != ""
	}
	return nil, false
}

// appendUnsigned appends a number as the type that servers give it.
func appendUnsigned(set []byte, number string) []byte {
	return append(append(append(set, "CAST("...), number...), " AS UNSIGNED)"...)
}

// AppendText appends a text in the character set that the server gives it.
func AppendText(set, text []byte, m sql.Modes) []byte {
	set = sql.AppendString(append(set, "CONVERT("...), text, m)
	return append(set, " USING utf8mb3)"...)
}

// conditionStates are the SQLSTATEs of what rows of protected tables come to, as both
// families of servers have them (MySQL manual, "Server Error Message Reference").
var conditionStates = map[string]string{
	"1048": "23000", "1062": "23000", "1451": "23000", "1452": "23000", "1264": "22003", "1265": "01000", "1292": "22007",
	"1364": "HY000", "1406": "22001", "1146": "42S02", "1054": "42S22", "1064": "42000", "1690": "22003", "1365": "22012",
}
