package charset

import (
	"math/rand/v2"
	"slices"
)

// characters returns what is weighed one by one: every byte of an 8-bit
// character set, every character of the BMP and some of each other plane of a
// Unicode one, every pair of bytes that is one character of any other. step
// thins them out.
func characters(set *Charset, step int) [][]byte {
	var found [][]byte
	switch {
	case set.BytesMax == 1:
		for b := range 256 {
			if char := []byte{byte(b)}; set.Valid(char) {
				found = append(found, char)
			}
		}
		return found
	case set.isUnicode():
		for r := rune(0); r <= 0x10FFFF; r += rune(step) {
			if char, ok := set.codec.encode(nil, r); ok && set.Valid(char) {
				found = append(found, char)
			}
			if r > 0xFFFF && (r < 0x1F000 || r > 0x1FAFF) {
				r += 60
			}
		}
		return found
	}
	for pair := 0; pair < 0x10000; pair += step {
		char := []byte{byte(pair >> 8), byte(pair)}
		if _, n := set.codec.decode(char); n == 2 {
			found = append(found, char)
		}
	}
	return found
}

// pieces are what collations of some language treat in a way of their own:
// letters that contract, letters that expand, marks, characters that are
// ignored, and whatever stands beside the space.
var pieces = []string{
	"a", "A", "b", "B", "c", "C", "d", "D", "e", "f", "g", "h", "H", "i", "I", "j", "J", "k", "l", "L", "m", "n", "N", "o", "O",
	"p", "q", "r", "s", "S", "t", "u", "U", "v", "V", "w", "W", "x", "y", "Y", "z", "Z", "0", "1", "9", "-", "'", ".", "_", "/", "~",
	" ", "  ", "\t", "\n", "\x00", "\x01", "\x1f", "!", "\u00a0", "\u3000", "\u2003", "\u00ad", "\u200b", "\u200d", "\ufeff",
	"ch", "CH", "Ch", "cH", "ll", "Ll", "LL", "rr", "cs", "CS", "dz", "Dz", "dzs", "DZS", "dž", "DŽ", "gy", "GY", "lj", "Lj", "ly", "nj", "NJ", "ny", "sz", "ty", "zs", "ddz", "ggy", "ssz",
	"ij", "IJ", "ĳ", "aa", "AA", "Aa", "ae", "AE", "oe", "OE", "ue", "ss", "SS", "ß", "ẞ", "æ", "Æ", "œ", "Œ", "ø", "Ø", "å", "Å", "ä", "Ä", "ö", "Ö", "ü", "Ü", "ű", "Ű",
	"é", "É", "è", "ê", "ë", "ñ", "Ñ", "ç", "Ç", "đ", "Đ", "ð", "þ", "Þ", "ł", "Ł", "ı", "İ", "ğ", "ş", "č", "Č", "š", "ž", "ć", "ǆ", "ǅ", "ǉ", "ǌ", "ő", "ų", "ė", "ÿ", "ŉ",
	"a\u0301", "e\u0301", "o\u0308", "u\u0308", "n\u0303", "a\u030a", "\u0301", "\u0308", "\u0323", "a\u0323\u0301", "\u0345", "\u00b4", "\u00a8", "\u00b8",
	"ﬁ", "ﬀ", "ﬃ", "½", "①", "Ⅷ", "℃", "№", "™", "ª", "²", "€", "Ａ", "ａ", "ﾊ", "ﾊﾟ",
	"α", "Α", "ά", "σ", "ς", "Σ", "ω", "а", "А", "б", "ё", "Ё", "е", "й", "й", "ї", "ў", "њ", "ӣ", "א", "ב", "ש\u05c1", "ا", "ل", "لا", "ﻻ", "ی", "ک", "ة",
	"ก", "เก", "แก", "ไ", "ๆ", "က", "က်", "ခ", "ာ", "ක", "කා", "ක්ෂ", "අ", "ා", "ං", "க", "க்ஷ", "क", "क्ष", "ক", "ॐ", "ང", "ླ",
	"か", "カ", "が", "ガ", "が", "っ", "ー", "カー", "ゝ", "ゞ", "はゝ", "ヽ", "ヾ", "ア", "ァ", "あ", "亜", "一", "丁", "中", "文", "龥", "豈", "更", "㐀", "가", "각", "각", "힣", "ᄀ",
	"l·", "L·", "ເກ", "ແກ", "ꪵꪀ", "и\u0306", "И\u0306", "ཱི", "ཱྀ", "ྲཱྀ", "ླཱྀ", "ೋ", "ೆ", "ೂ", "ො", "ෝ", "ේ", "ু", "ো", "ா", "ொ", "ᦵᦀ",
	"😀", "😁", "𝐀", "𐐀", "𐐨", "𠀀", "\U0002F800", "\U0001F1E9\U0001F1EA", "\U000E0001", "\ufffd", "\ufffe", "\uffff", "\ufdfa", "\ue000", "\U0010ffff",
}

// pairs returns strings to compare with each other: random ones beside changed
// copies of themselves. The same seed gives the same pairs.
func pairs(set *Charset, chars [][]byte, count int) [][][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	parts := encodable(set)
	part := func() []byte {
		if rng.IntN(12) == 0 {
			return chars[rng.IntN(len(chars))]
		}
		return parts[rng.IntN(len(parts))]
	}
	spaces := set.spaces(3)
	found := make([][][]byte, count)
	for i := range found {
		a := make([][]byte, rng.IntN(7))
		for j := range a {
			a[j] = part()
		}
		b := slices.Clone(a)
		for range rng.IntN(3) {
			at := rng.IntN(len(b) + 1)
			switch {
			case rng.IntN(3) == 0 || at == len(b):
				b = slices.Insert(b, at, part())
			case rng.IntN(4) == 0:
				b = slices.Delete(b, at, at+1)
			default:
				b[at] = part()
			}
		}
		if rng.IntN(3) == 0 {
			b = append(b, spaces[:len(spaces)/3*(1+rng.IntN(3))])
		}
		found[i] = [][]byte{slices.Concat(a...), slices.Concat(b...)}
	}
	return found
}

// encodable returns the pieces that the character set has.
func encodable(set *Charset) [][]byte {
	utf8mb4, _ := CharsetByName(set.Flavor, "utf8mb4")
	var found [][]byte
	for _, p := range pieces {
		if piece, bad := Convert(nil, set, utf8mb4, []byte(p)); bad < 0 {
			found = append(found, piece)
		}
	}
	return found
}
