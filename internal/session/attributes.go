package session

import "tunic/internal/wire"

// Query attributes are of a command, and MySQL's mysql_query_attribute_string reads them in whatever the command
// comes to: also in a text that tunic sends in the place of the client's.

// attributesKept is the most room for them that a session keeps from one command to the next.
const attributesKept = 4 << 10

// forgetAttributes is before a command.
func (s *Session) forgetAttributes() {
	if s.attributes = s.attributes[:0]; cap(s.attributes) > attributesKept {
		s.attributes = nil
	}
}

// queryOf is a text that is done for the command under way.
func (s *Session) queryOf(text []byte) wire.Query {
	return wire.Query{Attributes: s.attributes, Text: text}
}
