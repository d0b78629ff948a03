package config

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// target is a field of a Config that text can be written to.
type target interface {
	// set checks text and writes it. An error says what is wrong with the text,
	// with the text in it, as a half sentence that follows the setting's name.
	set(text string) error
	// form is what a value looks like, for --help and the document.
	form() string
}

// quoteBytesMax is how much of a wrong value an error repeats.
const quoteBytesMax = 80

// quote shows a wrong value without its control characters.
func quote(text string) string {
	if len(text) > quoteBytesMax {
		text = strings.ToValidUTF8(text[:quoteBytesMax], "") + "…"
	}
	return strconv.Quote(text)
}

// textTarget is any text that is not empty.
type textTarget struct {
	text *string
	name string
}

func (t textTarget) form() string { return t.name }

func (t textTarget) set(text string) error {
	if text == "" {
		return errors.New("is empty")
	}
	*t.text = text
	return nil
}

// pathTarget is the path of a file or folder.
type pathTarget struct{ path *string }

func (t pathTarget) form() string { return "PATH" }

func (t pathTarget) set(text string) error {
	if text == "" || strings.ContainsRune(text, 0) {
		return fmt.Errorf("%s is not a path", quote(text))
	}
	*t.path = text
	return nil
}

// pathful is a target whose text may be a path. In the configuration file it is
// a path from the file's own folder, wherever tunic is started.
type pathful interface {
	// below is the text with its path, unless that is absolute, as one from dir.
	below(dir, text string) string
}

func (t pathTarget) below(dir, text string) string {
	if text == "" || filepath.IsAbs(text) {
		return text
	}
	return filepath.Join(dir, text)
}

// idTarget is an ID of 16 bytes, in hexadecimal digits.
type idTarget struct{ id *[16]byte }

func (t idTarget) form() string { return "ID" }

func (t idTarget) set(text string) error {
	id, err := hex.DecodeString(text)
	if err != nil || len(id) != len(t.id) {
		return fmt.Errorf("%s is not 32 hexadecimal digits", quote(text))
	}
	if [16]byte(id) == ([16]byte{}) {
		return errors.New("no ID is all zeros")
	}
	copy(t.id[:], id)
	return nil
}

// secretTarget is a password or passphrase; its errors never show the text.
type secretTarget struct {
	secret *Secret
	name   string
}

func (t secretTarget) form() string { return t.name }

func (t secretTarget) set(text string) error {
	*t.secret = NewSecret(text)
	return nil
}

// boolTarget is true or false.
type boolTarget struct{ value *bool }

func (t boolTarget) form() string { return "true|false" }

func (t boolTarget) set(text string) error {
	switch text {
	case "true":
		*t.value = true
	case "false":
		*t.value = false
	default:
		return fmt.Errorf("%s is neither true nor false", quote(text))
	}
	return nil
}

// enumTarget is one of a list of words.
type enumTarget[T ~string] struct {
	value *T
	words []T
}

func enum[T ~string](value *T, words ...T) target { return enumTarget[T]{value, words} }

func (t enumTarget[T]) form() string { return t.join("|") }

func (t enumTarget[T]) join(separator string) string {
	list := make([]string, len(t.words))
	for i, w := range t.words {
		list[i] = string(w)
	}
	return strings.Join(list, separator)
}

func (t enumTarget[T]) set(text string) error {
	for _, w := range t.words {
		if text == string(w) {
			*t.value = w
			return nil
		}
	}
	return fmt.Errorf("%s is not one of %s", quote(text), t.join(", "))
}

// intTarget is a whole number between two others.
type intTarget struct {
	value    *int
	min, max int
}

func (t intTarget) form() string { return "NUMBER" }

func (t intTarget) set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("%s is not a whole number", quote(text))
	}
	if n < t.min || n > t.max {
		return fmt.Errorf("%d is not between %d and %d", n, t.min, t.max)
	}
	*t.value = n
	return nil
}

// sizeTarget is a number of bytes; K, M and G are powers of 1024, as in the
// server's own option files.
type sizeTarget struct {
	value    *int64
	min, max int64
}

func (t sizeTarget) form() string { return "BYTES" }

