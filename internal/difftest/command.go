package difftest

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"tunic/internal/wire"
)

// commandKind is a command other than a query, as the corpus names it.
type commandKind struct {
	quoted bool // its argument is a Go string, not words
	run    func(x *session, args []string) Reply
}

// commandKinds are the words after `-- command`.
var commandKinds = map[string]commandKind{
	"ping":             {run: plain(wire.ComPing, (*answer).one)},
	"debug":            {run: plain(wire.ComDebug, (*answer).one)},
	"reset-connection": {run: plain(wire.ComResetConnection, (*answer).one)},
	"statistics":       {run: plain(wire.ComStatistics, (*answer).text)},
	"quit":             {run: plain(wire.ComQuit, (*answer).one)},
	"process-info":     {run: plain(wire.ComProcessInfo, func(a *answer) error { return a.results(false) })},
	"init-db":          {run: withText(wire.ComInitDB, (*answer).one)},
	"field-list":       {run: fieldList},
	"set-option":       {run: setOption},
	"process-kill":     {run: processKill},
	"change-user":      {run: changeUser},
	"raw":              {quoted: true, run: raw},
	"execute-unknown":  {run: unknownStatement(wire.ComStmtExecute, make([]byte, 5))},
	"reset-unknown":    {run: unknownStatement(wire.ComStmtReset, nil)},
	"fetch-unknown":    {run: unknownStatement(wire.ComStmtFetch, []byte{1, 0, 0, 0})},
	"close-unknown":    {run: unknownStatement(wire.ComStmtClose, nil)},
}

func plain(command wire.Command, read func(*answer) error) func(*session, []string) Reply {
	return withText(command, read)
}

// withText is a command whose argument is text to its end.
func withText(command wire.Command, read func(*answer) error) func(*session, []string) Reply {
	return func(x *session, args []string) Reply {
		payload := append([]byte{byte(command)}, strings.Join(args, " ")...)
		return x.client.roundTrip("command", payload, read)
	}
}

// fieldList asks for the columns of a table, of which a pattern may follow.
func fieldList(x *session, args []string) Reply {
	payload := append([]byte{byte(wire.ComFieldList)}, args[0]...)
	payload = append(payload, 0)
	if len(args) > 1 {
		payload = append(payload, args[1]...)
	}
	return x.client.roundTrip("command", payload, (*answer).fields)
}

func setOption(x *session, args []string) Reply {
	option := uint16(0)
	if args[0] == "multi-off" {
		option = 1
	}
	payload := binary.LittleEndian.AppendUint16([]byte{byte(wire.ComSetOption)}, option)
	return x.client.roundTrip("command", payload, (*answer).one)
}

// processKill kills a session by its name in the script, or a connection by number.
func processKill(x *session, args []string) Reply {
	id, err := strconv.ParseUint(args[0], 10, 32)
	if err != nil {
		id = uint64(x.side.connectionID(args[0]))
	}
	payload := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComProcessKill)}, uint32(id))
	return x.client.roundTrip("command", payload, (*answer).one)
}

// changeUser takes the options of a session.
func changeUser(x *session, args []string) Reply {
	spec := SessionSpec{Collation: defaultCollation}
	for _, word := range args {
		if err := spec.set(word); err != nil {
			return Reply{Label: "command", Broken: err.Error()}
		}
	}
	return x.client.changeUser(spec)
}

// raw sends a packet as it is and expects one packet back.
func raw(x *session, args []string) Reply {
	return x.client.roundTrip("command", []byte(args[0]), (*answer).one)
}

// unknownStatement sends a command for a statement number nobody has been given.
func unknownStatement(command wire.Command, rest []byte) func(*session, []string) Reply {
	return func(x *session, args []string) Reply {
		id, err := strconv.ParseUint(args[0], 10, 32)
		if err != nil {
			return Reply{Label: "command", Broken: fmt.Sprintf("statement number: %v", err)}
		}
		head := wire.Execute{Command: command, Statement: uint32(id), Rest: rest}
		read := (*answer).one
		if !command.Answered() {
			read = nil
		}
		return x.client.roundTrip("command", head.AppendTo(nil), read)
	}
}
