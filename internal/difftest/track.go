package difftest

import "fmt"

// trackNames are the kinds of session state changes (MySQL source documentation,
// "enum_session_state_type"; the last is MariaDB's).
var trackNames = map[uint64]string{
	0: "system-variable", 1: "schema", 2: "state", 3: "gtids", 4: "transaction-characteristics", 5: "transaction-state",
	6: "user-variable",
}

// track notes the session state changes of an OK one by one. What does not look
// like changes is noted as it is.
func (a *answer) track(state []byte) {
	rest := state
	for i := 0; len(rest) > 0; i++ {
		kind, after, ok := cutLenenc(rest)
		data, next, ok2 := cutLenencBytes(after)
		if !ok || !ok2 {
			a.result.setText(fmt.Sprintf("track.%d", i), rest)
			return
		}
		a.result.set(fmt.Sprintf("track.%d", i), trackNames[kind]+" "+showTracked(data))
		rest = next
	}
}

// showTracked shows a change as the strings it is made of.
func showTracked(data []byte) string {
	var shown string
	for rest := data; len(rest) > 0; {
		text, next, ok := cutLenencBytes(rest)
		if !ok {
			return quote(data)
		}
		shown += quote(append([]byte{}, text...)) + " "
		rest = next
	}
	return shown
}

// cutLenencBytes takes a length-encoded string from the front of b.
func cutLenencBytes(b []byte) (text, rest []byte, ok bool) {
	n, rest, ok := cutLenenc(b)
	if !ok || n > uint64(len(rest)) {
		return nil, nil, false
	}
	return rest[:n], rest[n:], true
}

// cutLenenc takes a length-encoded integer from the front of b.
func cutLenenc(b []byte) (n uint64, rest []byte, ok bool) {
	if len(b) == 0 {
		return 0, nil, false
	}
	width := map[byte]int{0xfc: 2, 0xfd: 3, 0xfe: 8}[b[0]]
	if width == 0 {
		return uint64(b[0]), b[1:], b[0] < 0xfb
	}
	if len(b) < 1+width {
		return 0, nil, false
	}
	for i := width; i > 0; i-- {
		n = n<<8 | uint64(b[i])
	}
	return n, b[1+width:], true
}
