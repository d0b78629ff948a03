package wire_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tunic/internal/wire"
)

// answerCaps are the flags that shape answers.
const answerCaps = wire.ClientDeprecateEOF | wire.ClientSessionTrack | wire.MariaDBProgress |
	wire.MariaDBCacheMetadata | wire.MariaDBExtendedMetadata

// drawnAnswer is an answer as the protocol allows it, drawn packet by packet,
// with what a follower of it must come to.
type drawnAnswer struct {
	t        *rapid.T
	command  wire.Command
	caps     wire.Capability
	bytes    []byte
	sequence uint8
	want     outcome

	hasStatus bool // a message of the answer had status flags
}

func drawAnswer(t *rapid.T) *drawnAnswer {
	a := &drawnAnswer{t: t, caps: drawCaps(t, 0, answerCaps), sequence: 1}
	a.command = rapid.SampledFrom([]wire.Command{
		wire.ComQuery, wire.ComQuery, wire.ComStmtExecute, wire.ComStmtExecute, wire.ComStmtPrepare, wire.ComStmtFetch,
		wire.ComFieldList, wire.ComStatistics, wire.ComPing, wire.ComSetOption, wire.ComProcessInfo, wire.ComQuit,
	}).Draw(t, "command")
	if a.command == wire.ComStmtExecute && rapid.Bool().Draw(t, "asks for a cursor") {
		a.caps |= asksCursor
	}
	switch a.command {
	case wire.ComStmtPrepare:
		a.prepared()
	case wire.ComStmtFetch:
		a.rows()
		a.endOfRows(0)
	case wire.ComFieldList:
		a.definitions(rapid.IntRange(0, 3).Draw(t, "fields"))
		a.endOfRows(0)
	case wire.ComStatistics:
		a.packet(drawBytes(t, "text"))
		a.want.Succeeded++
	case wire.ComPing:
		a.ok(0)
	case wire.ComSetOption:
		a.endOfRows(0)
	case wire.ComQuit:
	default:
		a.results()
	}
	a.want.Consumed, a.want.Done = len(a.bytes), true
	return a
}

// packet adds a packet. One that would be taken for an error is made another.
func (a *drawnAnswer) packet(payload []byte) {
	if len(payload) > 0 && payload[0] == 0xff {
		payload[0] = 'x'
	}
	a.bytes, a.sequence = wire.AppendPacket(a.bytes, payload, a.sequence)
}

func (a *drawnAnswer) message(m wire.Message) {
	a.bytes, a.sequence = wire.AppendPacket(a.bytes, m.AppendTo(nil), a.sequence)
}

// progress adds progress reports where they may come.
func (a *drawnAnswer) progress() {
	for a.caps.Has(wire.MariaDBProgress) && rapid.IntRange(0, 3).Draw(a.t, "progress") == 0 {
		a.message(wire.Bytes("\xff\xff\xff\x01\x01\x02\x00\x00\x00\x04copy"))
	}
}

// failure ends the answer with an error, now and then.
func (a *drawnAnswer) failure() bool {
	if rapid.IntRange(0, 9).Draw(a.t, "failure") > 0 {
		return false
	}
	a.want.Failed, a.want.ErrNumber = true, rapid.Uint16Range(1000, 4000).Draw(a.t, "error")
	a.message(wire.Err{Number: a.want.ErrNumber, State: "HY000", Message: []byte("no")})
	return true
}

// status draws flags beside those that say what comes next.
func (a *drawnAnswer) status(set wire.Status) wire.Status {
	const telling = wire.StatusMoreResults | wire.StatusCursorExists | wire.StatusPSOutParams | wire.StatusSessionState
	return drawStatus(a.t)&^telling | set
}

func (a *drawnAnswer) ok(set wire.Status) {
	a.okMessage(wire.OK{Status: a.status(set)})
}

