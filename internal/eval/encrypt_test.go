package eval

import (
	"maps"
	"slices"
	"testing"

	"tunic/internal/eval/aes"
)

// TestAES compares all modes with MySQL, which alone has them.
func TestAES(t *testing.T) {
	forEach(t, func(t *testing.T, o *oracle) {
		names := slices.Sorted(maps.Keys(aes.Modes))
		if o.session.IsMariaDB() {
			names = []string{aes.ModeDefault}
		}
		for _, name := range names {
			if !o.session.IsMariaDB() {
				o.exec(t, "SET block_encryption_mode = '"+name+"'")
			}
			o.session.BlockMode = name
			rest := ", 'a short key')"
			switch {
			case aes.Modes[name].Chains:
				rest = ", tc, 'vector of 16 and more')"
			case o.session.IsMariaDB():
				rest = ", 'a key that is folded')"
			}
			texts := []string{"AES_ENCRYPT(t" + rest, "AES_DECRYPT(AES_ENCRYPT(REPEAT(t, 7)" + rest + rest, "AES_DECRYPT(vb" + rest, "AES_ENCRYPT(i" + rest, "HEX(AES_ENCRYPT(vb" + rest + ")"}
			if !o.session.IsMariaDB() {
				for _, kdf := range []string{"'hkdf'", "'hkdf', 'salt'", "'hkdf', IFNULL(tc, ''), 'info'", "'pbkdf2_hmac'", "'pbkdf2_hmac', 'salt'", "'pbkdf2_hmac', 'salt', '1234'", "'pbkdf2_hmac', '', 2000"} {
					vector := "''"
					if aes.Modes[name].Chains {
						vector = "'vector of 16 and more'"
					}
					texts = append(texts, "AES_ENCRYPT(t, 'a key that is longer than any of AES', "+vector+", "+kdf+")")
				}
			}
			for _, text := range texts {
				var v verdict
				k := o.prepare(t, &probe{}, text, &v)
				if k == nil {
					t.Errorf("%s in %s is refused", text, name)
					continue
				}
				if o.compareOne(t, k, &v); v.differs != "" || v.compared < len(o.rows) {
					t.Errorf("%s in %s: %d compared, %s", text, name, v.compared, v.differs)
				}
			}
		}
	})
}
