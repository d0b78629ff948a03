package json

import (
	"bytes"

	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/value/document"
)

// Document is the document that was read last.
type Document struct {
	source, text []byte
	v            document.Value
	known        bool
}

// Read reads a document, which is good until the next one is read; nil for text that is none. MySQL's is brought into
// its normal form first, unless it has it.
func (s *Document) Read(text []byte, normal bool, flavor value.Flavor, env *value.Env) *document.Value {
	if !s.known || !bytes.Equal(s.source, text) {
		s.known = s.parse(text, normal, flavor, env)
	}
	if !s.known {
		return nil
	}
	return &s.v
}

func (s *Document) parse(text []byte, normal bool, flavor value.Flavor, env *value.Env) (ok bool) {
	s.source = append(s.source[:0], text...)
	if s.text = s.source; !normal {
		if s.text, ok = Normalise(nil, text, flavor, env); !ok {
			return false
		}
	}
	s.v, ok = document.Parse(s.text)
	return ok
}

// Normalise appends the normal form of a document, if the server reads it as one;
// MariaDB's is the text itself.
func Normalise(dst, text []byte, flavor value.Flavor, env *value.Env) ([]byte, bool) {
	bin := Utf8mb4Bin(flavor)
	src := value.StringSource(text, bin)
	dst, o := value.Assign(dst, &value.Type{Kind: value.JSON, Collation: bin}, &src, env)
	return dst, len(o.Conditions()) == 0
}

// Utf8mb4Bin is the collation of documents.
func Utf8mb4Bin(f value.Flavor) *charset.Collation {
	collation, _ := charset.Lookup(f, "utf8mb4_bin")
	return collation
}

// Path is the path that was read last.
type Path struct {
	text  []byte
	path  document.Path
	known bool
}

// Read reads a path; false for text that is none.
func (s *Path) Read(text []byte, mariadb bool) (document.Path, bool) {
	if !s.known || !bytes.Equal(s.text, text) {
		s.text = append(s.text[:0], text...)
		s.path, s.known = document.ParsePath(s.text, mariadb)
	}
	return s.path, s.known
}
