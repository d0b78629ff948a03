package wire

import "fmt"

// messageBytesMax limits the messages of a response that are looked into as a
// whole (OK, errors, EOF, headers) to one frame that nothing continues. Servers
// send at most a few KiB of them. Rows and column definitions have no such limit:
// they pass as they come.
const messageBytesMax = FrameBytesMax - 1

// Prepared is what the answer to COM_STMT_PREPARE says of the statement.
type Prepared struct {
	ID      uint32
	Columns uint16
	Params  uint16
}

// SessionStateBytesMax limits the changes of the session that one answer is asked
// to keep: its statements can be many, and a session is kept for long.
const SessionStateBytesMax = 16 << 10

// responseState is what the next packet of a response is.
type responseState uint8

const (
	stateDone       responseState = iota
	stateOne                      // OK, EOF or error
	stateText                     // one packet of any content
	stateResult                   // the first packet of a result
	stateColumns                  // a column definition, left of them to come
	stateColumnsEOF               // the EOF after column definitions
	stateRows                     // a row, or the end of rows
	stateFields                   // a column definition, or the EOF after them
	statePrepare                  // the first packet of COM_STMT_PREPARE's answer
	stateParams                   // a parameter definition, left of them to come
	stateParamsEOF                // the EOF after parameter definitions
	stateFile                     // the client's turn: the content of a local file
)

// Ended is what an EOF that Step has passed was the end of.
type Ended uint8

// Ends of a part of an answer.
const (
	EndedNothing     Ended = iota
	EndedDefinitions       // an EOF that DEPRECATE_EOF leaves out
	EndedResult            // an EOF that DEPRECATE_EOF turns into an OK
)

// Response follows a server's answer to one command, frame by frame, and says
// where it ends. It copies nothing: bytes of rows and column definitions are
// counted, the messages that decide are decoded. The zero value is ready for
// Begin; a Response is reused from command to command.
type Response struct {
	caps     Capability
	state    responseState
	command  Command
	sequence uint8

	ended         Ended
	mayOpenCursor bool
	left          int  // column definitions to come
	skip          int  // bytes of a counted frame to come
	continued     bool // the next frame continues the last packet

	// What the answer has said so far.
	Status       Status   // of the last OK or EOF
	Current      bool     // Status is the session's: there has been no error since
	Warnings     uint16   // of the last OK or EOF
	Affected     uint64   // rows, of the last OK
	Returned     bool     // the last result has columns
	Succeeded    int      // results that ended without an error
	Failed       bool     // the answer ended with an error
	ErrNumber    uint16   // the error's number
	Prepared     Prepared // of a successful COM_STMT_PREPARE
	Described    bool     // a COM_STMT_PREPARE was successful and is described by Prepared
	SessionState []byte   // of all OKs, see SessionChanges; valid until Begin
	// StateOverflow says that SessionState is not all that the server has told.
	StateOverflow bool
}

// Begin starts following the answer to a command on a connection with these
// capabilities. next is the sequence number of the frame that follows those of
// the command: 1, or more behind a command of 16 MiB and more.
func (r *Response) Begin(command Command, caps Capability, next uint8) {
	*r = Response{caps: caps, command: command, sequence: next, Status: r.Status, Current: r.Current, SessionState: r.SessionState[:0]}
	switch commands[command].answer {
	case answerOne:
		r.state = stateOne
	case answerText:
		r.state = stateText
	case answerResults:
		r.state = stateResult
	case answerRows:
		r.state = stateRows
	case answerPrepare:
		r.state = statePrepare
	case answerColumns:
		r.state = stateFields
	case answerNothing, answerRefused, answerLogin:
		r.state = stateDone
	}
}

// Done reports whether the answer is complete.
func (r *Response) Done() bool { return r.state == stateDone && r.skip == 0 && !r.continued }

// WantsFile reports whether the server waits for the content of a local file.
func (r *Response) WantsFile() bool { return r.state == stateFile }

