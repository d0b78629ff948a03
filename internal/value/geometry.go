package value

import (
	"encoding/binary"
	"math"
	"strings"
)

// The types of well-known binary (OGC 06-103r4, 8.2), by the column kinds.
var wkbTypes = [...]uint32{
	Point: 1, LineString: 2, Polygon: 3, MultiPoint: 4, MultiLineString: 5, MultiPolygon: 6, GeometryCollection: 7,
}

// sridBytes is the length of what the servers put before the well-known binary.
const sridBytes = 4

// assignGeometry stores a geometry as the spatial functions return it: the SRID
// and well-known binary, both little endian. What is no such string is refused in
// every mode, as the servers do. Where it depends on more than the form whether a
// geometry is good (rings, ranges, other reference systems), nothing is said.
func assignGeometry(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	b := s.Bytes
	isString := s.Form >= FormString && s.Form <= FormHexString
	if !isString && env.Flavor == MariaDB {
		o.add(Error, Unanswerable, "") // a warning that names the type of the source
		return dst
	}
	if !isString || len(b) < sridBytes+5 {
		o.add(Error, BadGeometry, "")
		return dst
	}
	r := wkbReader{b: b[sridBytes:]}
	kind := r.geometry(0)
	if len(r.b) > 0 && env.Flavor == MariaDB {
		r.unsure = true
	} else if len(r.b) > 0 {
		r.bad = true
	}
	srid := binary.LittleEndian.Uint32(b)
	switch {
	case r.bad:
		o.add(Error, BadGeometry, "")
	case kind == 0:
		o.add(Error, Unanswerable, "")
	case !t.holdsGeometry(kind) && env.Flavor != MariaDB:
		o.add(Error, BadGeometry, "")
	case !t.holdsGeometry(kind) && t.Kind != GeometryCollection:
		o.add(Error, Unparsable, strings.ToUpper(t.Kind.String()))
	case t.HasSRID && env.Flavor != MariaDB && srid != t.SRID:
		o.add(Error, BadSRID, "")
	case r.unsure || srid != 0 && env.Flavor != MariaDB:
		o.add(Error, Unanswerable, "")
	}
	return append(dst, b...)
}

// holdsGeometry reports whether the column takes a geometry of the type; to MySQL
// the MULTI kinds are GEOMETRYCOLLECTIONs, and MariaDB takes anything for one.
func (t *Type) holdsGeometry(kind uint32) bool {
	if t.Kind == GeometryCollection {
		return kind >= wkbTypes[MultiPoint]
	}
	return t.Kind == Geometry || kind == wkbTypes[t.Kind]
}

// wkbReader steps over well-known binary.
type wkbReader struct {
	b      []byte
	bad    bool // no well-known binary
	unsure bool // of a form that the servers may or may not take
}

func (r *wkbReader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	head := r.b[:n]
	r.b = r.b[n:]
	return head
}

func (r *wkbReader) count() int {
	if b := r.take(4); b != nil {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// wkbDepthMax is how deep collections may nest here.
const wkbDepthMax = 32

// geometry reads one geometry and returns its type.
func (r *wkbReader) geometry(depth int) (kind uint32) {
	head := r.take(5)
	if head == nil || depth > wkbDepthMax {
		r.bad = true
		return 0
	}
	if head[0] > 1 {
		r.bad = true
		return 0
	}
	if head[0] == 0 { // big endian
		r.unsure, r.b = true, nil
		return 0
	}
	kind = binary.LittleEndian.Uint32(head[1:])
	switch kind {
	case wkbTypes[Point]:
		r.points(1)
	case wkbTypes[LineString]:
		r.line(2)
	case wkbTypes[Polygon]:
		for range r.positive() {
			r.ring()
		}
	case wkbTypes[MultiPoint], wkbTypes[MultiLineString], wkbTypes[MultiPolygon], wkbTypes[GeometryCollection]:
		r.members(kind, depth)
	default:
		r.bad = true
	}
	return kind
}

// members reads the geometries of a collection, which are of one kind but in a
// GEOMETRYCOLLECTION.
func (r *wkbReader) members(kind uint32, depth int) {
	n := r.count()
	r.unsure = r.unsure || n == 0 && kind != wkbTypes[GeometryCollection]
	for range n {
		if r.bad || r.unsure {
			return
		}
		if member := r.geometry(depth + 1); kind != wkbTypes[GeometryCollection] && member != kind-3 {
			r.bad = true
		}
	}
}

// positive reads a count that is to be at least 1.
func (r *wkbReader) positive() int {
	n := r.count()
	if n == 0 || r.bad || n > len(r.b) {
		r.bad = r.bad || n > len(r.b)
		r.unsure = true
		return 0
	}
	return n
}

// line reads points, at least so many.
func (r *wkbReader) line(least int) []byte {
	n := r.count()
	r.unsure = r.unsure || n < least
	return r.points(n)
}

// ring reads the points of a ring, which are to end where they begin.
func (r *wkbReader) ring() {
	const pointBytes = 16
	b := r.line(4)
	if len(b) < pointBytes || string(b[:pointBytes]) != string(b[len(b)-pointBytes:]) {
		r.unsure = true
	}
}

// points reads n pairs of coordinates.
func (r *wkbReader) points(n int) []byte {
	const pointBytes = 16
	if n > len(r.b)/pointBytes {
		r.bad, r.b = true, nil
		return nil
	}
	b := r.take(n * pointBytes)
	for i := 0; i < len(b); i += 8 {
		f := math.Float64frombits(binary.LittleEndian.Uint64(b[i:]))
		r.unsure = r.unsure || math.IsNaN(f) || math.IsInf(f, 0)
	}
	return b
}
