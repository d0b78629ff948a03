package charset

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// collationsTSV is a line for every collation of every server, written by
// TestCollations from the servers themselves:
//
//	flavor, id, name, character set, bytes of a character at most,
//	"default" or "-", "pad" or "nopad", "exact" or the reason why not
//
//go:embed collations.tsv
var collationsTSV string

// charsetsTSV is a line for every character set of every server, written by
// TestCharsets: flavor, name, and "exact" or the reason why not.
//
//go:embed charsets.tsv
var charsetsTSV string

// names holds what one flavor of server has.
type names struct {
	collations map[string]*Collation
	charsets   map[string]*Charset
}

var flavors = sync.OnceValue(func() map[Flavor]*names {
	all := readCollations(collationsTSV)
	readCharsets(all, charsetsTSV)
	return all
})

// Lookup returns the collation of that name, in any case of letters. It is false
// where the flavor has none. The names of utf8 mean utf8mb3; MariaDB's uca1400
// collations go by their full names, utf8mb4_uca1400_ai_ci.
func Lookup(f Flavor, name string) (*Collation, bool) {
	c, ok := f.names().collations[unalias(name)]
	return c.ready(), ok
}

// CharsetByName returns the character set of that name, in any case of letters.
func CharsetByName(f Flavor, name string) (*Charset, bool) {
	c, ok := f.names().charsets[unalias(name)]
	return c, ok
}

// unalias brings a name to the one that the servers list.
func unalias(name string) string {
	for _, b := range []byte(name) {
		if b >= 'A' && b <= 'Z' {
			name = strings.ToLower(name)
			break
		}
	}
	if rest, ok := strings.CutPrefix(name, "utf8"); ok && (rest == "" || rest[0] == '_') {
		return "utf8mb3" + rest
	}
	return name
}

var noNames = &names{}

func (f Flavor) names() *names {
	if n := flavors()[f]; n != nil {
		return n
	}
	return noNames
}

// ready makes the tables of c, the first time it is asked for.
func (c *Collation) ready() *Collation {
	if c != nil {
		c.once.Do(c.build)
	}
	return c
}

// readCollations reads the table. It is part of the program: a line that cannot
// be read is a mistake of whoever built it.
func readCollations(table string) map[Flavor]*names {
	all := map[Flavor]*names{}
	for line := range strings.Lines(table) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if err := addLine(all, strings.Split(line, "\t")); err != nil {
			panic(fmt.Sprintf("charset: collations.tsv: %q: %v", line, err))
		}
	}
	return all
}

// readCharsets notes which character sets are exact.
func readCharsets(all map[Flavor]*names, table string) {
	for line := range strings.Lines(table) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 {
			continue
		}
		if n := all[Flavor(slices.Index(flavorNames[:], fields[0]))]; n != nil && n.charsets[fields[1]] != nil {
			n.charsets[fields[1]].convert = fields[2] == "exact"
			n.charsets[fields[1]].why = fields[2]
		}
	}
}

// addLine takes in one line of collations.tsv.
func addLine(all map[Flavor]*names, fields []string) error {
	if len(fields) != 8 {
		return fmt.Errorf("%d fields", len(fields))
	}
	flavor := Flavor(slices.Index(flavorNames[:], fields[0]))
	id, errID := strconv.ParseUint(fields[1], 10, 16)
	width, errWidth := strconv.ParseUint(fields[4], 10, 8)
	if err := errors.Join(errID, errWidth); err != nil {
		return err
	}
	n := all[flavor]
	if n == nil {
		n = &names{map[string]*Collation{}, map[string]*Charset{}}
		all[flavor] = n
	}
	set := n.charsets[fields[3]]
	if set == nil {
		set = newCharset(flavor, fields[3], int(width))
		n.charsets[fields[3]] = set
	}
	c := newCollation(set, fields[2], uint16(id))
	c.PadSpace = fields[6] == "pad"
	c.exact = fields[7] == "exact"
	c.reason = fields[7]
	n.collations[c.Name] = c
	set.adopt(c, fields[5] == "default")
	return nil
}

// newCollation makes what follows from the name.
func newCollation(set *Charset, name string, id uint16) *Collation {
	return &Collation{
		Name:            name,
		ID:              id,
		Flavor:          set.Flavor,
		Charset:         set,
		CaseInsensitive: strings.HasSuffix(name, "_ci"),
		Binary:          name == "binary" || strings.HasSuffix(name, "_bin"),
	}
}

// adopt notes c as the default or the _bin collation of its character set.
func (set *Charset) adopt(c *Collation, isDefault bool) {
	if isDefault {
		set.def = c
	}
	if c.Name == set.Name+"_bin" || c.Name == "binary" {
		set.bin = c
	}
}
