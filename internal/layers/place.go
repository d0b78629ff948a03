package layers

import (
	"encoding/json"
	"slices"
)

// phase is what the work is at.
type phase string

const (
	atBackfill phase = "fill" // rows get what they lack, in the order of the key
	atRest     phase = "rest" // the same for those that clients had locked
	atLook     phase = "look" // all rows are looked at, in the order of the key
)

// place is how far the work is: behind which row of the key it goes on. It is kept as JSON,
// by a Progress.
type place struct {
	Phase phase `json:"phase"`
	// Key names the key whose values After has; of another one there is no going on.
	Key   []string `json:"key"`
	After [][]byte `json:"after,omitempty"` // none: the first row
	Done  int64    `json:"done"`
}

// placeOf reads a place that was kept. What is none, or is one of another key, is where the
// phase begins.
func placeOf(data []byte, key []string) place {
	p := place{}
	if json.Unmarshal(data, &p) != nil || p.Phase != atBackfill && p.Phase != atRest && p.Phase != atLook {
		return place{Phase: atBackfill, Key: key}
	}
	if !slices.Equal(p.Key, key) || p.After != nil && len(p.After) != len(key) {
		return place{Phase: p.Phase, Key: key}
	}
	return p
}

func (p place) encode() ([]byte, error) { return json.Marshal(p) }

// next is the beginning of another phase.
func (p place) next(to phase) place { return place{Phase: to, Key: p.Key, Done: p.Done} }

// names says of each column of the key what its order hangs on.
func (k *rowKey) names() (names []string) {
	for i := range k.parts {
		p := &k.parts[i]
		name := p.stored + " " + p.collation
		if p.desc {
			name += " DESC"
		}
		names = append(names, name)
	}
	return names
}