func (a *drawnAnswer) okMessage(m wire.OK) {
	m.AffectedRows, m.Warnings, m.Info = rapid.Uint64().Draw(a.t, "affected"), rapid.Uint16().Draw(a.t, "warnings"), drawBytes(a.t, "info")
	if a.caps.Has(wire.ClientSessionTrack) && rapid.Bool().Draw(a.t, "tracked") {
		m.Status |= wire.StatusSessionState
		m.SessionState = appendChange(nil, wire.Change{Kind: wire.ChangeSchema, Value: drawBytes(a.t, "schema")})
	}
	a.message(wire.Bytes(m.AppendOK(nil, a.caps)))
	a.ended(m.Status, m.Warnings)
	if len(a.want.SessionState)+len(m.SessionState) <= wire.SessionStateBytesMax {
		a.want.SessionState += string(m.SessionState)
	}
}

// ended notes the end of a result.
func (a *drawnAnswer) ended(status wire.Status, warnings uint16) {
	a.want.Status, a.want.Warnings, a.hasStatus = status, warnings, true
	a.want.Succeeded++
}

// eof adds an EOF that is not the end of a result.
func (a *drawnAnswer) eof(set wire.Status) {
	if a.caps.Has(wire.ClientDeprecateEOF) {
		return
	}
	m := wire.EOF{Status: a.status(set), Warnings: rapid.Uint16().Draw(a.t, "warnings")}
	a.message(m)
	a.want.Status, a.want.Warnings, a.hasStatus = m.Status, m.Warnings, true
}

func (a *drawnAnswer) endOfRows(set wire.Status) {
	if a.caps.Has(wire.ClientDeprecateEOF) {
		a.okMessage(wire.OK{EndOfRows: true, Status: a.status(set)})
		return
	}
	a.eof(set)
	a.want.Succeeded++
}

func (a *drawnAnswer) definitions(n int) {
	for range n {
		a.packet(drawColumn(a.t, a.caps).AppendColumn(nil, a.caps))
	}
}

// rows adds rows in the form of the command's protocol.
func (a *drawnAnswer) rows() {
	for range rapid.IntRange(0, 5).Draw(a.t, "rows") {
		a.progress()
		if a.command == wire.ComQuery || a.command == wire.ComProcessInfo {
			value := wire.Cell{Null: rapid.Bool().Draw(a.t, "null"), Bytes: drawBytes(a.t, "value")}
			a.packet(appendTextRow(nil, []wire.Cell{value}))
			continue
		}
		a.packet(append([]byte{0}, drawBytes(a.t, "values")...))
	}
}

func (a *drawnAnswer) results() {
	left := rapid.IntRange(1, 4).Draw(a.t, "results")
	for ; left > 0; left-- {
		more := wire.Status(0)
		if left > 1 {
			more = wire.StatusMoreResults
		}
		if a.failure() || !a.result(more) {
			return
		}
	}
}

// result adds one result, and reports whether it ended well.
func (a *drawnAnswer) result(more wire.Status) bool {
	a.progress()
	switch rapid.SampledFrom([]string{"ok", "rows", "rows", "file", "cursor", "out"}).Draw(a.t, "kind") {
	case "file":
		if a.command == wire.ComQuery {
			a.message(wire.Bytes("\xfbnames.txt"))
			a.sequence += fileFrames
		}
		a.ok(more)
	case "rows":
		return a.resultSet(more)
	case "cursor":
		if !a.caps.Has(asksCursor) || more != 0 {
			return a.resultSet(more)
		}
		a.header()
		a.endOfRows(wire.StatusCursorExists)
	case "out":
		if a.command != wire.ComStmtExecute || more == 0 {
			return a.resultSet(more)
		}
		a.outParams()
	default:
		a.ok(more)
	}
	return true
}

// header adds what comes before the EOF after definitions.
func (a *drawnAnswer) header() {
	head := wire.ResultHeader{Columns: rapid.IntRange(1, 3).Draw(a.t, "columns"), MetadataFollows: true}
	if a.caps.Has(wire.MariaDBCacheMetadata) {
		head.MetadataFollows = rapid.Bool().Draw(a.t, "metadata follows")
	}
	a.message(wire.Bytes(head.AppendHeader(nil, a.caps)))
	if head.MetadataFollows {
		a.definitions(head.Columns)
	}
}

