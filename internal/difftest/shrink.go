package difftest

import "slices"

// shrinkTriesMax bounds how often a shrinking run is tried.
const shrinkTriesMax = 300

// Shrink leaves out of a list what it fails without, piece by piece, from halves down
// to single items. fails is asked at most shrinkTriesMax times; the list that comes
// back is one that it has said to fail, or all of it.
func Shrink[T any](list []T, fails func([]T) bool) []T {
	tries := 0
	for size := (len(list) + 1) / 2; size > 0; {
		shorter := false
		for at := 0; at < len(list) && tries < shrinkTriesMax; {
			tries++
			some := slices.Concat(list[:at], list[min(at+size, len(list)):])
			if len(some) > 0 && fails(some) {
				list, shorter = some, true
			} else {
				at += size
			}
		}
		if !shorter || size > 1 {
			size /= 2
		}
	}
	return list
}
