package wire_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/wire"
)

// Messages of hand-made answers.
const (
	okMessage   = "\x00\x00\x00\x02\x00\x00\x00"
	okMore      = "\x00\x00\x00\x0a\x00\x00\x00"
	eofMessage  = "\xfe\x00\x00\x02\x00"
	eofMore     = "\xfe\x00\x00\x0a\x00"
	eofCursor   = "\xfe\x00\x00\x42\x00"
	okEnd       = "\xfe\x00\x00\x02\x00\x00\x00"
	okEndMore   = "\xfe\x00\x00\x0a\x00\x00\x00"
	okEndCursor = "\xfe\x00\x00\x42\x00\x00\x00"
	errMessage  = "\xff\x28\x04#42000no"
	oneColumn   = "\x01"
	column      = "\x03def\x00\x00\x00\x01a\x00\x0c\x2d\x00\x01\x00\x00\x00\xfd\x00\x00\x00\x00\x00"
	progress    = "\xff\xff\xff\x01\x01\x02\x00\x00\x00\x04copy"
	file        = "\xfbnames.txt"
	jump        = "(the client's file)"
)

const deprecated = wire.ClientDeprecateEOF

// frames makes an answer of messages; jump stands for the frames of a file,
// which take sequence numbers and are not in the answer.
func frames(messages ...string) []byte {
	var b []byte
	sequence := uint8(1)
	for _, m := range messages {
		if m == jump {
			sequence += fileFrames
			continue
		}
		b, sequence = wire.AppendPacket(b, []byte(m), sequence)
	}
	return b
}

// ended is the outcome of an answer that is followed to its end.
func ended(results int, status wire.Status) outcome {
	return outcome{Done: true, Succeeded: results, Status: status}
}

// failed is the outcome of one that ends with errMessage.
func failed(results int, status wire.Status) outcome {
	return outcome{Done: true, Succeeded: results, Status: status, Failed: true, ErrNumber: 1064}
}

