package eval

// The classes of the operands of functions of text.
var (
	pieces  = []string{"text", "text'", "bytes", "int", "decimal'", "null'"}
	common  = []string{"text", "text'", "bytes", "int", "int'", "uint", "decimal", "decimal'", "double", "date", "datetime", "enum", "set", "null'"}
	factors = []string{"int", "int'", "uint", "decimal", "decimal'", "double", "text", "text'", "null'"}
)

// textOperations are what is measured of functions of text.
var textOperations = []operationCase{
	{name: "LPAD", operands: 3, templates: []string{"LPAD(%1, %2, %3)"}, classes: [][]string{all, counts, pieces}},
	{name: "RPAD", operands: 3, templates: []string{"RPAD(%1, %2, %3)"}, classes: [][]string{all, counts, pieces}},
	{name: "LPAD", operands: 2, templates: []string{"LPAD(%1, %2)"}, classes: [][]string{all, counts}},
	{name: "RPAD", operands: 2, templates: []string{"RPAD(%1, %2)"}, classes: [][]string{all, counts}},
	{name: "REPEAT", operands: 2, templates: []string{"REPEAT(%1, LEAST(%2, 9))"}, classes: [][]string{all, {"int", "int'"}}},
	{name: "SPACE", operands: 1, templates: []string{"SPACE(%1)"}},
	{name: "SUBSTRING_INDEX", operands: 3, templates: []string{"SUBSTRING_INDEX(%1, %2, %3)"}, classes: [][]string{all, pieces, counts}},
	{name: "INSTR", operands: 2, templates: []string{"INSTR(%1, %2)"}, classes: [][]string{common, common}},
	{name: "LOCATE", operands: 2, templates: []string{"LOCATE(%1, %2)", "POSITION(%1 IN %2)"}, classes: [][]string{common, common}},
	{name: "LOCATE", operands: 3, templates: []string{"LOCATE(%1, %2, %3)"}, classes: [][]string{pieces, common, counts}},
	{name: "FIND_IN_SET", operands: 2, templates: []string{"FIND_IN_SET(%1, %2)"}, classes: [][]string{common, common}},
	{name: "FIELD", operands: 2, templates: []string{"FIELD(%1, %2)", "FIELD(%1, %2, %2)"}, classes: [][]string{common, common}},
	{name: "ELT", operands: 2, templates: []string{"ELT(%1, %2)", "ELT(%1 + 1, %2, %2)"}, classes: [][]string{factors, all}},
	{name: "INSERT", operands: 4, templates: []string{"INSERT(%1, %2, %3, %4)"}, classes: [][]string{texts, {"int", "int'"}, {"int", "int'"}, pieces}},
	{name: "ASCII", operands: 1, templates: []string{"ASCII(%1)"}},
	{name: "ORD", operands: 1, templates: []string{"ORD(%1)"}},
	{name: "BIT_LENGTH", operands: 1, templates: []string{"BIT_LENGTH(%1)"}},
	{name: "HEX", operands: 1, templates: []string{"HEX(%1)"}},
	{name: "UNHEX", operands: 1, templates: []string{"UNHEX(%1)", "UNHEX(HEX(%1))"}},
	{name: "CHAR", operands: 1, templates: []string{"CHAR(%1)", "CHAR(65, %1)", "CHAR(%1, 66 USING utf8mb4)"}},
	{name: "QUOTE", operands: 1, templates: []string{"QUOTE(%1)"}},
	{name: "SOUNDEX", operands: 1, templates: []string{"SOUNDEX(%1)", "SOUNDEX(CONCAT(%1, 'Pfister'))"}},
	{name: "SHA2", operands: 1, templates: []string{"SHA2(%1, 256)", "SHA2(%1, 0)", "SHA2(%1, 224)", "SHA2(%1, 384)", "SHA2(%1, 512)"}},
	{name: "CRC32", operands: 1, templates: []string{"CRC32(%1)"}},
	{name: "TO_BASE64", operands: 1, templates: []string{"TO_BASE64(%1)", "TO_BASE64(REPEAT(%1, 30))"}},
	{name: "FROM_BASE64", operands: 1, templates: []string{"FROM_BASE64(%1)", "FROM_BASE64(TO_BASE64(REPEAT(%1, 30)))"}},
	{name: "BIN", operands: 1, templates: []string{"BIN(%1)"}},
	{name: "OCT", operands: 1, templates: []string{"OCT(%1)"}},
	{name: "CONV", operands: 1, templates: []string{"CONV(%1, 10, 16)", "CONV(%1, 16, -10)", "CONV(%1, -10, 36)", "CONV(%1, 2, 8)"}},
	{name: "BIT_COUNT", operands: 1, templates: []string{"BIT_COUNT(%1)"}},
	{name: "FORMAT", operands: 2, templates: []string{"FORMAT(%1, %2)", "FORMAT(%1, 2)"}, classes: [][]string{all, counts}},
	{name: "INET_ATON", operands: 1, templates: []string{"INET_ATON(%1)", "INET_ATON(CONCAT(%1, '.2.3.255'))", "INET_ATON(CONCAT('1.', %1, '.0.1'))"}},
	{name: "INET_NTOA", operands: 1, templates: []string{"INET_NTOA(%1)", "INET_NTOA(%1 + 4294967000)"}},
	{name: "INET6_ATON", operands: 1, templates: []string{"INET6_ATON(CONCAT('::', %1))", "INET6_ATON(CONCAT('1:2::', %1, ':0:0:3'))", "INET6_ATON(CONCAT(%1, '.0.1.2'))", "INET6_ATON(CONCAT('::ffff:', %1, '.0.1.2'))"}},
	{name: "INET6_NTOA", operands: 1, templates: []string{"INET6_NTOA(%1)"}},
	{name: "IS_IPV4", operands: 1, templates: []string{"IS_IPV4(%1)", "IS_IPV4(CONCAT('1.2.', %1, '.3'))"}},
	{name: "IS_IPV6", operands: 1, templates: []string{"IS_IPV6(%1)", "IS_IPV6(CONCAT('1:2::', %1, ':3'))", "IS_IPV6(CONCAT('::1.2.', %1, '.3'))"}},
	{name: "IS_UUID", operands: 1, templates: []string{"IS_UUID(%1)", "IS_UUID(CONCAT('aab5d5fd-70c1-11e5-a4fb-b026b977eb2', %1))", "IS_UUID(CONCAT('{aab5d5fd-70c1-11e5-a4fb-b026b977eb2', %1, '}'))"}},
	{name: "UUID_TO_BIN", operands: 1, templates: []string{"UUID_TO_BIN(%1)", "UUID_TO_BIN(CONCAT('aab5d5fd-70c1-11e5-a4fb-b026b977eb2', %1))"}},
	{name: "UUID_TO_BIN", operands: 2, templates: []string{"UUID_TO_BIN(%1, %2)", "UUID_TO_BIN(CONCAT('aab5d5fd-70c1-11e5-a4fb-b026b977eb2', %1), %2)"}, classes: [][]string{texts, counts}},
	{name: "BIN_TO_UUID", operands: 1, templates: []string{"BIN_TO_UUID(%1)", "BIN_TO_UUID(RPAD(%1, 16, '12345678'))"}},
	{name: "BIN_TO_UUID", operands: 2, templates: []string{"BIN_TO_UUID(%1, %2)", "BIN_TO_UUID(RPAD(%1, 16, '12345678'), %2)"}, classes: [][]string{texts, counts}},
	{name: "REGEXP", operands: 2, templates: []string{"%1 REGEXP %2", "%1 NOT REGEXP %2", "REGEXP_SUBSTR(%1, %2)", "REGEXP_REPLACE(%1, %2, %1)", "REGEXP_INSTR(%1, %2)"}, classes: [][]string{common, common}},
	{name: "AES_ENCRYPT", operands: 1, templates: []string{"AES_ENCRYPT(%1, 'key')", "AES_ENCRYPT('text', %1)", "AES_ENCRYPT(%1, REPEAT(%1, 20))"}},
	{name: "AES_DECRYPT", operands: 1, templates: []string{"AES_DECRYPT(%1, 'key')", "AES_DECRYPT(AES_ENCRYPT(%1, %1), %1)", "AES_DECRYPT(AES_ENCRYPT(%1, %1), 'key')"}},
}
