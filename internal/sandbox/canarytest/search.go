package canarytest

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math"
	"os"
	"sort"
	"strings"
	"unicode/utf16"

	"tunic/internal/sandbox"
)

// Canaries are values that are recognised wherever they turn up. Each text canary
// begins with Text and goes on with a word that says where it was written; each number
// begins with the digits of Number, in its digits and in its bytes.
const (
	Text   = "kanari-"
	digits = "7731415926"
)

// Number is what the number canaries have in common: all but their last two bytes.
const Number = 7731415926535897932

// needle is one way in which a canary may be written.
type needle struct {
	form  string
	bytes []byte
}

// needles are all of them: texts as they are, in capitals (as weights of a collation
// have them), in the encodings of a server and of its logs; numbers in digits and in
// both orders of bytes.
var needles = makeNeedles()

func makeNeedles() (all []needle) {
	add := func(form string, b []byte) { all = append(all, needle{form, b}) }
	for _, text := range []string{Text, strings.ToUpper(Text)} {
		add("text", []byte(text))
		for order, form := range map[binary.AppendByteOrder]string{binary.BigEndian: "UTF-16BE", binary.LittleEndian: "UTF-16LE"} {
			var wide []byte
			for _, unit := range utf16.Encode([]rune(text)) {
				wide = order.AppendUint16(wide, unit)
			}
			add(form, wide)
			add("hexadecimal of "+form, []byte(hex.EncodeToString(wide)))
		}
		add("hexadecimal", []byte(hex.EncodeToString([]byte(text))))
		add("hexadecimal", []byte(strings.ToUpper(hex.EncodeToString([]byte(text)))))
	}
	add("digits", []byte(digits))
	add("hexadecimal of digits", []byte(hex.EncodeToString([]byte(digits))))
	// InnoDB turns the first bit over, and the last bytes are each canary's own.
	high := binary.BigEndian.AppendUint64(nil, Number)
	add("integer", high[1:6])
	low := binary.LittleEndian.AppendUint64(nil, Number)
	add("integer, low byte first", low[2:7])
	add("double", binary.LittleEndian.AppendUint64(nil, math.Float64bits(Number)))
	const group = 1_000_000_000 // DECIMAL keeps nine digits in four bytes
	decimal := binary.BigEndian.AppendUint32(nil, Number/group%group)
	add("decimal", binary.BigEndian.AppendUint32(decimal, Number%group))
	return all
}

// Sighting is a canary that was found.
type Sighting struct {
	Where string // the file, or the table and column
	Form  string
	Text  string // what stands there
}

func (s Sighting) String() string { return fmt.Sprintf("%s: %s: %s", s.Where, s.Form, s.Text) }

// How much of what stands before and behind a canary's beginning is shown.
const (
	shownBefore = 120
	shownBehind = 48
)

// LookInto looks for canaries in some bytes, one of each form.
func LookInto(where string, content []byte) (found []Sighting) {
	for _, n := range needles {
		if at := bytes.Index(content, n.bytes); at >= 0 {
			around := content[max(0, at-shownBefore):min(len(content), at+shownBehind)]
			found = append(found, Sighting{where, n.form, fmt.Sprintf("%q", around)})
		}
	}
	return found
}

// LookThrough looks for canaries in every file below a folder.
func LookThrough(dir string) (found []Sighting, files int, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close() //nolint:errcheck // it was only read
	err = fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := root.ReadFile(path)
		files++
		found = append(found, LookInto(path, content)...)
		return err
	})
	return found, files, err
}

// Place is one kind of place where a server writes what it is given.
type Place struct {
	Name  string
	holds func(where string) bool
}

// PlacesOf are the places in which a plain server has the canaries of a database, by
// flavor: what shows that the search would have found them.
func PlacesOf(flavor sandbox.Flavor, database string) []Place {
	under := func(prefixes ...string) func(string) bool {
		return func(where string) bool {
			for _, p := range prefixes {
				if strings.HasPrefix(where, p) {
					return true
				}
			}
			return false
		}
	}
	places := []Place{
		{"tables", under("data/" + database + "/")},
		{"binary log", under("data/binlog.")},
		{"general log", under("data/general.log")},
		{"slow log", under("data/slow.log")},
		{"statement history", under("performance_schema.events_statements_history_long")},
		{"definitions", under("information_schema.")},
	}
	if flavor == sandbox.MySQL {
		return append(places,
			Place{"redo log", under("data/#innodb_redo/")},
			Place{"undo log", under("data/undo_")},
			Place{"temporary tables", under("data/#innodb_temp/", "data/ibtmp1")},
		)
	}
	return append(places,
		Place{"redo log", under("data/ib_logfile")},
		Place{"undo log", under("data/ibdata", "data/undo")},
		Place{"temporary tables", under("data/ibtmp1")},
	)
}

// Unseen are the names of the places in which nothing was found.
func Unseen(places []Place, found []Sighting) (names []string) {
	for _, p := range places {
		seen := false
		for _, s := range found {
			seen = seen || p.holds(s.Where)
		}
		if !seen {
			names = append(names, p.Name)
		}
	}
	sort.Strings(names)
	return names
}