// TestAnswers follows one answer of each shape that servers send.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name     string
		command  wire.Command
		caps     wire.Capability
		messages []string
		want     outcome
	}{
		{"OK", wire.ComPing, 0, []string{okMessage}, ended(1, 2)},
		{"EOF in place of an OK", wire.ComSetOption, 0, []string{eofMessage}, ended(1, 2)},
		{"OK that looks like an EOF", wire.ComSetOption, deprecated, []string{okEnd}, ended(1, 2)},
		{"EOF though none was agreed on", wire.ComSetOption, deprecated, []string{eofMessage}, ended(1, 2)},
		{"more results of a command that has one", wire.ComInitDB, 0, []string{okMore}, ended(1, 10)},
		{"error", wire.ComInitDB, 0, []string{errMessage}, failed(0, 0)},
		{"no answer", wire.ComStmtClose, 0, nil, ended(0, 0)},
		{"text", wire.ComStatistics, 0, []string{"Uptime: 1"}, ended(1, 0)},
		{"empty text", wire.ComStatistics, 0, []string{""}, ended(1, 0)},
		{"text like an OK", wire.ComStatistics, 0, []string{okMessage}, ended(1, 0)},
		{"error for a text", wire.ComStatistics, 0, []string{errMessage}, failed(0, 0)},

		{"no rows", wire.ComQuery, 0, []string{oneColumn, column, eofMessage, eofMessage}, ended(1, 2)},
		{"no rows, deprecated", wire.ComQuery, deprecated, []string{oneColumn, column, okEnd}, ended(1, 2)},
		{"rows", wire.ComQuery, 0, []string{oneColumn, column, eofMessage, "\x01a", "\xfb", "\x00", eofMessage}, ended(1, 2)},
		{"rows, deprecated", wire.ComQuery, deprecated, []string{oneColumn, column, "\x01a", "\xfb", "\x00", okEnd}, ended(1, 2)},
		{"EOF at the end though deprecated", wire.ComQuery, deprecated, []string{oneColumn, column, "\x01a", eofMessage}, ended(1, 2)},
		{"rows of 250 bytes and more", wire.ComQuery, deprecated, []string{oneColumn, column, "\xfc\x01\x00a", "\xfd\x01\x00\x00a", okEnd}, ended(1, 2)},

		{"two results", wire.ComQuery, deprecated, []string{oneColumn, column, "\x01a", okEndMore, oneColumn, column, okEnd}, ended(2, 2)},
		{"OK between results", wire.ComQuery, 0, []string{okMore, oneColumn, column, eofMore, eofMore, okMessage}, ended(3, 2)},
		{"error after results", wire.ComQuery, 0, []string{okMore, oneColumn, column, eofMore, eofMore, errMessage}, failed(2, 10)},
		{"error in place of rows", wire.ComQuery, 0, []string{oneColumn, column, eofMessage, errMessage}, failed(0, 2)},
		{"error in the middle of rows", wire.ComQuery, deprecated, []string{oneColumn, column, "\x01a", "\x01b", errMessage}, failed(0, 0)},
		{"error in place of a definition", wire.ComQuery, 0, []string{"\x02", column, errMessage}, failed(0, 0)},
		{"error in place of the EOF after definitions", wire.ComQuery, 0, []string{oneColumn, column, errMessage}, failed(0, 0)},

		{"cursor", wire.ComStmtExecute, asksCursor, []string{oneColumn, column, eofCursor}, ended(1, 0x42)},
		{"cursor, deprecated", wire.ComStmtExecute, asksCursor | deprecated, []string{oneColumn, column, okEndCursor}, ended(1, 0x42)},
		{"fetch", wire.ComStmtFetch, 0, []string{"\x00\x00\x01a", "\x00\x00\x01b", eofCursor}, ended(1, 0x42)},
		{"fetch, deprecated", wire.ComStmtFetch, deprecated, []string{"\x00\x00\x01a", okEndCursor}, ended(1, 0x42)},
		{"fetch of nothing", wire.ComStmtFetch, 0, []string{eofMessage}, ended(1, 2)},
		{"fetch fails", wire.ComStmtFetch, 0, []string{"\x00\x00\x01a", errMessage}, failed(0, 0)},
		{"OUT parameters", wire.ComStmtExecute, 0, []string{oneColumn, column, "\xfe\x00\x00\x0a\x10", "\x00\x00\x01a", eofMessage, okMessage}, ended(2, 2)},
		{"bulk execute", wire.ComStmtBulkExecute, 0, []string{okMessage}, ended(1, 2)},
		{"definitions the client has", wire.ComStmtExecute, wire.MariaDBCacheMetadata, []string{"\x01\x00", eofMessage, "\x00\x00\x01a", eofMessage}, ended(1, 2)},
		{"definitions the client has, deprecated", wire.ComStmtExecute, wire.MariaDBCacheMetadata | deprecated, []string{"\x01\x00", "\x00\x00\x01a", okEnd}, ended(1, 2)},
		{"definitions the client has not", wire.ComStmtExecute, wire.MariaDBCacheMetadata | deprecated, []string{"\x01\x01", column, "\x00\x00\x01a", okEnd}, ended(1, 2)},

		{"fields", wire.ComFieldList, 0, []string{column + "\x00", column + "\xfb", eofMessage}, ended(1, 2)},
		{"fields, deprecated", wire.ComFieldList, deprecated, []string{column + "\x00", okEnd}, ended(1, 2)},
		{"no fields", wire.ComFieldList, 0, []string{eofMessage}, ended(1, 2)},
		{"fields of nothing", wire.ComFieldList, 0, []string{errMessage}, failed(0, 0)},

		{"an OK in place of a description", wire.ComStmtPrepare, 0, []string{okMessage}, ended(1, 2)},
		{"an OK in place of a description, deprecated", wire.ComStmtPrepare, deprecated | wire.ClientSessionTrack, []string{okMessage}, ended(1, 2)},

		{"progress before an OK", wire.ComQuery, wire.MariaDBProgress, []string{progress, progress, okMessage}, ended(1, 2)},
		{"progress among rows", wire.ComQuery, wire.MariaDBProgress, []string{oneColumn, column, eofMessage, progress, "\x01a", progress, eofMessage}, ended(1, 2)},
		{"progress before an error", wire.ComQuery, wire.MariaDBProgress, []string{progress, errMessage}, failed(0, 0)},
		{"error of that number", wire.ComQuery, 0, []string{progress}, outcome{Done: true, Failed: true, ErrNumber: 0xffff}},

		{"file", wire.ComQuery, wire.ClientLocalFiles, []string{file, jump, okMessage}, ended(1, 2)},
		{"file fails", wire.ComQuery, wire.ClientLocalFiles, []string{file, jump, errMessage}, failed(0, 0)},
		{"two files", wire.ComQuery, wire.ClientLocalFiles, []string{file, jump, okMore, file, jump, okMessage}, ended(2, 2)},
		{"file among results", wire.ComQuery, wire.ClientLocalFiles | deprecated, []string{oneColumn, column, okEndMore, file, jump, okMessage}, ended(2, 2)},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := frames(c.messages...)
			c.want.Consumed = len(answer)
			for _, behind := range []string{"", "\x01\x00\x00\x01\xff", "\x00\x00\x00\x05"} {
				got := sameHoweverCut(t, c.command, c.caps, append(answer[:len(answer):len(answer)], behind...))
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("followed by %q:\n%s", behind, diff)
				}
			}
			if diff := cmp.Diff(c.want, followSteps(c.command, c.caps, answer, true)); diff != "" {
				t.Errorf("by steps:\n%s", diff)
			}
		})
	}
}

