package exec

import (
	"encoding/binary"
	"math"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

func doubleOf(f float64) binding.Param {
	return binding.Param{ParamType: binding.ParamType{Kind: wire.TypeDouble}, Bytes: binary.LittleEndian.AppendUint64(nil, math.Float64bits(f))}
}

func blobOf(s string) binding.Param {
	return binding.Param{ParamType: binding.ParamType{Kind: wire.TypeBlob}, Bytes: []byte(s)}
}

// dateOf is a parameter of type DATE.
func dateOf(year uint16, month, day byte) binding.Param {
	b := binary.LittleEndian.AppendUint16(nil, year)
	return binding.Param{ParamType: binding.ParamType{Kind: wire.TypeDate}, Bytes: append(b, month, day)}
}

// TestPreparedWrites is TestReadToWrite for prepared statements.
func TestPreparedWrites(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		for _, caps := range []wire.Capability{wiretest.ClientCaps, wiretest.ClientCaps &^ wire.ClientMultiStatements} {
			p := r.pair(t, caps)
			p.each("DELETE FROM stock")
			p.each(filled...)
			one, two := []binding.Param{long(1)}, []binding.Param{long(2)}
			p.prepared("UPDATE stock SET k = k + 1 WHERE id = ?", 0, one, one, two, []binding.Param{long(99)}, []binding.Param{str("1")})
			p.prepared("UPDATE stock SET k = k + ? WHERE id = ?", 0, []binding.Param{long(5), long(1)}, []binding.Param{long(-7), long(2)}, []binding.Param{long(0), long(1)}, []binding.Param{long(1 << 40), long(1)})
			p.same(allStock)
			p.prepared("UPDATE stock SET name = ?, town = ? WHERE id = ?", 0,
				[]binding.Param{str("new"), str("it's"), long(1)}, []binding.Param{str("new"), str("it's"), long(1)}, []binding.Param{str("é"), null(), long(1)},
				[]binding.Param{null(), blobOf("bytes"), long(2)}, []binding.Param{str("a name too long for it"), str("x"), long(2)}, []binding.Param{str("n"), long(-12), long(3)},
				[]binding.Param{str("n"), doubleOf(1.5), long(3)}, []binding.Param{str("n"), dateOf(2024, 2, 29), long(3)}, []binding.Param{str("n"), str(`back\slash`), long(4)})
			p.same(allStock)
			p.prepared("UPDATE stock SET name = CONCAT(name, ?), k = 4 WHERE k <> 5 OR name = ?", 0, []binding.Param{str("!"), str("x")}, []binding.Param{str("?"), str("n?")})
			p.prepared("UPDATE stock SET name = 'con', k = k * 2, town = 'stant' WHERE id = ? ORDER BY id LIMIT 1", 0, one, two)
			p.prepared("UPDATE stock SET price = ?, rate = rate + 1", 0, []binding.Param{str("12.345")}, []binding.Param{doubleOf(3.999)}, []binding.Param{null()}, []binding.Param{long(7)})
			p.prepared("UPDATE stock SET day = ? WHERE name LIKE ?", 0, []binding.Param{str("2020-02-30"), str("%")}, []binding.Param{dateOf(2024, 2, 29), str("con%")})
			p.prepared("UPDATE stock SET k = k + 1 WHERE name = 'con'", 0, nil, nil)
			p.same(allStock)
			p.prepared("UPDATE stock SET k = k + 1", 1, nil)
			p.prepared("DELETE FROM stock WHERE name = ?", 0, []binding.Param{str("con")}, []binding.Param{str("con")})
			p.prepared("DELETE FROM stock WHERE rate > ? LIMIT 1", 0, []binding.Param{doubleOf(0)})
			p.same(allStock)
		}
	})
}
