package wire_test

import (
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/wire"
)

// appendChange is the form of a change in an OK.
func appendChange(b []byte, c wire.Change) []byte {
	var data []byte
	switch c.Kind {
	case wire.ChangeVariable:
		data = wire.AppendLenencBytes(data, c.Name)
	case wire.ChangeGTIDs:
		data = append(data, 0)
	default:
	}
	data = wire.AppendLenencBytes(data, c.Value)
	return wire.AppendLenencBytes(append(b, byte(c.Kind)), data)
}

// changes collects what SessionChanges tells.
func changes(state []byte) ([]wire.Change, error) {
	var all []wire.Change
	err := wire.SessionChanges(state, func(c wire.Change) { all = append(all, c) })
	return all, err
}

func TestSessionChangesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []wire.Change
		var state []byte
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			c := wire.Change{Kind: wire.ChangeKind(rapid.IntRange(0, 5).Draw(t, "kind")), Value: drawBytes(t, "value")}
			if c.Kind == wire.ChangeVariable {
				c.Name = drawBytes(t, "name")
			}
			want = append(want, c)
			state = appendChange(state, c)
		}
		got, err := changes(state)
		if err != nil {
			t.Fatal(err)
		}
		same(t, want, got)
		refusesCuts(t, state, 0, func(b []byte) error {
			_, err := changes(b)
			return err
		})
	})
}

// Kinds to come are stepped over: their length says how far.
func TestSessionChangesOfOtherKinds(t *testing.T) {
	got, err := changes([]byte("\x63\x03abc\x01\x05\x04shop"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, []wire.Change{{Kind: wire.ChangeSchema, Value: []byte("shop")}}, got)
}

// Servers leave out the inner length of a change of state: "1" is all there is.
func TestSessionChangesOfState(t *testing.T) {
	for _, state := range []string{"\x02\x011", "\x02\x02\x011"} {
		got, err := changes([]byte(state + "\x01\x05\x04shop"))
		if err != nil {
			t.Fatalf("%q: %v", state, err)
		}
		same(t, []wire.Change{
			{Kind: wire.ChangeState, Value: []byte("1")},
			{Kind: wire.ChangeSchema, Value: []byte("shop")},
		}, got)
	}
}

func TestSessionChangesRefuses(t *testing.T) {
	refuses(t, func(b []byte) error {
		_, err := changes(b)
		return err
	},
		badMessage{"a kind without data", "\x01"},
		badMessage{"data longer than the state", "\x01\x09\x04shop"},
		badMessage{"a text longer than its data", "\x01\x05\x09shop"},
		badMessage{"a variable without a value", "\x00\x03\x02ab"},
		badMessage{"GTIDs without an encoding", "\x03\x00"},
		badMessage{"data of length NULL", "\x01\xfb"},
		badMessage{"another kind longer than the state", "\x63\x09abc"},
	)
}
