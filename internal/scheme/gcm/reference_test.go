package gcm

import (
	"crypto/cipher"
	"encoding/binary"
	"math/big"
)

// referenceGCM is GCM written from SP 800-38D, slowly and with nothing of the
// standard library's but the block cipher: algorithm 4, for nonces of 96 bits.
func referenceGCM(block cipher.Block, nonce, aad, plaintext []byte) []byte {
	var h [16]byte
	block.Encrypt(h[:], h[:])
	counter := func(n uint32) []byte {
		b := append(append([]byte{}, nonce...), 0, 0, 0, 0)
		binary.BigEndian.PutUint32(b[12:], n)
		block.Encrypt(b, b)
		return b
	}
	var ciphertext []byte
	for i, p := range plaintext {
		ciphertext = append(ciphertext, p^counter(uint32(i/16 + 2))[i%16])
	}
	input := append(fill(aad), fill(ciphertext)...)
	input = binary.BigEndian.AppendUint64(input, uint64(len(aad))*8)
	input = binary.BigEndian.AppendUint64(input, uint64(len(ciphertext))*8)
	for i, s := range ghash(h[:], input) {
		ciphertext = append(ciphertext, s^counter(1)[i])
	}
	return ciphertext
}

// fill brings b to a multiple of 16 bytes with zeros.
func fill(b []byte) []byte {
	return append(append([]byte{}, b...), make([]byte, (16-len(b)%16)%16)...)
}

// ghash is algorithm 2.
func ghash(h, input []byte) []byte {
	y := new(big.Int)
	for ; len(input) > 0; input = input[16:] {
		y = times(y.Xor(y, polynomial(input[:16])), polynomial(h))
	}
	out := make([]byte, 16)
	for i := range 128 {
		out[i/8] |= byte(y.Bit(i)) << (7 - i%8)
	}
	return out
}

// polynomial reads a block whose first bit is the coefficient of x^0.
func polynomial(b []byte) *big.Int {
	p := new(big.Int)
	for i := range 128 {
		p.SetBit(p, i, uint(b[i/8]>>(7-i%8)&1))
	}
	return p
}

// times multiplies modulo x^128 + x^7 + x^2 + x + 1.
func times(a, b *big.Int) *big.Int {
	product := new(big.Int)
	for i := range 128 {
		if b.Bit(i) == 1 {
			product.Xor(product, new(big.Int).Lsh(a, uint(i)))
		}
	}
	modulus := big.NewInt(0x87)
	modulus.SetBit(modulus, 128, 1)
	for i := product.BitLen() - 1; i >= 128; i-- {
		if product.Bit(i) == 1 {
			product.Xor(product, new(big.Int).Lsh(modulus, uint(i-128)))
		}
	}
	return product
}
