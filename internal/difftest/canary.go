package difftest

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
)

// Canaries are values that are recognised wherever they turn up. Each text canary
// begins with canaryText and goes on with a word that says where the corpus has it;
// each number begins with canaryDigits, in its digits and in its bytes.
const (
	canaryText   = "kanari-"
	canaryDigits = "7731415926"
)

// canaryNumber is what the number canaries have in common: all but their last two
// bytes.
const canaryNumber = 7731415926535897932

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
	for _, text := range []string{canaryText, strings.ToUpper(canaryText)} {
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
	add("digits", []byte(canaryDigits))
	add("hexadecimal of digits", []byte(hex.EncodeToString([]byte(canaryDigits))))
	// InnoDB turns the first bit over, and the last bytes are each canary's own.
	high := binary.BigEndian.AppendUint64(nil, canaryNumber)
	add("integer", high[1:6])
	low := binary.LittleEndian.AppendUint64(nil, canaryNumber)
	add("integer, low byte first", low[2:7])
	add("double", binary.LittleEndian.AppendUint64(nil, math.Float64bits(canaryNumber)))
	const group = 1_000_000_000 // DECIMAL keeps nine digits in four bytes
	decimal := binary.BigEndian.AppendUint32(nil, canaryNumber/group%group)
	add("decimal", binary.BigEndian.AppendUint32(decimal, canaryNumber%group))
	return all
}

// sighting is a canary that was found.
type sighting struct {
	where string // the file, or the table and column
	form  string
	text  string // what stands there
}

func (s sighting) String() string { return fmt.Sprintf("%s: %s: %s", s.where, s.form, s.text) }

// How much of what stands before and behind a canary's beginning is shown.
const (
	shownBefore = 120
	shownBehind = 48
)

// lookInto looks for canaries in some bytes, one of each form.
func lookInto(where string, content []byte) (found []sighting) {
	for _, n := range needles {
		if at := bytes.Index(content, n.bytes); at >= 0 {
			around := content[max(0, at-shownBefore):min(len(content), at+shownBehind)]
			found = append(found, sighting{where, n.form, fmt.Sprintf("%q", around)})
		}
	}
	return found
}

// lookThrough looks for canaries in every file below a folder.
func lookThrough(dir string) (found []sighting, files int, err error) {
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
		found = append(found, lookInto(path, content)...)
		return err
	})
	return found, files, err
}

// place is one kind of place where a server writes what it is given.
type place struct {
	name  string
	holds func(where string) bool
}

// placesOf are the places in which a plain server has the canaries, by flavor: what
// shows that the search would have found them.
func placesOf(flavor string) []place {
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
	places := []place{
		{"tables", under("data/" + Database + "/")},
		{"binary log", under("data/binlog.")},
		{"general log", under("data/general.log")},
		{"slow log", under("data/slow.log")},
		{"statement history", under("performance_schema.events_statements_history_long")},
		{"definitions", under("information_schema.")},
	}
	if flavor == "mysql" {
		return append(places,
			place{"redo log", under("data/#innodb_redo/")},
			place{"undo log", under("data/undo_")},
			place{"temporary tables", under("data/#innodb_temp/", "data/ibtmp1")},
		)
	}
	return append(places,
		place{"redo log", under("data/ib_logfile")},
		place{"undo log", under("data/ibdata", "data/undo")},
		place{"temporary tables", under("data/ibtmp1")},
	)
}

// unseen are the names of the places in which nothing was found.
func unseen(places []place, found []sighting) (names []string) {
	for _, p := range places {
		seen := false
		for _, s := range found {
			seen = seen || p.holds(s.where)
		}
		if !seen {
			names = append(names, p.name)
		}
	}
	sort.Strings(names)
	return names
}
