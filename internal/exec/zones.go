package exec

import (
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // so that zones have names wherever tunic runs
)

// zones are the time zones of sessions by the server's names for them.
type zones struct{ known sync.Map }

// find is the location of a time_zone; false if there is none that is known to be
// the same. The server's own zone is known if it is UTC: what else its operating
// system calls EST or CST may be one of several.
func (z *zones) find(name, system string) (*time.Location, bool) {
	if strings.EqualFold(name, "SYSTEM") {
		name = system
		if name != "UTC" && name != "GMT" {
			return nil, false
		}
	}
	if known, ok := z.known.Load(name); ok {
		l, ok := known.(*time.Location)
		return l, ok && l != nil
	}
	l := locationOf(name)
	z.known.Store(name, l)
	return l, l != nil
}

// locationOf is the location of an offset such as +05:30, or of a name of the
// time zone database.
func locationOf(name string) *time.Location {
	if l, ok := offsetOf(name); ok {
		return l
	}
	if name == "" || strings.EqualFold(name, "Local") {
		return nil // Go's names for other things
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return l
}

// offsetOf reads +hh:mm and -hh:mm.
func offsetOf(name string) (*time.Location, bool) {
	if len(name) < 5 || name[0] != '+' && name[0] != '-' {
		return nil, false
	}
	h, m, ok := strings.Cut(name[1:], ":")
	hours, err := strconv.Atoi(h)
	minutes, err2 := strconv.Atoi(m)
	if !ok || err != nil || err2 != nil || minutes > 59 || hours > 14 {
		return nil, false
	}
	seconds := hours*3600 + minutes*60
	if name[0] == '-' {
		seconds = -seconds
	}
	if seconds == 0 {
		return time.UTC, true
	}
	return time.FixedZone(name, seconds), true
}
