package eval

import (
	"bytes"

	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/value/document"
)

// documentState is the document that was read last.
type documentState struct {
	source, text []byte
	v            document.Value
	known        bool
}

// read reads a document, which is good until the next one is read; nil for text that is none. MySQL's is brought into
// its normal form first, unless it has it.
func (s *documentState) read(text []byte, normal bool, flavor value.Flavor, env *value.Env) *document.Value {
	if !s.known || !bytes.Equal(s.source, text) {
		s.known = s.parse(text, normal, flavor, env)
	}
	if !s.known {
		return nil
	}
	return &s.v
}

func (s *documentState) parse(text []byte, normal bool, flavor value.Flavor, env *value.Env) (ok bool) {
	s.source = append(s.source[:0], text...)
	if s.text = s.source; !normal {
		if s.text, ok = normalised(nil, text, flavor, env); !ok {
			return false
		}
	}
	s.v, ok = document.Parse(s.text)
	return ok
}

// normalised appends the normal form of a document, if the server reads it as one;
// MariaDB's is the text itself.
func normalised(dst, text []byte, flavor value.Flavor, env *value.Env) ([]byte, bool) {
	bin := utf8mb4Bin(flavor)
	src := value.StringSource(text, bin)
	dst, o := value.Assign(dst, &value.Type{Kind: value.JSON, Collation: bin}, &src, env)
	return dst, len(o.Conditions()) == 0
}

// utf8mb4Bin is the collation of documents.
func utf8mb4Bin(f value.Flavor) *charset.Collation {
	collation, _ := charset.Lookup(f, "utf8mb4_bin")
	return collation
}

// pathState is the path that was read last.
type pathState struct {
	text  []byte
	path  document.Path
	known bool
}

// read reads a path; false for text that is none.
func (s *pathState) read(text []byte, mariadb bool) (document.Path, bool) {
	if !s.known || !bytes.Equal(s.text, text) {
		s.text = append(s.text[:0], text...)
		s.path, s.known = document.ParsePath(s.text, mariadb)
	}
	return s.path, s.known
}
