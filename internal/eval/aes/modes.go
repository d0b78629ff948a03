package aes

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
)

// The modes of operation of block_encryption_mode (NIST SP 800-38A). dst and src
// are the same bytes. They are here because SQL has them: tunic itself protects
// nothing with them.

func encryptECB(b cipher.Block, _, dst, src []byte) {
	for ; len(src) > 0; dst, src = dst[aes.BlockSize:], src[aes.BlockSize:] {
		b.Encrypt(dst, src)
	}
}

func decryptECB(b cipher.Block, _, dst, src []byte) {
	for ; len(src) > 0; dst, src = dst[aes.BlockSize:], src[aes.BlockSize:] {
		b.Decrypt(dst, src)
	}
}

func encryptCBC(b cipher.Block, iv, dst, src []byte) {
	cipher.NewCBCEncrypter(b, iv[:aes.BlockSize]).CryptBlocks(dst, src)
}

func decryptCBC(b cipher.Block, iv, dst, src []byte) {
	cipher.NewCBCDecrypter(b, iv[:aes.BlockSize]).CryptBlocks(dst, src)
}

// cfb is CFB with segments of so many bytes. What is fed back is the ciphertext.
func cfb(segment int, decrypts bool) func(b cipher.Block, iv, dst, src []byte) {
	return func(b cipher.Block, iv, dst, src []byte) {
		var register, pad [aes.BlockSize]byte
		copy(register[:], iv)
		for len(src) > 0 {
			b.Encrypt(pad[:], register[:])
			n := min(segment, len(src))
			copy(register[:], register[n:])
			fed := register[aes.BlockSize-n:]
			if decrypts {
				copy(fed, src[:n])
			}
			subtle.XORBytes(dst[:n], src[:n], pad[:n])
			if !decrypts {
				copy(fed, dst[:n])
			}
			dst, src = dst[n:], src[n:]
		}
	}
}

// cfb1 is CFB with segments of one bit.
func cfb1(decrypts bool) func(b cipher.Block, iv, dst, src []byte) {
	return func(b cipher.Block, iv, dst, src []byte) {
		var register, pad [aes.BlockSize]byte
		copy(register[:], iv)
		for i := range src {
			var out byte
			for bit := 7; bit >= 0; bit-- {
				b.Encrypt(pad[:], register[:])
				in := src[i] >> bit & 1
				made := in ^ pad[0]>>7
				out = out<<1 | made
				fed := made
				if decrypts {
					fed = in
				}
				shiftIn(&register, fed)
			}
			dst[i] = out
		}
	}
}

// shiftIn moves all bits by one to the left.
func shiftIn(register *[aes.BlockSize]byte, bit byte) {
	for i := len(register) - 1; i >= 0; i-- {
		register[i], bit = register[i]<<1|bit, register[i]>>7
	}
}

// ofb is OFB, which is its own inverse.
func ofb(b cipher.Block, iv, dst, src []byte) {
	var register [aes.BlockSize]byte
	copy(register[:], iv)
	for len(src) > 0 {
		b.Encrypt(register[:], register[:])
		n := min(aes.BlockSize, len(src))
		subtle.XORBytes(dst[:n], src[:n], register[:n])
		dst, src = dst[n:], src[n:]
	}
}
