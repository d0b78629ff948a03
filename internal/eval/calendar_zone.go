package eval

import (
	"strconv"
	"strings"
	"time"
)

// unixLast is the last second that every server has of unix time.
const unixLast = 1<<31 - 1

// offsetOfZone reads +hh:mm and -hh:mm, in seconds.
func offsetOfZone(name []byte) (seconds int64, ok bool) {
	const hoursMax = 13 // MySQL has one more, to the east
	if len(name) != 6 || name[0] != '+' && name[0] != '-' {
		return 0, false
	}
	h, m, _ := strings.Cut(string(name[1:]), ":")
	hours, err := strconv.ParseUint(h, 10, 8)
	minutes, err2 := strconv.ParseUint(m, 10, 8)
	if err != nil || err2 != nil || hours >= hoursMax || minutes > 59 {
		return 0, false
	}
	seconds = int64(hours*60+minutes) * 60
	if name[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// unixOf is the second of a date and time in a zone; false if there is none.
func unixOf(k *clock, zone *time.Location) (seconds int64, ok bool) {
	if !k.isDate() {
		return 0, false
	}
	seconds, gap := k.Unix(zone)
	return seconds, !gap
}

// convertZone is a packed date and time of one zone in another; false where it is out of the range of TIMESTAMP, or
// may be to a server: they leave it as it is then.
func convertZone(k *clock, from, to int64) (packed uint64, ok bool) {
	if !k.isDate() {
		return 0, false
	}
	micros := k.moment() - from*microsOfSec
	seconds := micros/microsOfSec - daysOfEpoch*secondsOfDay
	if seconds < 1 || seconds > unixLast {
		return 0, false
	}
	return packedMoment(micros + to*microsOfSec)
}
