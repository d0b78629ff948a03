package sandbox

import (
	"strings"
	"testing"
)

// A database without encrypted columns has no rule, and one with some names each of them.
func TestShardingSphereSchema(t *testing.T) {
	o := ShardingSphereOptions{Backend: "127.0.0.1:3306", Key: "secret", Clients: 9}
	plain := o.schema(ShardingSphereSchema{Database: "shop", Columns: []string{"k"}})
	for _, want := range []string{"schemaName: shop\n", "url: jdbc:mysql://127.0.0.1:3306/shop?", "maxPoolSize: 9\n", "rules: []\n"} {
		if !strings.Contains(plain, want) {
			t.Errorf("no %q in:\n%s", want, plain)
		}
	}
	encrypted := o.schema(ShardingSphereSchema{Database: "shop", Tables: []string{"a", "b"}, Columns: []string{"k", "c"}})
	for want, count := range map[string]int{
		"aes-key-value: secret\n": 1, "rules: []": 0, "queryWithCipherColumn: true\n": 1,
		"      a:\n        columns:\n          k:\n            cipherColumn: k_cipher\n            encryptorName: aes\n          c:\n": 1,
		"      b:\n": 1, "cipherColumn: c_cipher\n": 2,
	} {
		if got := strings.Count(encrypted, want); got != count {
			t.Errorf("%q: %d times, want %d, in:\n%s", want, got, count, encrypted)
		}
	}
}
