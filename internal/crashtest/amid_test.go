package crashtest

import (
	"time"
)

// amidEach is how often something is killed while a command runs.
const amidEach = 4

// amid runs a command again and again until all is done, and kills meanwhile what the command
// and its clients stand on: the server or one of the tunics. A tunic that is killed is nothing
// to the command; with the server it may end, and goes on when it is begun again.
func (s *siege) amid(name string, run func() ([]byte, error), done func() bool) {
	s.t.Helper()
	for i := 0; i < amidEach && !done(); i++ {
		type end struct {
			out []byte
			err error
		}
		ended := make(chan end, 1)
		go func() {
			out, err := run()
			ended <- end{out, err}
		}()
		time.Sleep(time.Duration(s.rnd.IntN(2500)) * time.Millisecond)
		what := "a kill of the server amid " + name
		server := i%2 == 0
		if server {
			s.killServer()
		} else {
			n := s.nodes[s.rnd.IntN(2)]
			s.killTunic(n, "")
			what = "a kill of a tunic amid " + name
		}
		is := <-ended
		if is.err != nil && !server {
			s.t.Errorf("%s: %v: %s", what, is.err, is.out)
		}
		s.count(what)
		s.check(what)
	}
}
