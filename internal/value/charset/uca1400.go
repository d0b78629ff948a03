package charset

import (
	_ "embed"
	"encoding/hex"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// uca1400GZ has the primary weights of UCA 14.0.0 as MariaDB has them, written by
// TestUCA1400. It is text, compressed, with a line for
//
//	2E80          FB40CE36   a character, or several that contract, and weights
//	4E00..9FFF    FB40       characters with implicit weights, and their base
//
// in the order of the numbers, ranges first and contractions last.
//
//go:embed uca1400.txt.gz
var uca1400GZ []byte

const uca1400File = "uca1400.txt.gz"

// weightList has the weights of characters by number, those of chars[i] from
// starts[i] to starts[i+1].
type weightList struct {
	ranges  []implicitRange
	chars   []rune
	starts  []uint32
	weights []byte
}

// implicitRange is characters with implicit weights.
type implicitRange struct {
	first, last rune
	base        uint16
}

// appendWeights appends the weights of one character; it has none if it is not
// in the list.
func (l *weightList) appendWeights(dst []byte, r rune) []byte {
	if i, ok := sort.Find(len(l.chars), func(i int) int { return int(r) - int(l.chars[i]) }); ok {
		return append(dst, l.weights[l.starts[i]:l.starts[i+1]]...)
	}
	i := sort.Search(len(l.ranges), func(i int) bool { return l.ranges[i].last >= r })
	if i < len(l.ranges) && l.ranges[i].first <= r {
		return appendImplicit(dst, l.ranges[i].base, r)
	}
	return dst
}

// readUCA1400 reads the table. It is part of the program: what cannot be read is
// a mistake of whoever built it.
func readUCA1400(compressed []byte) *rootTable {
	list := &weightList{starts: []uint32{0}}
	table := &rootTable{weigh: list.appendWeights, contractions: map[contraction][]byte{}, starters: map[rune]bool{}}
	for line := range strings.Lines(unpacked(uca1400File, compressed)) {
		line = strings.TrimSuffix(line, "\n")
		if err := readWeightLine(line, list, table); err != nil {
			panic(fmt.Sprintf("charset: %s: %q: %v", uca1400File, line, err))
		}
	}
	return table
}

// readWeightLine takes in one line.
func readWeightLine(line string, list *weightList, table *rootTable) error {
	chars, weightsHex, _ := strings.Cut(line, "\t")
	weights, err := hex.DecodeString(weightsHex)
	if err != nil {
		return err
	}
	if first, last, ok := strings.Cut(chars, ".."); ok {
		r, err := readRunes(first + " " + last)
		if err != nil || len(weights) != 2 {
			return fmt.Errorf("not a range with a base: %w", err)
		}
		list.ranges = append(list.ranges, implicitRange{r[0], r[1], uint16(weights[0])<<8 | uint16(weights[1])})
		return nil
	}
	r, err := readRunes(chars)
	if err != nil {
		return err
	}
	if r[1] != noRune {
		table.contractions[r] = weights
		table.starters[r[0]] = true
		return nil
	}
	list.chars = append(list.chars, r[0])
	list.weights = append(list.weights, weights...)
	list.starts = append(list.starts, uint32(len(list.weights)))
	return nil
}

// readRunes reads one to three numbers of characters.
func readRunes(text string) (contraction, error) {
	runes := contraction{noRune, noRune, noRune}
	for i, field := range strings.Fields(text) {
		n, err := strconv.ParseUint(field, 16, 21)
		if err != nil || i == len(runes) {
			return runes, fmt.Errorf("not one to three characters: %w", err)
		}
		runes[i] = rune(n)
	}
	return runes, nil
}