// TestPreparedAnswers follows the descriptions of statements with and without
// parameters and columns.
func TestPreparedAnswers(t *testing.T) {
	for _, c := range []struct {
		params, columns byte
		definitions     []string // without DEPRECATE_EOF
	}{
		{0, 0, nil},
		{2, 0, []string{column, column, eofMessage}},
		{0, 1, []string{column, eofMessage}},
		{1, 2, []string{column, eofMessage, column, column, eofMessage}},
	} {
		head := "\x00\x07\x00\x00\x00" + string([]byte{c.columns, 0, c.params, 0}) + "\x00\x03\x00"
		for _, caps := range []wire.Capability{0, deprecated} {
			messages := append([]string{head}, c.definitions...)
			want := outcome{Done: true, Succeeded: 1, Warnings: 3}
			want.Prepared = wire.Prepared{ID: 7, Columns: uint16(c.columns), Params: uint16(c.params)}
			switch {
			case caps == deprecated:
				messages = slices.DeleteFunc(messages, func(m string) bool { return m == eofMessage })
			case len(c.definitions) > 0:
				want.Status, want.Warnings = 2, 0
			}
			answer := frames(messages...)
			want.Consumed = len(answer)
			if diff := cmp.Diff(want, sameHoweverCut(t, wire.ComStmtPrepare, caps, answer)); diff != "" {
				t.Errorf("%d params, %d columns, %s:\n%s", c.params, c.columns, caps, diff)
			}
		}
	}
	if o := follow(wire.ComStmtPrepare, 0, frames(errMessage), whole); !o.Failed || !o.Done {
		t.Errorf("a statement that is refused: %s", o)
	}
}

