// Package encoding compiles functions that write bytes and numbers in another way, or
// read what is written so: HEX, BASE64, CHAR, CONV, FORMAT, QUOTE, hashes, addresses,
// UUIDs and AES. ASCII, ORD and CRC32, which make a number of bytes, are here too.
//
// Their results are letters and digits, which are text of the connection and yield to
// the collation of columns, or bytes, or numbers. What they compute is in packages
// notation, uuid and aes, which know neither a session nor a server.
//
// Text that stands for nothing is where servers differ: UNHEX of it is NULL, in silence
// on one and with a warning on the other, INET_ATON makes something of it on one and
// nothing on the other. What would warn is refused.
//
// MD5 and SHA1 are refused on versions of MySQL that have them in a component which may
// be installed or not. AES works in the session's block_encryption_mode, which a plan
// depends on; a run keeps the cipher of the key that it has used last.
package encoding