// resultSet adds a result with rows. That a cursor is there may be said all the
// same, where it cannot be the client's.
func (a *drawnAnswer) resultSet(more wire.Status) bool {
	if (!a.caps.Has(asksCursor) || more != 0) && rapid.Bool().Draw(a.t, "cursor of a procedure") {
		more |= wire.StatusCursorExists
	}
	a.header()
	a.eof(more)
	a.rows()
	if a.failure() {
		return false
	}
	a.progress()
	a.endOfRows(more)
	return true
}

// outParams adds OUT parameters as MySQL does: without DEPRECATE_EOF only the
// EOF before the row says that more follows.
func (a *drawnAnswer) outParams() {
	flags := wire.StatusPSOutParams | wire.StatusMoreResults
	a.header()
	a.eof(flags)
	a.packet([]byte{0, 0, 1, 2, 3, 4})
	if a.caps.Has(wire.ClientDeprecateEOF) {
		a.endOfRows(flags)
		return
	}
	a.endOfRows(0)
	a.want.Status |= flags
}

func (a *drawnAnswer) prepared() {
	if a.failure() {
		return
	}
	m := wire.PrepareOK{
		ID: rapid.Uint32().Draw(a.t, "id"), Columns: uint16(rapid.IntRange(0, 3).Draw(a.t, "columns")),
		Params: uint16(rapid.IntRange(0, 3).Draw(a.t, "params")), Warnings: rapid.Uint16().Draw(a.t, "warnings"),
	}
	a.message(m)
	a.want.Prepared, a.want.Warnings = wire.Prepared{ID: m.ID, Columns: m.Columns, Params: m.Params}, m.Warnings
	for _, n := range []uint16{m.Params, m.Columns} {
		if n > 0 {
			a.definitions(int(n))
			a.eof(0)
		}
	}
	a.want.Succeeded++
}

// Any answer that the protocol allows is followed to its end and not a byte
// further, however it is cut and whatever comes behind it.
func TestAnyAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAnswer(t)
		stream := append(a.bytes[:len(a.bytes):len(a.bytes)], rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "behind")...)
		sizes := rapid.SliceOfN(rapid.IntRange(1, 300), 1, 5).Draw(t, "cuts")
		got := sameHoweverCut(t, a.command, a.caps, stream, cuts(sizes...))
		if diff := cmp.Diff(a.want, got); diff != "" {
			t.Fatalf("%s with %s: drawn and followed differ:\n%s", a.command, a.caps, diff)
		}
		for _, rows := range [...]bool{false, true} {
			if diff := cmp.Diff(got, followSteps(a.command, a.caps, stream, rows)); diff != "" {
				t.Fatalf("Scan and Step differ:\n%s", diff)
			}
		}
		cut := rapid.IntRange(0, max(len(a.bytes)-1, 0)).Draw(t, "cut short")
		if o := follow(a.command, a.caps, a.bytes[:cut], whole); len(a.bytes) > 0 && (o.Done || o.Error != "") {
			t.Fatalf("%d of %d bytes: %s", cut, len(a.bytes), o)
		}
	})
}

// Nothing of an answer is left in a Response when it follows the next one, but
// the status that the session is in.
func TestAnswersOneAfterAnother(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r wire.Response
		var status wire.Status
		for range rapid.IntRange(2, 4).Draw(t, "answers") {
			a := drawAnswer(t)
			if !a.hasStatus {
				a.want.Status = status
			}
			got := followOn(&r, a.command, a.caps, a.bytes, whole)
			if diff := cmp.Diff(a.want, got); diff != "" {
				t.Fatalf("%s with %s: drawn and followed differ:\n%s", a.command, a.caps, diff)
			}
			status = got.Status
		}
	})
}
