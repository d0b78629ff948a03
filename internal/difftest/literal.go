package difftest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// parseBytes reads one or more Go strings, each with an optional repeat count,
// and joins them: `"SELECT '" "ab"*3 "'"` is SELECT 'ababab'.
func parseBytes(args string) ([]byte, error) {
	var joined []byte
	for rest := strings.TrimSpace(args); rest != ""; rest = strings.TrimSpace(rest) {
		text, after, err := cutQuoted(rest)
		if err != nil {
			return nil, err
		}
		count, after, err := cutCount(after)
		if err != nil {
			return nil, err
		}
		joined = append(joined, bytes.Repeat([]byte(text), count)...)
		rest = after
	}
	if joined == nil && !strings.HasPrefix(strings.TrimSpace(args), `"`) {
		return nil, fmt.Errorf("want a quoted string")
	}
	return joined, nil
}

// cutQuoted takes a Go string from the front of s.
func cutQuoted(s string) (text, rest string, err error) {
	s = strings.TrimLeft(s, " ")
	quoted, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", fmt.Errorf("want a quoted string: %w", err)
	}
	text, err = strconv.Unquote(quoted)
	return text, s[len(quoted):], err
}

// cutCount takes "*N" from the front of s; without one the count is 1.
func cutCount(s string) (count int, rest string, err error) {
	if !strings.HasPrefix(s, "*") {
		return 1, s, nil
	}
	digits, rest, _ := strings.Cut(s[1:], " ")
	count, err = strconv.Atoi(digits)
	return count, rest, err
}

func itoa(n int) string { return strconv.Itoa(n) }

// shownBytesMax is how much of a statement or value a report shows.
const shownBytesMax = 600

// shorten cuts a long text for a report, and says so.
func shorten(s string) string {
	if len(s) <= shownBytesMax {
		return s
	}
	return fmt.Sprintf("%s … (%d bytes)", s[:shownBytesMax], len(s))
}