func (t sizeTarget) set(text string) error {
	digits, unit := text, int64(1)
	upper := strings.ToUpper(text)
	for suffix, bytes := range map[string]int64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		for _, s := range []string{suffix, suffix + "IB"} {
			if strings.HasSuffix(upper, s) {
				digits, unit = text[:len(text)-len(s)], bytes
			}
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("%s is not a size such as 67108864, 64M or 64MiB", quote(text))
	}
	if n *= unit; n < t.min || n > t.max {
		return fmt.Errorf("%s is not between %s and %s", quote(text), sizeText(t.min), sizeText(t.max))
	}
	*t.value = n
	return nil
}

// orZero is a size or 0, which its setting says the meaning of.
type orZero struct{ sizeTarget }

func (t orZero) set(text string) error {
	if text == "0" {
		*t.value = 0
		return nil
	}
	if err := t.sizeTarget.set(text); err != nil {
		return fmt.Errorf("%w; 0 is the default", err)
	}
	return nil
}

// sizeText writes a bound of a size in its largest whole unit.
func sizeText(bytes int64) string {
	for _, u := range []struct {
		name  string
		bytes int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if bytes >= u.bytes && bytes%u.bytes == 0 {
			return strconv.FormatInt(bytes/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(bytes, 10)
}

// durationTarget is a time span: plain seconds, or Go's 1m30s.
type durationTarget struct {
	value    *time.Duration
	min, max time.Duration
}

func (t durationTarget) form() string { return "DURATION" }

func (t durationTarget) set(text string) error {
	d, ok := parseDuration(text)
	if !ok {
		return fmt.Errorf("%s is not a duration such as 30, 30s or 1m30s", quote(text))
	}
	if d < t.min || d > t.max {
		return fmt.Errorf("%s is not between %s and %s", quote(text), durationText(t.min), durationText(t.max))
	}
	*t.value = d
	return nil
}

// durationText writes a bound as a person would: 8760h, not 8760h0m0s.
func durationText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// parseDuration reads seconds, with a fraction or without, or Go's form.
func parseDuration(text string) (time.Duration, bool) {
	if d, err := time.ParseDuration(text); err == nil {
		return d, true
	}
	d, err := time.ParseDuration(text + "s")
	return d, err == nil && text != ""
}

// addressTarget is HOST:PORT, or unix:PATH where a Unix socket will do.
type addressTarget struct {
	text *string
	// anyHost allows an empty host, anyPort port 0: for listening.
	anyHost, anyPort bool
	unix             bool
}

// below leaves HOST:PORT as it is, and the abstract sockets of Linux, whose names
// begin with @ and are no paths (unix(7)).
func (t addressTarget) below(dir, text string) string {
	path, ok := strings.CutPrefix(text, unixPrefix)
	if !ok || !t.unix || strings.HasPrefix(path, "@") {
		return text
	}
	return unixPrefix + pathTarget{}.below(dir, path)
}

// unixPathBytesMax is what fits in sockaddr_un with its terminator (unix(7)).
const unixPathBytesMax = 107

func (t addressTarget) form() string {
	if t.unix {
		return "HOST:PORT|unix:PATH"
	}
	return "HOST:PORT"
}

func (t addressTarget) set(text string) error {
	check := t.checkTCP
	if t.unix && strings.HasPrefix(text, unixPrefix) {
		check = checkUnix
	}
	if problem := check(text); problem != "" {
		return fmt.Errorf("%s %s", quote(text), problem)
	}
	*t.text = text
	return nil
}

// checkUnix says what is wrong with unix:PATH.
func checkUnix(text string) string {
	switch path := strings.TrimPrefix(text, unixPrefix); {
	case path == "":
		return "names no socket after unix:"
	case len(path) > unixPathBytesMax:
		return fmt.Sprintf("is longer than the %d bytes a socket path may have", unixPathBytesMax)
	default:
		return ""
	}
}

// checkTCP says what is wrong with HOST:PORT.
func (t addressTarget) checkTCP(text string) string {
	host, port, err := net.SplitHostPort(text)
	if err != nil || strings.HasPrefix(text, unixPrefix) {
		return "is not " + strings.ReplaceAll(t.form(), "|", " or ")
	}
	if host == "" && !t.anyHost {
		return "names no host"
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || (n == 0 && !t.anyPort) {
		return "has no port between 1 and 65535"
	}
	return ""
}
