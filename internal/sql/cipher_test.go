package sql

import (
	"fmt"
	"testing"
)

func TestCiphers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT AES_ENCRYPT('a', 'k')", "[AES_ENCRYPT('a', 'k')] keyed"},
		{"SELECT aes_decrypt (a, ?), 1", "[aes_decrypt (a, ?)] keyed params [0]"},
		{"SELECT `AES_ENCRYPT`(a, @`K`)", "[`AES_ENCRYPT`(a, @`K`)] keyed [k]"},
		{"SELECT AES_ENCRYPT('a', k), HEX(AES_DECRYPT(?, CONCAT(k, l)))", "[AES_ENCRYPT('a', k) AES_DECRYPT(?, CONCAT(k, l))]"},
		{"SELECT AES_ENCRYPT(AES_ENCRYPT('a', 'k'), b)", "[AES_ENCRYPT(AES_ENCRYPT('a', 'k'), b)] keyed"},
		{"SELECT AES_ENCRYPT(a, AES_ENCRYPT('k', b))", "[AES_ENCRYPT(a, AES_ENCRYPT('k', b))] keyed"},
		{"SELECT ?, AES_ENCRYPT(?, ?), ?, AES_ENCRYPT(AES_DECRYPT(?, ?), a)", "[AES_ENCRYPT(?, ?) AES_ENCRYPT(AES_DECRYPT(?, ?), a)] keyed params [2 5]"},
		{"SELECT AES_ENCRYPT(IF(a, 'b', 'c'), d)", "[AES_ENCRYPT(IF(a, 'b', 'c'), d)]"},
		{"SELECT AES_ENCRYPT(a, x'00')", "[AES_ENCRYPT(a, x'00')] keyed"},
		{"SELECT AES_ENCRYPT(a, 5)", "[AES_ENCRYPT(a, 5)] keyed"},
		{"SELECT shop.AES_ENCRYPT(a, 'k'), 'AES_ENCRYPT(a, 5)', aes_encrypt", "[]"},
		{"SELECT /*!50000 AES_ENCRYPT(a, 'k') */", "[AES_ENCRYPT(a, 'k')] keyed"},
		{"SELECT AES_ENCRYPT(a, /*!50000 'k' */)", "[AES_ENCRYPT(a, /*!50000 'k' */)] keyed unclear"},
		{"SELECT AES_ENCRYPT(a, 'k'", "[] keyed unclear"},
		{"SELECT @a := AES_ENCRYPT(a, 'k')", "[AES_ENCRYPT(a, 'k')] keyed assigns"},
	} {
		read, err := Parse([]byte(c.text), 0)
		if err != nil || len(read) != 1 {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		found := read[0].Ciphers()
		var calls []string
		for _, call := range found.Calls {
			calls = append(calls, string(read[0].Text()[call.From:call.To]))
		}
		got := fmt.Sprint(calls)
		if found.Keyed {
			got += " keyed"
		}
		if found.Unclear {
			got += " unclear"
		}
		if found.Assigns {
			got += " assigns"
		}
		if len(found.Keys) > 0 {
			got += " " + fmt.Sprint(found.Keys)
		}
		if len(found.KeyParams) > 0 {
			got += fmt.Sprintf(" params %v", found.KeyParams)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
