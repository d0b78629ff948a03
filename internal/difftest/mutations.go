package difftest

import "tunic/internal/wire"

// What a [mutator] draws from. Both servers know all of it.
var (
	settings = []string{
		"SET NAMES CHARSET", "SET NAMES utf8mb4 COLLATE COLLATION", "SET character_set_client = CHARSET",
		"SET character_set_connection = CHARSET", "SET collation_connection = COLLATION", "SET character_set_results = CHARSET",
		"SET character_set_results = NULL", "SET NAMES utf8mb4", "SET sql_mode = MODES", "SET sql_mode = MODES",
		"SET sql_mode = DEFAULT", "SET sql_mode = DEFAULT", "SET NAMES utf8mb4",
	}
	charsets = []string{
		"utf8mb4", "utf8mb3", "latin1", "latin2", "ascii", "binary", "ucs2", "utf16", "utf16le", "utf32", "gbk", "gb2312",
		"sjis", "cp932", "ujis", "euckr", "big5", "tis620", "cp1251", "koi8r", "greek", "hebrew", "latin7", "cp1250", "swe7",
	}
	collations = []string{
		"utf8mb4_general_ci", "utf8mb4_bin", "utf8mb4_unicode_ci", "utf8mb4_unicode_520_ci", "utf8mb3_general_ci",
		"latin1_swedish_ci", "latin1_german2_ci", "latin1_bin", "latin1_general_cs", "binary", "utf16_general_ci",
		"utf16_unicode_ci", "utf32_bin", "ucs2_general_ci", "gbk_chinese_ci", "sjis_japanese_ci", "euckr_korean_ci",
		"big5_chinese_ci", "tis620_thai_ci", "utf8mb4_croatian_ci", "utf8mb4_turkish_ci", "cp1250_czech_cs", "latin2_czech_cs",
	}
	sqlModes = []string{
		"STRICT_TRANS_TABLES", "STRICT_ALL_TABLES", "ANSI_QUOTES", "PIPES_AS_CONCAT", "NO_BACKSLASH_ESCAPES", "IGNORE_SPACE",
		"NO_ZERO_DATE", "NO_ZERO_IN_DATE", "ALLOW_INVALID_DATES", "ONLY_FULL_GROUP_BY", "PAD_CHAR_TO_FULL_LENGTH",
		"NO_AUTO_VALUE_ON_ZERO", "ERROR_FOR_DIVISION_BY_ZERO", "HIGH_NOT_PRECEDENCE", "NO_UNSIGNED_SUBTRACTION", "REAL_AS_FLOAT",
	}
	someTypes = []string{
		"TINYINT", "SMALLINT UNSIGNED", "MEDIUMINT", "INT UNSIGNED", "BIGINT", "BIGINT UNSIGNED", "DECIMAL(10,2)", "DECIMAL(30,10)",
		"FLOAT", "DOUBLE", "BIT(9)", "YEAR", "DATE", "TIME", "TIME(3)", "DATETIME", "DATETIME(6)", "CHAR(12)", "VARCHAR(40)",
		"BINARY(8)", "VARBINARY(40)", "TINYTEXT", "TEXT", "MEDIUMBLOB", "ENUM('one','two','x','')", "SET('one','two','x')", "JSON",
	}
	castTypes = []string{
		"SIGNED", "UNSIGNED", "CHAR", "CHAR(2)", "BINARY", "BINARY(3)", "DECIMAL(10,3)", "DATE", "DATETIME(3)", "TIME",
		"CHAR CHARACTER SET latin1", "CHAR CHARACTER SET utf16", "CHAR CHARACTER SET ucs2",
	}
	someLiterals = []string{
		"NULL", "TRUE", "0", "-1", "1", "127", "128", "255", "65536", "2147483648", "-9223372036854775808", "9223372036854775807",
		"18446744073709551615", "18446744073709551616", "0.5", "-0.0", "1e0", "1e308", "1.5e-10", "99999999999999999999.999999",
		"''", "' '", "'0'", "'-1'", "'1e3'", "'abc'", "'ABC '", "'12abc'", "'2024-02-29'", "'2024-02-30'", "'0000-00-00'",
		"'2024-01-02 03:04:05.678'", "'10:11:12'", "'-838:59:59'", "DATE'2024-02-29'", "TIME'25:00:00'", "TIMESTAMP'2024-01-02 03:04:05'",
		"x''", "x'41'", "0x00", "b'1'", "x'ff'", "'ß'", "'ÄÖ'", "'日本'", "'🐍'", "'%'", "'_'", "'{\"a\": 1}'", "'[1, null]'", "@unset",
	}
	someHex = []string{
		"41", "00", "4100", "0041", "81", "ff", "80", "C3", "C3A4", "E282", "E282AC", "F0908D88", "F0908D", "D800", "DC00",
		"00D8", "110000", "00110000", "00000041", "D83DDC0D", "8140", "A1A1", "8EA1", "FEFE", "41FF42", "EDA080", "C080", "20", "0020",
	}
	someBytes = []string{
		"", " ", "a", "\x00", "\x80", "\xff", "\xc3", "ä", "€", "🐍", "\xe2\x82", "\xf0\x90", "\xed\xa0\x80", "\x81", "\x81\x40",
		"\xd8\x00", "%", "_", "777", "-1", "1.5", "2024-01-02", "\x01\x02\x03\x04\x05\x06\x07\x08\x09", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	}
	someParams = []string{
		"tiny:-1", "utiny:255", "tiny:1", "short:-32768", "ushort:65535", "year:2024", "int:0", "int:1", "int:-1", "uint:4294967295",
		"bigint:2", "bigint:-9223372036854775808", "ubigint:18446744073709551615", "float:1.5", "float:-0", "double:1e300", "double:0.1",
		"double:2", `decimal:"1.50"`, `decimal:"-99999999999999999999.5"`, `decimal:""`, `string:"one"`, `varchar:"2"`,
		`enum:"x"`, `set:"x"`, `bit:"1"`, "date:2024-02-29", "date:0000-00-00", `datetime:"2024-01-02 03:04:05.000006"`,
		`datetime:"0000-00-00"`, `timestamp:"2024-01-02 03:04:05"`, "timestamp:2024-01-02", `time:"-100:11:12.000013"`, `time:"00:00:00"`,
		`time:"23:59:59"`,
	}
	textTypes = []wire.Type{
		wire.TypeString, wire.TypeVarString, wire.TypeVarchar, wire.TypeEnum, wire.TypeSet, wire.TypeBlob, wire.TypeTinyBlob,
		wire.TypeMediumBlob, wire.TypeLongBlob, wire.TypeBit, wire.TypeNewDecimal,
	}
	allTypes = append([]wire.Type{
		wire.TypeTiny, wire.TypeShort, wire.TypeYear, wire.TypeLong, wire.TypeLongLong, wire.TypeFloat, wire.TypeDouble,
		wire.TypeDate, wire.TypeDatetime, wire.TypeTimestamp, wire.TypeTime,
	}, textTypes...)
)
