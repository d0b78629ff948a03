package show

import (
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
)

// definition is the logical SHOW CREATE TABLE, where the server has shown the stored
// one. Its counter is the stored table's. How names are quoted is the session's
// choice, which the server has followed: in backquotes, in double quotes, or, which
// is not supported, only where it must be.
func definition(t *catalog.Table, shown string) (string, error) {
	rest, ok := strings.CutPrefix(shown, "CREATE ")
	if !ok {
		return "", ErrAnswer
	}
	rest = strings.TrimPrefix(rest, "TEMPORARY ")
	rest, ok = strings.CutPrefix(rest, "TABLE ")
	if !ok || rest == "" || !strings.Contains(shown, "ENGINE=") { // as in sql_mode NO_TABLE_OPTIONS
		return "", ErrAnswer
	}
	logical := account.ShowCreate(t, counter(shown))
	switch rest[0] {
	case '`':
		return logical, nil
	case '"':
		return account.Requote(logical), nil
	}
	return "", ErrAnswer
}

// counter is the AUTO_INCREMENT of a definition, 0 if it has none. The options stand
// in the last line but for those of partitions.
func counter(shown string) uint64 {
	const word = " AUTO_INCREMENT="
	_, options, ok := strings.Cut(shown, "\n)")
	if !ok {
		return 0
	}
	at := strings.Index(options, word)
	if at < 0 || strings.Contains(options[:at], "'") {
		return 0
	}
	digits := options[at+len(word):]
	if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		digits = digits[:end]
	}
	n, _ := strconv.ParseUint(digits, 10, 64)
	return n
}