// TestBrokenAnswers wants every byte before the defect to be understood, the
// defect to be named, and nothing of it to be passed on.
func TestBrokenAnswers(t *testing.T) {
	malformed, order, large := wire.ErrMalformed.Error(), wire.ErrSequence.Error(), wire.ErrTooLarge.Error()
	result := frames(oneColumn, column, eofMessage, "\x01a")
	for _, c := range []struct {
		name    string
		command wire.Command
		caps    wire.Capability
		good    []byte
		bad     []byte
		want    string
	}{
		{"sequence of the first frame", wire.ComQuery, 0, nil, []byte("\x01\x00\x00\x00\x01"), order},
		{"sequence of a row", wire.ComQuery, 0, result, []byte("\x02\x00\x00\x06\x01b"), order},
		{"sequence of a repeated row", wire.ComQuery, 0, result, []byte("\x02\x00\x00\x04\x01b"), order},
		{"sequence of the end", wire.ComQuery, 0, result, []byte("\x05\x00\x00\x07\xfe\x00\x00\x02\x00"), order},
		{"empty packet for a result", wire.ComQuery, 0, nil, frames(""), malformed},
		{"empty packet for a row", wire.ComQuery, 0, result, []byte("\x00\x00\x00\x05"), malformed},
		{"empty packet for an OK", wire.ComPing, 0, nil, frames(""), malformed},
		{"empty packet for a definition", wire.ComQuery, 0, frames(oneColumn), []byte("\x00\x00\x00\x02"), malformed},
		{"OK cut short", wire.ComPing, 0, nil, frames("\x00\x00\x00\x02"), malformed},
		{"error cut short", wire.ComPing, 0, nil, frames("\xff\x28"), malformed},
		{"row for an OK", wire.ComPing, 0, nil, frames("\x01a"), malformed},
		{"no columns", wire.ComQuery, 0, nil, frames("\xfe\x00\x00\x00\x00\x00\x00\x00\x00"), malformed},
		{"row for the number of columns", wire.ComQuery, 0, nil, frames("\x05hello"), malformed},
		{"more columns than can be", wire.ComQuery, 0, nil, frames("\xfd\xff\xff\xff"), malformed},
		{"row for the EOF after definitions", wire.ComQuery, 0, frames(oneColumn, column), []byte("\x02\x00\x00\x03\x01a"), malformed},
		{"EOF of six bytes", wire.ComQuery, 0, result, []byte("\x06\x00\x00\x05\xfe\x00\x00\x02\x00\x00"), malformed},
		{"end that is neither EOF nor OK", wire.ComQuery, deprecated, frames(oneColumn, column), []byte("\x04\x00\x00\x03\xfe\x00\x00\x02"), malformed},
		{"end with bytes behind it", wire.ComQuery, deprecated | wire.ClientSessionTrack, frames(oneColumn, column), []byte("\x0a\x00\x00\x03\xfe\x00\x00\x02\x00\x00\x00\x01ab"), malformed},
		{"statement that is no OK", wire.ComStmtPrepare, 0, nil, frames("\x01\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), malformed},
		{"statement cut short", wire.ComStmtPrepare, 0, nil, frames("\x00\x07\x00\x00\x00"), malformed},
		{"missing EOF after parameters", wire.ComStmtPrepare, 0, frames("\x00\x07\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00", column), append([]byte{byte(len(column)), 0, 0, 3}, column...), malformed},
		{"OK of a whole frame", wire.ComPing, 0, nil, frames("\x00" + string(make([]byte, wire.FrameBytesMax-1))), large},
		{"error of a whole frame", wire.ComQuery, 0, result, append([]byte("\xff\xff\xff\x05\xff"), make([]byte, wire.FrameBytesMax-1)...), large},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := sameHoweverCut(t, c.command, c.caps, append(c.good[:len(c.good):len(c.good)], c.bad...))
			if got.Error != c.want || got.Consumed != len(c.good) || got.Done {
				t.Errorf("%s; want %s after %d bytes", got, c.want, len(c.good))
			}
			var r wire.Response
			r.Begin(c.command, c.caps, 1)
			_, err := r.Scan(append(c.good[:len(c.good):len(c.good)], c.bad...))
			if next := 1 + len(payloads(c.good)); err == nil || !r.AtBoundary() || int(r.Sequence()) != next {
				t.Errorf("%v; an error of tunic's own would be packet %d, at a boundary %t; want %d", err, r.Sequence(), r.AtBoundary(), next)
			}
			if steps := followSteps(c.command, c.caps, append(c.good[:len(c.good):len(c.good)], c.bad...), true); steps.Error != c.want {
				t.Errorf("by steps: %s", steps)
			}
		})
	}
}

// TestLongRows has rows at every edge of the largest frame, of one byte that
// could be taken for the end of rows, an error, a NULL or an OK.
func TestLongRows(t *testing.T) {
	for _, c := range []struct {
		size  int
		first byte
	}{{wire.FrameBytesMax, 0xfe}, {wire.FrameBytesMax + 9, 0xfe}, {wire.FrameBytesMax + 9, 0x00}, {2 * wire.FrameBytesMax, 0xfe}} {
		row := filled(c.size)
		row[0] = c.first
		if c.size > wire.FrameBytesMax { // a frame that continues, and looks like an error
			row[wire.FrameBytesMax] = 0xff
		}
		long := string(row)
		for caps, messages := range map[wire.Capability][]string{
			0:          {oneColumn, column, eofMessage, long, "\x01a", long, eofMessage},
			deprecated: {oneColumn, column, long, "\x01a", long, okEnd},
		} {
			answer := frames(messages...)
			want := ended(1, 2)
			want.Consumed = len(answer)
			if diff := cmp.Diff(want, sameHoweverCut(t, wire.ComQuery, caps, answer)); diff != "" {
				t.Errorf("%d bytes, first %#x, %s:\n%s", c.size, c.first, caps, diff)
			}
		}
	}
}