// FileSent tells that the client has sent the file; next is the sequence number
// of the frame that follows its last one.
func (r *Response) FileSent(next uint8) { r.state, r.sequence = stateResult, next }

// Sequence is the sequence number of the next frame.
func (r *Response) Sequence() uint8 { return r.sequence }

// Scan takes the unused bytes of the answer and returns how many of them, from
// the front, are understood and may be passed on. It stops at the end of the
// answer and where the client's turn is. A count of 0 without either means that
// more bytes are needed.
func (r *Response) Scan(b []byte) (int, error) {
	n := 0
	for {
		if r.skip > 0 {
			k := min(r.skip, len(b)-n)
			n += k
			r.skip -= k
			if r.skip > 0 {
				return n, nil
			}
		}
		if (r.state == stateDone || r.state == stateFile) && !r.continued {
			return n, nil
		}
		used, err := r.frame(b[n:])
		if err != nil || used == 0 {
			return n, err
		}
		if used < 0 { // counted: the frame may end beyond b
			r.skip = -used
			continue
		}
		n += used
	}
}

// Step is Scan for one whole frame. A count of 0 before the end of the answer
// means that more bytes are needed. It is for a reader that looks into frames;
// it cannot follow on a Scan that has stopped inside one.
func (r *Response) Step(b []byte) (int, error) {
	if r.state == stateDone && !r.continued || r.state == stateFile || !begun(b) {
		return 0, nil
	}
	if len(b) < HeaderBytes+frameLength(b) {
		_, err := r.check(b) // a frame that is wrong already is not waited for
		return 0, err
	}
	r.ended = EndedNothing
	used, err := r.frame(b)
	return max(used, -used), err
}

// Row is Step for a row whose one frame is at the start of b and complete, as nearly all
// are: it returns the payload. It is nil, and nothing has happened, for anything else.
func (r *Response) Row(b []byte) []byte {
	if r.state != stateRows || r.continued || len(b) <= HeaderBytes {
		return nil
	}
	length := frameLength(b)
	if length == 0 || length == FrameBytesMax || length > len(b)-HeaderBytes || b[3] != r.sequence || b[HeaderBytes] >= headerEOF {
		return nil
	}
	r.sequence++
	r.ended = EndedNothing
	return b[HeaderBytes : HeaderBytes+length]
}

// Ended tells what the frame that Step has just taken was the end of, if it was
// an EOF.
func (r *Response) Ended() Ended { return r.ended }

// Defines reports whether the next frame is a column's definition.
func (r *Response) Defines() bool { return r.state == stateColumns && !r.continued }

// Describing reports whether what comes next still says of which columns a result is.
func (r *Response) Describing() bool { return r.state == stateColumns || r.state == stateColumnsEOF }

// AtBoundary reports whether a frame of tunic's own may follow what has been
// passed on: between packets, not inside one.
func (r *Response) AtBoundary() bool { return r.skip == 0 && !r.continued }

// InColumns reports whether the next frame is a column definition.
func (r *Response) InColumns() bool { return r.state == stateColumns }

// InRows reports whether the next frame is a row, or what ends the rows.
func (r *Response) InRows() bool { return r.state == stateRows }

// begun reports whether enough of a frame is there to tell what it is: its header
// and first byte.
func begun(b []byte) bool {
	return len(b) > HeaderBytes || len(b) == HeaderBytes && frameLength(b) == 0
}

// check looks at a frame that has begun. It reports whether its bytes need only
// be counted, or what is wrong with it whatever they are.
func (r *Response) check(b []byte) (counted bool, err error) {
	length := frameLength(b)
	switch {
	case b[3] != r.sequence:
		return false, &SequenceError{Got: b[3], Want: r.sequence}
	case r.continued || r.countsOnly(b, length):
		return true, nil
	case length > messageBytesMax:
		return false, fmt.Errorf("%w: a message of %s's answer", ErrTooLarge, r.command)
	default:
		return false, nil
	}
}

