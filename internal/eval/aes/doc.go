// Package aes encrypts and decrypts bytes as the functions of SQL do: AES_ENCRYPT and AES_DECRYPT in all values of
// block_encryption_mode, with keys that are folded or derived. It is here because SQL has it: tunic itself protects
// nothing with it.
//
// A Mode is one of the modes, a Cipher is what is kept from one row to the next: the key that was used last, and the
// one that was derived last. The package knows bytes and stands on the standard library alone. Which arguments a
// server takes, and which of them it warns of, is its caller's to say.
package aes