// Without DEPRECATE_EOF a packet that starts with 0xfe is a row from 9 bytes on:
// the length of a value of 16 MiB takes as many.
func TestRowsThatStartLikeAnEnd(t *testing.T) {
	for size, row := range map[int]bool{6: false, 8: false, 9: true, 100: true} {
		packet := "\xfe" + string(make([]byte, size-1))
		got := follow(wire.ComQuery, 0, frames(oneColumn, column, eofMessage, packet, eofMessage), whole)
		if got.Done != row || (got.Error == "") != row {
			t.Errorf("%d bytes: %s", size, got)
		}
	}
}

// A text and a definition may be long too, and are never held as a whole.
func TestLongTextsAndDefinitions(t *testing.T) {
	long := string(filled(wire.FrameBytesMax + 3))
	for _, c := range []struct {
		command  wire.Command
		messages []string
	}{
		{wire.ComStatistics, []string{long}},
		{wire.ComStatistics, []string{long[:wire.FrameBytesMax]}},
		{wire.ComQuery, []string{"\x02", long, long, okEnd}},
		{wire.ComStmtPrepare, []string{"\x00\x07\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00", long, long}},
		{wire.ComFieldList, []string{long, okEnd}},
	} {
		answer := frames(c.messages...)
		got := sameHoweverCut(t, c.command, deprecated, append(answer, 1, 0, 0, 1, 0))
		if !got.Done || got.Consumed != len(answer) || got.Error != "" {
			t.Errorf("%s: %s, of %d bytes", c.command, got, len(answer))
		}
	}
}

// The sequence number of a frame has one byte, and answers have more frames.
func TestSequenceOfLongAnswers(t *testing.T) {
	messages := []string{oneColumn, column, eofMessage}
	for range 1000 {
		messages = append(messages, "\x01a")
	}
	answer := frames(append(messages, eofMessage)...)
	want := ended(1, 2)
	want.Consumed = len(answer)
	if diff := cmp.Diff(want, sameHoweverCut(t, wire.ComQuery, 0, answer)); diff != "" {
		t.Error(diff)
	}
	answer[wire.HeaderBytes*500+3]++
	if got := follow(wire.ComQuery, 0, answer, whole); got.Error == "" {
		t.Errorf("a wrong sequence number after hundreds: %s", got)
	}
}

// The first sequence number of an answer follows those of a long command.
func TestAnswerToALongCommand(t *testing.T) {
	var r wire.Response
	r.Begin(wire.ComQuery, 0, 3)
	answer, _ := wire.AppendPacket(nil, []byte(okMessage), 3)
	if n, err := r.Scan(answer); n != len(answer) || err != nil || !r.Done() || r.Sequence() != 4 {
		t.Errorf("%d bytes, %v, next sequence number %d", n, err, r.Sequence())
	}
}

// Scan stops where the client's turn is, and goes on when the client has had it.
func TestFileIsTheClientsTurn(t *testing.T) {
	var r wire.Response
	r.Begin(wire.ComQuery, 0, 1)
	asked, answer := frames(file), frames(file, jump, okMessage)
	for range 2 {
		if n, err := r.Scan(answer); n > len(asked) || err != nil || !r.WantsFile() || r.Done() {
			t.Fatalf("%d bytes, %v, wants a file: %t", n, err, r.WantsFile())
		}
	}
	if r.Sequence() != 2 {
		t.Errorf("the client's first frame has sequence number %d", r.Sequence())
	}
	r.FileSent(4)
	if n, err := r.Scan(answer[len(asked):]); n != len(answer)-len(asked) || err != nil || !r.Done() || r.WantsFile() {
		t.Errorf("%d bytes, %v, done %t", n, err, r.Done())
	}
}

