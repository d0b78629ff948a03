package exec

import (
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Settings are what of the session decides what a definition comes to.
type Settings struct {
	Env value.Env
	// Literals is collation_connection, Client the character set of statements and
	// Results that of answers, nil where the server converts nothing.
	Literals        *charset.Collation
	Client, Results *charset.Charset
	// Clips says that SHOW CREATE TABLE leaves out options, or writes them as servers of long ago did.
	Clips bool
}

// Settings are those of the session now. The server is asked if they are in doubt.
func (s *Session) Settings() (Settings, error) {
	if err := s.resume(); err != nil {
		return Settings{}, err
	}
	s.env.Begin()
	return Settings{Env: s.env.Value, Literals: s.env.Connection, Client: s.env.Client, Results: s.env.Results, Clips: s.env.Clips()}, nil
}
