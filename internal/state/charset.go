package state

// charsetOf is the character set of a collation that a client names when it logs
// in, by its number; "unknown" if tunic does not know it (information_schema.COLLATIONS has the list).
func charsetOf(collation uint16) string {
	switch {
	case collation >= 192 && collation <= 223:
		return "utf8"
	case collation >= 224 && collation <= 247, collation == 255:
		return "utf8mb4"
	case collation >= 248 && collation <= 250:
		return "gb18030"
	}
	for charset, collations := range loginCharsets {
		for _, id := range collations {
			if id == collation {
				return charset
			}
		}
	}
	return "unknown"
}

// loginCharsets are the collations below 192, by character set, without the
// ones no client may use (ucs2, utf16, utf32).
var loginCharsets = map[string][]uint16{
	"armscii8": {32, 64}, "ascii": {11, 65}, "big5": {1, 84}, "binary": {63},
	"cp1250": {26, 34, 44, 66, 99}, "cp1251": {14, 23, 50, 51, 52}, "cp1256": {57, 67}, "cp1257": {29, 58, 59},
	"cp850": {4, 80}, "cp852": {40, 81}, "cp866": {36, 68}, "cp932": {95, 96}, "dec8": {3, 69},
	"eucjpms": {97, 98}, "euckr": {19, 85}, "gb2312": {24, 86}, "gbk": {28, 87}, "geostd8": {92, 93},
	"greek": {25, 70}, "hebrew": {16, 71}, "hp8": {6, 72}, "keybcs2": {37, 73}, "koi8r": {7, 74}, "koi8u": {22, 75},
	"latin1": {5, 8, 15, 31, 47, 48, 49, 94}, "latin2": {2, 9, 21, 27, 77}, "latin5": {30, 78}, "latin7": {20, 41, 42, 79},
	"macce": {38, 43}, "macroman": {39, 53}, "sjis": {13, 88}, "swe7": {10, 82}, "tis620": {18, 89},
	"ujis": {12, 91}, "utf8": {33, 76, 83}, "utf8mb4": {45, 46},
}