// frame looks at the frame at the start of b. It returns the bytes to pass on,
// the same negated if they need only be counted, or 0 if b is too short to tell.
// A frame that is not understood leaves its sequence number to the next one.
func (r *Response) frame(b []byte) (int, error) {
	if !begun(b) {
		return 0, nil
	}
	counted, err := r.check(b)
	if err != nil {
		return 0, err
	}
	whole := HeaderBytes + frameLength(b)
	if counted {
		r.sequence++
		r.count(whole - HeaderBytes)
		return -whole, nil
	}
	if len(b) < whole {
		return 0, nil
	}
	if err := r.message(b[HeaderBytes:whole:whole]); err != nil {
		return 0, err
	}
	r.sequence++
	return whole, nil
}

// countsOnly reports whether the frame is a row or a definition, by its state,
// first byte and length.
func (r *Response) countsOnly(b []byte, length int) bool {
	if length == 0 {
		return false
	}
	switch first := b[HeaderBytes]; r.state {
	case stateRows:
		return first < headerEOF || first == headerEOF && !r.endsRows(length)
	case stateColumns, stateParams:
		return first != headerErr
	case stateFields:
		return first < headerEOF
	case stateText:
		return first != headerErr
	default:
		return false
	}
}

// endsRows tells the packet that ends the rows from a row that starts with 0xfe.
func (r *Response) endsRows(length int) bool {
	if r.caps.Has(ClientDeprecateEOF) {
		return length < FrameBytesMax
	}
	return length <= eofBytesMax
}

// count steps over a frame of a row or definition.
func (r *Response) count(length int) {
	wasContinued := r.continued
	r.continued = length == FrameBytesMax
	if wasContinued {
		return // the packet was counted with its first frame
	}
	switch r.state {
	case stateColumns, stateParams:
		r.left--
		if r.left == 0 {
			r.afterDefinitions()
		}
	case stateText:
		r.end()
	default:
	}
}

// afterDefinitions moves on from the last column or parameter definition.
func (r *Response) afterDefinitions() {
	deprecated := r.caps.Has(ClientDeprecateEOF)
	switch {
	case r.state == stateParams && !deprecated:
		r.state = stateParamsEOF
	case r.state == stateParams:
		r.prepareColumns()
	case !deprecated:
		r.state = stateColumnsEOF
	case r.command == ComStmtPrepare:
		r.end()
	default:
		r.state = stateRows
	}
}

// message decodes one of the messages that decide how the answer goes on.
func (r *Response) message(payload []byte) error {
	if len(payload) == 0 {
		if r.state == stateText {
			r.end()
			return nil
		}
		return malformed(r.command.String(), "empty packet")
	}
	if payload[0] == headerErr {
		return r.error(payload)
	}
	switch r.state {
	case stateOne:
		return r.one(payload)
	case stateResult:
		return r.result(payload)
	case stateColumnsEOF, stateParamsEOF, stateRows, stateFields:
		return r.terminator(payload)
	case statePrepare:
		return r.prepared(payload)
	default:
		return malformed(r.command.String(), "message")
	}
}

func (r *Response) error(payload []byte) error {
	if IsProgress(payload) && r.caps.Has(MariaDBProgress) {
		return nil
	}
	m, err := DecodeErr(payload)
	if err != nil {
		return err
	}
	r.Failed, r.ErrNumber, r.state, r.Current = true, m.Number, stateDone, false
	return nil
}

// one is the only packet of an answer: OK, or EOF from older servers.
func (r *Response) one(payload []byte) error {
	if payload[0] == headerOK {
		return r.ok(payload)
	}
	return r.terminator(payload)
}

func (r *Response) ok(payload []byte) error {
	m, err := DecodeOK(payload, r.caps)
	if err != nil {
		return err
	}
	r.Status, r.Warnings, r.Affected, r.Current = m.Status, m.Warnings, m.AffectedRows, true
	if len(r.SessionState)+len(m.SessionState) > SessionStateBytesMax {
		r.StateOverflow = true
	} else {
		r.SessionState = append(r.SessionState, m.SessionState...)
	}
	r.end()
	return nil
}