// TestBoundary tells where a frame of tunic's own may follow.
func TestBoundary(t *testing.T) {
	long := filled(wire.FrameBytesMax + 1)
	answer := frames(oneColumn, column, eofMessage, string(long), eofMessage)
	head := len(frames(oneColumn, column, eofMessage))
	next := head + wire.HeaderBytes + wire.FrameBytesMax
	for _, c := range []struct {
		n        int
		boundary bool
	}{
		{head - 1, true},
		{head, true},
		{head + 4, true},
		{head + 5, false},
		{next - 1, false},
		{next, false},
		{next + 4, false},
		{next + 5, true},
	} {
		var r wire.Response
		r.Begin(wire.ComQuery, 0, 1)
		if _, err := r.Scan(answer[:c.n]); err != nil {
			t.Fatal(err)
		}
		if r.AtBoundary() != c.boundary {
			t.Errorf("after %d bytes of a row from %d to %d: %t", c.n, head, next+5, r.AtBoundary())
		}
	}
}

// TestStepTells what each frame was the end of, and whether a row comes next.
func TestStepTells(t *testing.T) {
	type told struct {
		ended  wire.Ended
		inRows bool
	}
	for _, c := range []struct {
		name     string
		command  wire.Command
		messages []string
		want     []told
	}{
		{
			"rows", wire.ComQuery,
			[]string{oneColumn, column, eofMore, "\x01a", eofMore, okMessage},
			[]told{{}, {}, {wire.EndedDefinitions, true}, {0, true}, {wire.EndedResult, false}, {}},
		},
		{
			"cursor", wire.ComStmtExecute,
			[]string{oneColumn, column, eofCursor},
			[]told{{}, {}, {wire.EndedResult, false}},
		},
		{
			"statement", wire.ComStmtPrepare,
			[]string{"\x00\x07\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00", column, eofMessage, column, eofMessage},
			[]told{{}, {}, {wire.EndedDefinitions, false}, {}, {wire.EndedDefinitions, false}},
		},
		{"fields", wire.ComFieldList, []string{column, eofMessage}, []told{{}, {wire.EndedResult, false}}},
		{"option", wire.ComSetOption, []string{eofMessage}, []told{{wire.EndedResult, false}}},
		{"fetch", wire.ComStmtFetch, []string{"\x00\x00\x01a", eofCursor}, []told{{0, true}, {wire.EndedResult, false}}},
	} {
		var r wire.Response
		r.Begin(c.command, 0, 1)
		r.MayOpenCursor()
		answer := frames(c.messages...)
		for i, want := range c.want {
			n, err := r.Step(answer)
			if err != nil || n != wire.HeaderBytes+len(c.messages[i]) {
				t.Fatalf("%s: step %d took %d bytes, %v", c.name, i, n, err)
			}
			if got := (told{r.Ended(), r.InRows()}); got != want {
				t.Errorf("%s: step %d told %+v, want %+v", c.name, i, got, want)
			}
			answer = answer[n:]
		}
		if n, err := r.Step([]byte("\x01\x00\x00\x01\x00")); n != 0 || err != nil || !r.Done() {
			t.Errorf("%s: behind the end %d bytes, %v", c.name, n, err)
		}
	}
}

// What OKs say of the session's state is kept over results, in order, though the
// bytes they came in are gone.
func TestSessionStateIsKept(t *testing.T) {
	const caps = wire.ClientSessionTrack
	schema := appendChange(nil, wire.Change{Kind: wire.ChangeSchema, Value: []byte("shop")})
	state := appendChange(nil, wire.Change{Kind: wire.ChangeState, Value: []byte("1")})
	first := wire.OK{Status: wire.StatusMoreResults | wire.StatusSessionState, SessionState: schema}.AppendOK(nil, caps)
	second := wire.OK{Status: wire.StatusSessionState, SessionState: state}.AppendOK(nil, caps)
	answer := frames(string(first), string(second))
	var r wire.Response
	for range 2 {
		b := bytes.Clone(answer)
		r.Begin(wire.ComQuery, caps, 1)
		if _, err := r.Scan(b); err != nil || !r.Done() {
			t.Fatal(err)
		}
		clear(b)
		if want := append(bytes.Clone(schema), state...); !bytes.Equal(r.SessionState, want) {
			t.Errorf("% x, want % x", r.SessionState, want)
		}
	}
	r.Begin(wire.ComPing, caps, 1)
	if len(r.SessionState) != 0 {
		t.Error("the state of the answer before is still there")
	}
}

