package encoding_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
)

func TestDigits(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("HEX(`text`)", "C3A978", "NULL")
		x.Want("HEX(`int`)", "FF", "NULL")
		x.Want("UNHEX('C3A978')", "éx", "éx")
		x.Want("BIN(`int`)", "11111111", "NULL")
		x.Want("OCT(`int`)", "377", "NULL")
		x.Want("CONV(`int`, 10, 36)", "73", "NULL")
		x.Want("TO_BASE64(`text`)", "w6l4", "NULL")
		x.Want("FROM_BASE64('w6l4')", "éx", "éx")
		x.Want("ASCII(`text`)", "195", "NULL")
		x.Want("ORD(`text`)", "50089", "NULL")
		x.Want("CHAR(`int`, 65)", "\xffA", "A")
		x.Want("QUOTE(`text`)", "'éx'", "NULL")
		x.Want("SOUNDEX('Robert')", "R163", "R163")
		x.Want("FORMAT(`int` * 1000, 2)", "255,000.00", "NULL")
	}, evaltest.Row{"text": "éx", "int": "255"}, evaltest.Row{})
}

// TestHashes have values that everybody knows (RFC 1321, FIPS 180).
func TestHashes(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("MD5(`text`)", "900150983cd24fb0d6963f7d28e17f72", "NULL")
		x.Want("SHA1(`text`)", "a9993e364706816aba3e25717850c26c9cd0d89d", "NULL")
		x.Want("SHA(`text`)", "a9993e364706816aba3e25717850c26c9cd0d89d", "NULL")
		x.Want("SHA2(`text`, 224)", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7", "NULL")
		x.Want("SHA2(`text`, 0)", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "NULL")
		x.Want("CRC32(`text`)", "891568578", "NULL")
		x.Refuses("SHA2(`text`, 255)", "SHA2(`text`, `int`)")
	}, evaltest.Row{"text": "abc"}, evaltest.Row{})
}

// TestOldHashes: newer MySQL has MD5 in a component, which may not be there.
func TestOldHashes(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		if x.Session.Version = 90600; !x.IsMariaDB() {
			x.Refuses("MD5(`text`)", "SHA1(`text`)")
		}
	})
}

func TestAddresses(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("INET_ATON(`text`)", "3232235777", "NULL")
		x.Want("INET_NTOA(INET_ATON(`text`))", "192.168.1.1", "NULL")
		x.Want("HEX(INET6_ATON('fe80::1'))", "FE800000000000000000000000000001", "FE800000000000000000000000000001")
		x.Want("INET6_NTOA(INET6_ATON(`text`))", "192.168.1.1", "NULL")
		x.Want("IS_IPV4(`text`)", "1", map[bool]string{true: "0", false: "NULL"}[x.IsMariaDB()])
		x.Want("IS_IPV6(`text`)", "0", map[bool]string{true: "0", false: "NULL"}[x.IsMariaDB()])
	}, evaltest.Row{"text": "192.168.1.1"}, evaltest.Row{})
}

func TestUUID(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		if x.IsMariaDB() { // which has none of them
			x.Refuses("UUID_TO_BIN(`text`)", "IS_UUID(`text`)")
			return
		}
		x.Want("IS_UUID(`text`)", "1", "NULL")
		x.Want("HEX(UUID_TO_BIN(`text`))", "6CCD780CBABA102695645B8C656024DB", "NULL")
		x.Want("HEX(UUID_TO_BIN(`text`, 1))", "1026BABA6CCD780C95645B8C656024DB", "NULL")
		x.Want("BIN_TO_UUID(UUID_TO_BIN(`text`, 1), 1)", "6ccd780c-baba-1026-9564-5b8c656024db", "NULL")
	}, evaltest.Row{"text": "6ccd780c-baba-1026-9564-5b8c656024db"}, evaltest.Row{})
}

// TestAES opens what it has sealed, and makes NULL of what the key does not open.
func TestAES(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("AES_DECRYPT(AES_ENCRYPT(`text`, 'key'), 'key')", "secret", "NULL")
		x.Want("AES_DECRYPT(AES_ENCRYPT(`text`, 'key'), 'another')", "NULL", "NULL")
		x.Refuses("AES_ENCRYPT(`text`, 'key', 'vector')")
		x.Session.BlockMode = "aes-256-cbc"
		if !x.IsMariaDB() {
			x.Want("AES_DECRYPT(AES_ENCRYPT(`text`, 'key', '0123456789abcdef'), 'key', '0123456789abcdef')", "secret", "NULL")
		}
		x.Refuses("AES_ENCRYPT(`text`, 'key')")
	}, evaltest.Row{"text": "secret"}, evaltest.Row{})
}
