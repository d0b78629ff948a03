package lex

import (
	"iter"
	"maps"
	"strings"
)

// Modes is what changes the reading of a statement's bytes or the meaning of
// its operators: parts of sql_mode, the client's character set, and the
// server's flavor and version. The zero value is a session with an empty
// sql_mode, a UTF-8 client and a server of unknown version.
//
// Modes is a value to compare and to use in a key: a plan made under one value
// is not used under another.
type Modes uint32

// The flags of [Modes]. The first group comes from sql_mode
// (dev.mysql.com/doc/refman/en/sql-mode.html and
// mariadb.com/kb/en/sql-mode/), the second from the server's version.
const (
	ANSIQuotes         Modes = 1 << iota // "x" is an identifier, not a string
	NoBackslashEscapes                   // a backslash in a string stands for itself
	PipesAsConcat                        // || is CONCAT, not OR
	IgnoreSpace                          // spaces may stand between a function's name and its (
	HighNotPrecedence                    // NOT a BETWEEN b AND c is (NOT a) BETWEEN b AND c
	Oracle                               // MariaDB's sql_mode=ORACLE: another grammar
	MSSQL                                // MariaDB's sql_mode=MSSQL: [x] is an identifier

	MariaDB // the server is MariaDB: /*M! … */ is code, versions 50700–99999 of /*! … */ are not
	TiDB    // the server is TiDB: /*T! … */ is code
)

// The character set's class takes three bits above the flags, the server's
// version the rest.
const (
	charsetShift = 9
	versionShift = 12
)

// CharsetMask is the part of [Modes] that is the character set.
const CharsetMask = 7 << charsetShift

// Charset is what of character_set_client matters to the lexer.
type Charset uint8

// The classes of character sets.
const (
	CharsetUTF8     Charset = iota // ASCII, UTF-8, EUC: a byte below 0x80 is always a character of its own
	charsetEightBit                // latin1 and its kin: a byte above 0x7f may be a letter, a space or a control
	CharsetGBK
	CharsetSJIS // sjis and cp932
	CharsetBig5
	CharsetGB18030
	CharsetOpaque // not known: text outside ASCII cannot be lexed
	CharsetSwe7   // national 7-bit: even ` and \ are letters; nothing can be lexed
)

// UnsafeCharset says that character_set_client may have 0x5c or 0x60 as the
// second byte of a character and that nothing more is known of it: every text
// outside ASCII is unclean. [Modes.WithCharset] is exact.
const UnsafeCharset = Modes(CharsetOpaque) << charsetShift

// Charset is the class of the client's character set.
func (m Modes) Charset() Charset { return Charset(m & CharsetMask >> charsetShift) }

// Version is the server's version as its own comments write it: 80036, 101104; 0
// if it is not known.
func (m Modes) Version() int { return int(m >> versionShift) }

// WithSQLMode returns m with its sql_mode part taken from the value of the
// variable @@sql_mode, in which combination modes (ANSI, ORACLE …) are
// accompanied by the modes that they stand for; a list that a client sends in
// SET works as well.
func (m Modes) WithSQLMode(value string) Modes {
	m &^= ANSIQuotes | NoBackslashEscapes | PipesAsConcat | IgnoreSpace | HighNotPrecedence | Oracle | MSSQL
	for name := range strings.SplitSeq(value, ",") {
		m |= sqlModes[strings.ToUpper(strings.TrimSpace(name))]
	}
	return m
}

// sqlModes are the modes that matter, the combinations resolved as the servers
// resolve them (MySQL dropped all combinations but ANSI and TRADITIONAL).
var sqlModes = map[string]Modes{
	"ANSI_QUOTES":          ANSIQuotes,
	"NO_BACKSLASH_ESCAPES": NoBackslashEscapes,
	"PIPES_AS_CONCAT":      PipesAsConcat,
	"IGNORE_SPACE":         IgnoreSpace,
	"HIGH_NOT_PRECEDENCE":  HighNotPrecedence,
	"ANSI":                 ANSIQuotes | PipesAsConcat | IgnoreSpace,
	"ORACLE":               ANSIQuotes | PipesAsConcat | IgnoreSpace | Oracle,
	"MSSQL":                ANSIQuotes | PipesAsConcat | IgnoreSpace | MSSQL,
	"DB2":                  ANSIQuotes | PipesAsConcat | IgnoreSpace,
	"MAXDB":                ANSIQuotes | PipesAsConcat | IgnoreSpace,
	"POSTGRESQL":           ANSIQuotes | PipesAsConcat | IgnoreSpace,
	"MYSQL323":             HighNotPrecedence,
	"MYSQL40":              HighNotPrecedence,
}

