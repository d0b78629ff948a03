package environment

import (
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // so that zones have names wherever tunic runs

	"tunic/internal/backend"
)

// Zones are the time zones of sessions by the server's names for them.
type Zones struct{ known sync.Map }

// Ask runs a query of tunic's own in the session and returns its row, as text.
type Ask func(query string, columns int) ([]string, error)

// find is the location of a time_zone; nil if there is none that is known to be the
// same: the servers have tables of zones of their own, and names that mean one thing
// here may mean another there. system is what the server's operating system calls
// its own zone, which is what SYSTEM stands for.
//
// The first session in a zone asks the server, in one query, what the clocks show
// there around every change that is known here.
func (z *Zones) find(name, system string, server Ask) (*time.Location, error) {
	if l, ok := offsetOf(name); ok {
		return l, nil
	}
	key := name
	if strings.EqualFold(name, "SYSTEM") {
		key, name = "SYSTEM "+system, system
	}
	if known, ok := z.known.Load(key); ok {
		l, _ := known.(*time.Location)
		return l, nil
	}
	var found *time.Location
	for _, l := range candidates(name, key != name) {
		same, err := sameClocks(l, server)
		if err != nil {
			return nil, err
		}
		if same {
			found = l
			break
		}
	}
	z.known.Store(key, found)
	return found, nil
}

// candidates are the locations that a name may mean. That of this machine may be
// the server's.
func candidates(name string, system bool) []*time.Location {
	var all []*time.Location
	if l, err := time.LoadLocation(name); err == nil && name != "" && !strings.EqualFold(name, "Local") {
		all = append(all, l)
	}
	if system {
		all = append(all, time.Local)
	}
	return all
}

// The seconds that TIMESTAMP has in every server, and half of a season.
const (
	zoneFirst = 86400
	zoneLast  = 1<<31 - 1 - 86400
	zoneStep  = 86400 * 45
)

// sameClocks reports whether the clocks of a location show what the server's do in
// the session's zone.
func sameClocks(l *time.Location, server Ask) (bool, error) {
	instants := changes(l)
	var query strings.Builder
	query.WriteString("SELECT ")
	for i, at := range instants {
		if i > 0 {
			query.WriteString(", ")
		}
		query.WriteString(backend.InBytes("FROM_UNIXTIME(" + strconv.FormatInt(at, 10) + ")"))
	}
	row, err := server(query.String(), len(instants))
	if err != nil {
		return false, err
	}
	for i, at := range instants {
		if time.Unix(at, 0).In(l).Format(time.DateTime) != row[i] {
			return false, nil
		}
	}
	return true, nil
}

// changes are moments around which the clocks of a location may change: the second
// before and that of each change, and some of every season.
func changes(l *time.Location) []int64 {
	var all []int64
	for at := int64(zoneFirst); at < zoneLast; at += zoneStep {
		all = append(all, at)
		_, end := time.Unix(at, 0).In(l).ZoneBounds()
		if next := end.Unix(); !end.IsZero() && next < min(at+zoneStep, zoneLast) {
			all = append(all, next-1, next)
		}
	}
	return all
}

// offsetOf reads +hh:mm and -hh:mm, and the names of UTC.
func offsetOf(name string) (*time.Location, bool) {
	if name == "UTC" {
		return time.UTC, true
	}
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