// end finishes one result: there may be more.
func (r *Response) end() {
	r.Succeeded++
	if r.Status&StatusMoreResults != 0 && commands[r.command].answer == answerResults {
		r.state = stateResult
		return
	}
	r.state = stateDone
}

// result is the first packet of a result: OK, a file request, or a number of
// columns.
func (r *Response) result(payload []byte) error {
	switch payload[0] {
	case headerOK:
		r.Returned = false
		return r.ok(payload)
	case headerFile:
		r.state = stateFile
		return nil
	}
	header, err := DecodeResultHeader(payload, r.caps)
	if err != nil {
		return err
	}
	r.state, r.left, r.Returned = stateColumns, header.Columns, true
	if !header.MetadataFollows {
		r.left = 0
		r.afterDefinitions()
	}
	return nil
}

// terminator is the EOF after definitions, or what ends the rows.
func (r *Response) terminator(payload []byte) error {
	endsRows := r.state == stateRows || r.state == stateFields || r.state == stateOne
	if endsRows && r.caps.Has(ClientDeprecateEOF) && len(payload) > 5 {
		return r.ok(payload)
	}
	m, err := DecodeEOF(payload)
	if err != nil {
		return err
	}
	r.Status, r.Warnings, r.ended, r.Current = m.Status|r.outParams(), m.Warnings, EndedDefinitions, true
	switch {
	case r.state == stateParamsEOF:
		r.prepareColumns()
	case r.state == stateColumnsEOF && r.command == ComStmtPrepare:
		r.end()
	case r.state == stateColumnsEOF && !r.cursorOpened():
		r.state = stateRows
	default:
		r.ended = EndedResult
		r.end()
	}
	return nil
}

// MayOpenCursor tells that the client has asked for a cursor with the command:
// if the server opens one, the answer ends where the rows would begin.
func (r *Response) MayOpenCursor() { r.mayOpenCursor = true }

// cursorOpened reports whether the EOF after the columns is the end because
// there is a cursor to fetch the rows from. The flag alone does not tell:
// MariaDB sets it, too, on the results of a procedure that has used a cursor of
// its own. Those are followed by more, and the rows of a cursor are not.
func (r *Response) cursorOpened() bool {
	return r.mayOpenCursor && r.Status&StatusCursorExists != 0 && r.Status&StatusMoreResults == 0
}

// outParams is the flags of a result of OUT parameters that MySQL's server sets
// in the EOF after its columns and not in the one after its row, though the
// procedure's own OK follows. libmysqlclient carries them over as well.
func (r *Response) outParams() Status {
	if r.state != stateRows || r.command != ComStmtExecute || r.Status&StatusPSOutParams == 0 {
		return 0
	}
	return r.Status & (StatusPSOutParams | StatusMoreResults)
}

// prepared is a description, or a plain OK: MySQL 9 answers so to a statement whose
// preparation fails without an error, as that of SET GLOBAL does without the
// privilege. There is nothing to execute then.
func (r *Response) prepared(payload []byte) error {
	if len(payload) < prepareOKBytesMin && payload[0] == headerOK {
		return r.ok(payload)
	}
	m, err := DecodePrepareOK(payload)
	if err != nil {
		return err
	}
	r.Prepared = Prepared{ID: m.ID, Columns: m.Columns, Params: m.Params}
	r.Warnings, r.Described = m.Warnings, true
	r.left = int(m.Params)
	if r.left > 0 {
		r.state = stateParams
		return nil
	}
	r.prepareColumns()
	return nil
}

// prepareColumns moves on to the column definitions of a prepared statement.
func (r *Response) prepareColumns() {
	r.left = int(r.Prepared.Columns)
	r.state = stateColumns
	if r.left == 0 {
		r.end()
	}
}
