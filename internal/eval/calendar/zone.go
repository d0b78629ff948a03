package calendar

import (
	"strconv"
	"strings"
	"time"
)

// UnixLast is the last second that every server has of unix time.
const UnixLast = 1<<31 - 1

// OffsetOfZone reads +hh:mm and -hh:mm, in seconds.
func OffsetOfZone(name []byte) (seconds int64, ok bool) {
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

// UnixOf is the second of a date and time in a zone; false if there is none.
func UnixOf(k *Clock, zone *time.Location) (seconds int64, ok bool) {
	if !k.IsDate() {
		return 0, false
	}
	seconds, gap := k.Unix(zone)
	return seconds, !gap
}

// ConvertZone is a packed date and time of one zone in another; false where it is out of the range of TIMESTAMP, or
// may be to a server: they leave it as it is then.
func ConvertZone(k *Clock, from, to int64) (packed uint64, ok bool) {
	if !k.IsDate() {
		return 0, false
	}
	micros := k.Moment() - from*MicrosOfSecond
	seconds := micros/MicrosOfSecond - daysOfEpoch*secondsOfDay
	if seconds < 1 || seconds > UnixLast {
		return 0, false
	}
	return PackedMoment(micros + to*MicrosOfSecond)
}
