package proxy

import (
	"strings"
	"unicode/utf8"

	"tunic/internal/ddl/showcreate"
)

// labelDigits are characters of which labels are made that stand for others: one
// byte in every character set, and no two of them equal in any collation.
const labelDigits = "abcdefghijklmnopqrstuvwxyz0123456789"

// labelWide is the first of the characters that are used where those are not
// enough: Hangul, which no collation folds.
const labelWide = 0xAC00

// Labels are labels as many and as long as those given, in characters, and
// all different. Labels end without spaces, as the server cuts them off.
func Labels(labels []string) []string {
	next := map[int]int{}
	out := make([]string, len(labels))
	for i, l := range labels {
		n := utf8.RuneCountInString(strings.TrimRight(l, " "))
		out[i] = proxyLabel(next[n], n)
		next[n]++
	}
	return out
}

// proxyLabel is the i-th label of n characters.
func proxyLabel(i, n int) string {
	if n == 0 {
		return ""
	}
	room := 1
	for d := 0; d < n && room <= i; d++ {
		room *= len(labelDigits)
	}
	if room <= i {
		return string(rune(labelWide+i)) + strings.Repeat(labelDigits[:1], n-1)
	}
	b := []byte(strings.Repeat(labelDigits[:1], n))
	for at := n - 1; i > 0; at-- {
		b[at] = labelDigits[i%len(labelDigits)]
		i /= len(labelDigits)
	}
	return string(b)
}

// FirstLabel is the first label of the text of a type, as it is written there.
func FirstLabel(typ string) string {
	_, labels, _ := strings.Cut(typ, "(")
	for i := 1; i < len(labels); i++ {
		switch labels[i] {
		case '\\':
			i++
		case '\'':
			if i+1 == len(labels) || labels[i+1] != '\'' {
				return labels[:i+1]
			}
			i++
		}
	}
	return "''"
}

// QuoteLabels writes labels as a type does.
func QuoteLabels(labels []string) string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = showcreate.QuoteString(strings.TrimRight(l, " "))
	}
	return strings.Join(out, ",")
}
