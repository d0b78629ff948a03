package encoding

import (
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/notation"
)

// Functions are the functions that write bytes and numbers in other ways, or read them.
func Functions() map[string]compilation.Function {
	return map[string]compilation.Function{
		"ascii":   compilation.Takes(1, 1, compileCode(notation.FirstByte)),
		"ord":     compilation.Takes(1, 1, compileCode(notation.FirstChar)),
		"hex":     compilation.Takes(1, 1, compileHex),
		"unhex":   compilation.Takes(1, 1, compileUnhex),
		"bin":     compilation.Takes(1, 1, compileBase(2)),
		"oct":     compilation.Takes(1, 1, compileBase(8)),
		"conv":    compilation.Takes(3, 3, compileConv),
		"format":  compilation.Takes(2, 3, compileNumberFormat),
		"quote":   compilation.Takes(1, 1, compileQuote),
		"soundex": compilation.Takes(1, 1, compileSoundex),

		"md5":         compilation.Takes(1, 1, compileMD5),
		"sha":         compilation.Takes(1, 1, compileSHA1),
		"sha1":        compilation.Takes(1, 1, compileSHA1),
		"sha2":        compilation.Takes(2, 2, compileSHA2),
		"crc32":       compilation.Takes(1, 1, compileCRC32),
		"to_base64":   compilation.Takes(1, 1, compileToBase64),
		"from_base64": compilation.Takes(1, 1, compileFromBase64),

		"aes_encrypt": compilation.Takes(2, 6, compileAES(false)),
		"aes_decrypt": compilation.Takes(2, 6, compileAES(true)),

		"inet_aton":   compilation.Takes(1, 1, compileInetAton),
		"inet_ntoa":   compilation.Takes(1, 1, compileInetNtoa),
		"inet6_aton":  compilation.Takes(1, 1, compileInet6Aton),
		"inet6_ntoa":  compilation.Takes(1, 1, compileInet6Ntoa),
		"is_ipv4":     compilation.Takes(1, 1, compileIsAddress(notation.IsIPv4)),
		"is_ipv6":     compilation.Takes(1, 1, compileIsAddress(notation.IsIPv6)),
		"is_uuid":     compilation.Takes(1, 1, compileIsUUID),
		"uuid_to_bin": compilation.Takes(1, 2, compileUUIDToBin),
		"bin_to_uuid": compilation.Takes(1, 2, compileBinToUUID),
	}
}
