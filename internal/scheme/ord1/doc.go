// Package ord1 is the scheme of order: tokens that compare, byte by byte, as
// the values do, so that an ordinary index of the server sorts them and finds
// ranges. It is the scheme of Chenette, Lewi, Weis and Wu ("Practical
// Order-Revealing Encryption with Limited Leakage", FSE 2016), which needs a
// comparison of its own, carried into plain integers. Its parameters, 4-bit
// cells above all, are new to the literature and ask for review.
//
// # Construction
//
// A value is a string of n bits b_0 … b_(n-1), b_0 first, n a multiple of 4 from
// 4 to 512: an unsigned big-endian number in ceil(n/8) bytes, whose unused bits
// are the first ones and zero. A cell has w bits, 4 or 8. The token is one
// integer of n cells, big endian, n*w/8 bytes:
//
//	C = Σ (P_i + 2 b_i) 2^(w(n-1-i))      with carries
//
// P_i is a pseudorandom number in [0, 2^w) that depends on i and the first i
// bits; P_0, which depends on nothing but the key, is reduced modulo 2^w - 3.
//
// Why it sorts: let i be the first bit in which two values differ. All P up to
// P_i are equal; the difference of the two bits weighs 2 * 2^(wk), k = n-1-i, and
// what the k cells below can make up for is at most (2^w + 1) in each, in all
// (2^w+1)/(2^w-1) * (2^(wk) - 1), which is less for w ≥ 2.
//
// Why it fits: for the same reason the cells below the first carry at most 1 into
// it, and (2^w - 4) + 2 + 1 is 2^w - 1.
//
// # The pseudorandom numbers
//
// E is the suite's block cipher (AES-256) under K, the 32 bytes of the caller.
// All numbers are big endian and all blocks have 16 bytes.
//
//	K1 = E_K(L_1) ‖ E_K(L_2)              L_i = "tunic ord1 key" ‖ 0 ‖ i
//	K2 = E_K(L_3) ‖ E_K(L_4)
//	T_0 = E_K1("tunic ord1" ‖ w ‖ 0 ‖ n)    w one byte, n four
//	T_(j+1) = E_K1(T_j xor (chunk_j ‖ 0^64))
//	Y_j,r = E_K2(T_j xor (head_j,r ‖ 0^56 ‖ r))
//
// The bits of the value are cut into chunks of 64 from the first on, the last
// one filled with zeros; chunk_j is the j-th from 0. A chunk has 16 nibbles;
// head_j,r is the chunk with all but its first r nibbles zero. So there is one
// Y, one call of the cipher, for each nibble of the value, and it depends on the
// bits before that nibble.
//
// The four bits v_0 … v_3 of the nibble have their numbers from fields of Y.
// Field t is the t-th nibble of Y if w = 4, and the t-th byte if w = 8, from 0
// and from the first:
//
//	P of v_0    field 1
//	P of v_1    field 2 + v_0
//	P of v_2    field 4 + 2 v_0 + v_1
//	P of v_3    field 8 + 4 v_0 + 2 v_1 + v_2
//
// Those are the 15 inner nodes of the tree of four bits, numbered as in a heap.
// P_0 is field 1 of Y_0,0 modulo 2^w - 3.
//
// T and Y together are CBC-MAC with another key in the last block, FCBC of Black
// and Rogaway ("CBC MACs for Arbitrary-Length Messages", CRYPTO 2000), which is
// a pseudorandom function of all sequences of blocks: here of (w, n), the chunks
// before, and (head, r), which no two nodes' blocks share.
//
// # What it shows
//
// To whoever holds tokens: their order; of any two, the first bit in which they
// differ; and through carries a little more. A carry into a cell comes, up to a
// chance of 1 in 2^w, only from a bit 1 below it, and shows when two tokens are
// compared there: in about 1 of 2^(w-1) cases the bit after the first differing
// one shows too. Since P_0 is not reduced modulo 2^w, the first cell of a single
// token tells something of b_0. There is no way back from a token to its value
// other than guessing; on dense data (dates, ages, sequence numbers) guessing
// succeeds, under any scheme that keeps order.
package ord1
