package eval

import (
	"tunic/internal/eval/notation"
)

// encodingFunctions are the functions that write bytes and numbers in other ways, or read them.
func encodingFunctions() map[string]function {
	return map[string]function{
		"ascii":   takes(1, 1, compileCode(notation.FirstByte)),
		"ord":     takes(1, 1, compileCode(notation.FirstChar)),
		"hex":     takes(1, 1, compileHex),
		"unhex":   takes(1, 1, compileUnhex),
		"bin":     takes(1, 1, compileBase(2)),
		"oct":     takes(1, 1, compileBase(8)),
		"conv":    takes(3, 3, compileConv),
		"format":  takes(2, 3, compileNumberFormat),
		"quote":   takes(1, 1, compileQuote),
		"soundex": takes(1, 1, compileSoundex),

		"md5":         takes(1, 1, compileMD5),
		"sha":         takes(1, 1, compileSHA1),
		"sha1":        takes(1, 1, compileSHA1),
		"sha2":        takes(2, 2, compileSHA2),
		"crc32":       takes(1, 1, compileCRC32),
		"to_base64":   takes(1, 1, compileToBase64),
		"from_base64": takes(1, 1, compileFromBase64),

		"aes_encrypt": takes(2, 6, compileAES(false)),
		"aes_decrypt": takes(2, 6, compileAES(true)),

		"inet_aton":   takes(1, 1, compileInetAton),
		"inet_ntoa":   takes(1, 1, compileInetNtoa),
		"inet6_aton":  takes(1, 1, compileInet6Aton),
		"inet6_ntoa":  takes(1, 1, compileInet6Ntoa),
		"is_ipv4":     takes(1, 1, compileIsAddress(notation.IsIPv4)),
		"is_ipv6":     takes(1, 1, compileIsAddress(notation.IsIPv6)),
		"is_uuid":     takes(1, 1, compileIsUUID),
		"uuid_to_bin": takes(1, 2, compileUUIDToBin),
		"bin_to_uuid": takes(1, 2, compileBinToUUID),
	}
}