// What is kept of the session's state has a limit, and says when it is not all.
func TestSessionStateHasALimit(t *testing.T) {
	const caps = wire.ClientSessionTrack
	state := func(n int) string {
		return string(wire.OK{Status: wire.StatusSessionState | wire.StatusMoreResults, SessionState: make([]byte, n)}.AppendOK(nil, caps))
	}
	for _, c := range []struct {
		sizes    []int
		kept     int
		overflow bool
	}{
		{[]int{wire.SessionStateBytesMax}, wire.SessionStateBytesMax, false},
		{[]int{wire.SessionStateBytesMax + 1}, 0, true},
		{[]int{wire.SessionStateBytesMax - 1, 1}, wire.SessionStateBytesMax, false},
		{[]int{wire.SessionStateBytesMax, 1}, wire.SessionStateBytesMax, true},
	} {
		var messages []string
		for _, n := range c.sizes {
			messages = append(messages, state(n))
		}
		answer := frames(append(messages, okMessage)...)
		var r wire.Response
		r.Begin(wire.ComQuery, caps, 1)
		if n, err := r.Scan(answer); n != len(answer) || err != nil || !r.Done() {
			t.Fatalf("%v: %d of %d bytes, %v", c.sizes, n, len(answer), err)
		}
		if len(r.SessionState) != c.kept || r.StateOverflow != c.overflow {
			t.Errorf("%v: %d bytes kept, overflow %t", c.sizes, len(r.SessionState), r.StateOverflow)
		}
		if r.Begin(wire.ComPing, caps, 1); r.StateOverflow {
			t.Error("the overflow of the answer before is still told")
		}
	}
}

// TestCommands holds the table of commands to what tunic says of it: what is not
// known is not passed on, and is never followed.
func TestCommands(t *testing.T) {
	known := 0
	for b := range 256 {
		c := wire.Command(b)
		if !c.Known() {
			var r wire.Response
			r.Begin(c, 0, 1)
			if n, err := r.Scan(frames(okMessage)); n != 0 || err != nil || !r.Done() || c.Answered() {
				t.Errorf("%#x, which is not known: %d bytes, %v, done %t, answered %t", b, n, err, r.Done(), c.Answered())
			}
			continue
		}
		known++
		if c.String() == "unknown" {
			t.Errorf("%#x is known and has no name", b)
		}
	}
	if known != 21 {
		t.Errorf("%d commands are known; say in docs/wire.md what has changed, and here how many", known)
	}
	for c, answered := range map[wire.Command]bool{
		wire.ComQuit: false, wire.ComStmtClose: false, wire.ComStmtLongData: false, wire.ComChangeUser: true,
		wire.ComPing: true, wire.ComBinlogDump: false, wire.ComSleep: false, 0x99: false,
	} {
		if c.Answered() != answered {
			t.Errorf("%s: answered %t", c, c.Answered())
		}
	}
}

// TestCursorFlagAlone: MariaDB sets the flag of a cursor on results of a
// procedure, or of a statement that calls a function, that has used a cursor of
// its own. Rows follow.
func TestCursorFlagAlone(t *testing.T) {
	const eofCursorMore = "\xfe\x00\x00\x4a\x00"
	procedure := frames(oneColumn, column, eofCursorMore, "\x01a", eofCursorMore, okMessage)
	function := frames(oneColumn, column, eofCursor, "\x01a", eofCursor)
	for _, c := range []struct {
		name    string
		command wire.Command
		caps    wire.Capability
		answer  []byte
		results int
	}{
		{"procedure, text", wire.ComQuery, 0, procedure, 2},
		{"procedure, executed", wire.ComStmtExecute, 0, procedure, 2},
		{"procedure, executed with a cursor", wire.ComStmtExecute, asksCursor, procedure, 2},
		{"function, text", wire.ComQuery, 0, function, 1},
		{"function, executed", wire.ComStmtExecute, 0, function, 1},
	} {
		got := sameHoweverCut(t, c.command, c.caps, c.answer)
		if !got.Done || got.Consumed != len(c.answer) || got.Succeeded != c.results {
			t.Errorf("%s: %s, of %d bytes and %d results", c.name, got, len(c.answer), c.results)
		}
	}
}
