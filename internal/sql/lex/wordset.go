package lex

// A WordSet is a set of keywords, in upper case and of less than 64 bytes. Most
// words that are asked for are not in it and differ from all that are in the
// first letter or in length, so that is looked at before anything is hashed.
type WordSet struct {
	words   map[string]struct{}
	lengths [32]uint64 // by first letter; bit n: there is a member of n bytes
}

// NewWordSet makes a set of words in upper case.
func NewWordSet(words ...string) *WordSet {
	s := &WordSet{words: make(map[string]struct{}, len(words))}
	for _, w := range words {
		s.words[w] = struct{}{}
		s.lengths[w[0]&31] |= 1 << len(w)
	}
	return s
}

// Has says whether the set has word, whatever its case.
func (s *WordSet) Has(word []byte) bool {
	if len(word) == 0 || s.lengths[word[0]&31]>>len(word)&1 == 0 {
		return false
	}
	var upper [64]byte
	_, ok := s.words[string(UpperInto(upper[:0], word))]
	return ok
}

// UpperInto appends word to dst in upper case.
func UpperInto(dst, word []byte) []byte {
	for _, c := range word {
		if in(c, 'a', 'z') {
			c -= 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// Is says whether word is the keyword upper, whatever its case.
func Is(word []byte, upper string) bool {
	if len(word) != len(upper) {
		return false
	}
	for i, c := range word {
		if in(c, 'a', 'z') {
			c -= 'a' - 'A'
		}
		if c != upper[i] {
			return false
		}
	}
	return true
}
