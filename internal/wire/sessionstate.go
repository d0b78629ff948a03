package wire

// ChangeKind is what of a session an OK tells the change of.
type ChangeKind uint8

// Kinds of changes (MySQL source documentation, "enum_session_state_type").
const (
	ChangeVariable                   ChangeKind = 0 // Name and Value of a system variable
	ChangeSchema                     ChangeKind = 1 // Value is the default schema
	ChangeState                      ChangeKind = 2 // Value is "1": something has changed
	ChangeGTIDs                      ChangeKind = 3
	ChangeTransactionCharacteristics ChangeKind = 4 // Value is a SET TRANSACTION
	ChangeTransactionState           ChangeKind = 5 // Value is eight letters
)

// Change is one change of a session.
type Change struct {
	Kind  ChangeKind
	Name  []byte
	Value []byte
}

// SessionChanges calls do for each change that an OK holds.
//
//	field  type
//	kind   1
//	data   length-encoded; within it, by kind:
//	         variable      name and value, both length-encoded
//	         GTIDs         1 byte encoding, then length-encoded text
//	         state         the text alone; the manual puts its length before it,
//	                       servers do not, and both are understood
//	         all others    one length-encoded text
func SessionChanges(state []byte, do func(Change)) error {
	d := decoder{rest: state}
	for len(d.rest) > 0 {
		change := Change{Kind: ChangeKind(d.uint8())}
		data := decoder{rest: d.lenencBytes()}
		switch change.Kind {
		case ChangeVariable:
			change.Name, change.Value = data.lenencBytes(), data.lenencBytes()
		case ChangeGTIDs:
			data.take(1)
			change.Value = data.lenencBytes()
		case ChangeState:
			change.Value = data.stateText()
		case ChangeSchema, ChangeTransactionCharacteristics, ChangeTransactionState:
			change.Value = data.lenencBytes()
		default:
			continue // the length has told where the next one begins
		}
		if d.bad || data.bad {
			return malformed("OK", "session state")
		}
		do(change)
	}
	if d.bad {
		return malformed("OK", "session state")
	}
	return nil
}

// stateText is the one letter of a change of state, with its length or without.
func (d *decoder) stateText() []byte {
	if len(d.rest) == 1 && d.rest[0] != 0 {
		return d.remaining()
	}
	return d.lenencBytes()
}
