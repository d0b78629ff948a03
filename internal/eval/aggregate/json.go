package aggregate

import (
	"bytes"
	"slices"

	"tunic/internal/eval/json"
	"tunic/internal/eval/program"
	"tunic/internal/value/document"
)

// Arrays is JSON_ARRAYAGG, jsonObjects is JSON_OBJECTAGG. MariaDB writes them with
// fewer spaces than documents, and cuts them as a GROUP_CONCAT.
type Arrays struct {
	nullOfNone
	Part    func(r *program.Run, dst []byte) ([]byte, bool)
	MariaDB bool
}

// Objects is JSON_OBJECTAGG.
type Objects struct {
	nullOfNone
	Name, Part func(r *program.Run, dst []byte) ([]byte, bool)
	MariaDB    bool
}

// tooLong refuses what MariaDB would cut.
func tooLong(acc *Accumulation, g *Group, mariadb bool) {
	if mariadb && len(g.bytes) > acc.longest() {
		acc.out.Refuse(acc.of.Name + ", longer than group_concat_max_len,")
	}
}

func (f *Arrays) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	switch {
	case g.count == 1:
		g.bytes = append(g.bytes, '[')
	case f.MariaDB:
		g.bytes = append(g.bytes, ',')
	default:
		g.bytes = append(g.bytes, ", "...)
	}
	g.bytes, _ = f.Part(r, g.bytes)
	return r.Fail()
}

func (f *Arrays) result(acc *Accumulation, g *Group, out *program.Datum) {
	tooLong(acc, g, f.MariaDB)
	out.SetBytes(append(slices.Clip(g.bytes), ']'))
}

func (f *Objects) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	name, known := f.Name(r, nil)
	if !known {
		return r.Fail()
	}
	v, _ := f.Part(r, nil)
	if f.MariaDB {
		behind := ", "
		if g.count == 1 {
			behind = "{"
		}
		g.bytes = append(document.AppendRaw(append(append(g.bytes, behind...), '"'), name), `":`...)
		g.bytes = append(g.bytes, v...)
		return r.Fail()
	}
	g.members = append(g.members, json.Member{Name: name, Value: bytes.Clone(v)})
	g.more += len(name) + len(v) + pieceBytes
	return r.Fail()
}

func (f *Objects) result(acc *Accumulation, g *Group, out *program.Datum) {
	tooLong(acc, g, f.MariaDB)
	if f.MariaDB {
		out.SetBytes(append(slices.Clip(g.bytes), '}'))
		return
	}
	g.members = json.InOrder(g.members)
	out.SetBytes(json.AppendMembers(nil, g.members, `": `))
}