// WithCharset returns m for a client whose character_set_client is name.
// A name that is not known is treated as the worst.
func (m Modes) WithCharset(name string) Modes {
	class, known := charsets[strings.ToLower(name)]
	if !known {
		class = CharsetOpaque
	}
	return m.WithClass(class)
}

// WithClass returns m for a client with a character set of that class.
func (m Modes) WithClass(class Charset) Modes { return m&^CharsetMask | Modes(class)<<charsetShift }

// charsets are the client character sets of MySQL and MariaDB (SHOW CHARACTER
// SET, without those that no client may use). In EUC encodings every byte of a
// character of many bytes is above 0xa0, so they lex like UTF-8.
var charsets = map[string]Charset{
	"": CharsetUTF8, "ascii": CharsetUTF8, "binary": charsetEightBit,
	"utf8": CharsetUTF8, "utf8mb3": CharsetUTF8, "utf8mb4": CharsetUTF8,
	"ujis": CharsetUTF8, "eucjpms": CharsetUTF8, "euckr": CharsetUTF8, "gb2312": CharsetUTF8,
	"gbk": CharsetGBK, "sjis": CharsetSJIS, "cp932": CharsetSJIS, "big5": CharsetBig5, "gb18030": CharsetGB18030,
	"swe7": CharsetSwe7,

	"armscii8": charsetEightBit, "cp1250": charsetEightBit, "cp1251": charsetEightBit, "cp1256": charsetEightBit,
	"cp1257": charsetEightBit, "cp850": charsetEightBit, "cp852": charsetEightBit, "cp866": charsetEightBit,
	"dec8": charsetEightBit, "geostd8": charsetEightBit, "greek": charsetEightBit, "hebrew": charsetEightBit,
	"hp8": charsetEightBit, "keybcs2": charsetEightBit, "koi8r": charsetEightBit, "koi8u": charsetEightBit,
	"latin1": charsetEightBit, "latin2": charsetEightBit, "latin5": charsetEightBit, "latin7": charsetEightBit,
	"macce": charsetEightBit, "macroman": charsetEightBit, "tis620": charsetEightBit,
}

// IsCharset says whether name is a client character set, whatever its case.
func IsCharset(name []byte) bool {
	_, known := charsets[strings.ToLower(string(name))]
	return known
}

// CharsetNames are the names of the client character sets, in lower case.
func CharsetNames() iter.Seq[string] { return maps.Keys(charsets) }

// WithServer returns m for the server whose handshake or @@version says
// version ("8.0.36", "5.5.5-10.11.6-MariaDB-log", "8.0.11-TiDB-v8.1.0").
func (m Modes) WithServer(version string) Modes {
	m &= 1<<versionShift - 1
	m &^= MariaDB | TiDB
	upper := strings.ToUpper(version)
	switch {
	case strings.Contains(upper, "MARIADB"):
		m |= MariaDB
		// MariaDB hides behind 5.5.5 in its handshake, for old replicas.
		upper = strings.TrimPrefix(upper, "5.5.5-")
	case strings.Contains(upper, "TIDB"):
		m |= TiDB
	}
	return m | Modes(versionNumber(upper))<<versionShift
}

// versionNumber turns "10.11.6-…" into 101106; 0 if it is not a version, or
// one that does not fit.
func versionNumber(s string) int {
	var part [3]int
	n := 0
	for i := 0; i < len(s) && n < len(part); i++ {
		c := s[i]
		if c >= '0' && c <= '9' {
			part[n] = part[n]*10 + int(c-'0')
			if part[n] > 99 {
				return 0
			}
			continue
		}
		n++
		if c != '.' {
			break
		}
	}
	return part[0]*10000 + part[1]*100 + part[2]
}

// readsSixth says whether the server reads the sixth digit before rest as one of a
// version in a comment, and not as code behind five. MariaDB always does. MySQL
// does since 8.0; 9.7 only where white space follows, others of 8 in doubt.
func (m Modes) readsSixth(rest []byte) (reads, certain bool) {
	server := m.Version()
	switch {
	case m&(MariaDB|TiDB) != 0:
		return true, true
	case server != 0 && server < 80000:
		return false, true
	case len(rest) > 0 && IsSpace(rest[0]):
		return true, true
	case server >= 90000: // in some character sets a byte above 0x7f is white space
		return false, len(rest) == 0 || rest[0] < 0x80
	}
	return true, false
}
