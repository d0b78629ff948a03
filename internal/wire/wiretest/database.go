package wiretest

import (
	"bytes"
	"fmt"

	"tunic/internal/wire"
)

// Column is the definition of a text column.
func Column(name string) wire.ColumnDefinition {
	return wire.ColumnDefinition{
		Catalog: []byte("def"), Name: []byte(name), Charset: Charset, Length: 1024, Type: wire.TypeVarString,
	}
}

// Result is the messages of a text result: its head, columns, rows of one value
// for each column, and its end with these status flags.
func Result(status wire.Status, columns []string, rows ...[]string) []Message {
	messages := Head(columns...)
	for _, row := range rows {
		messages = append(messages, Row(row...))
	}
	return append(messages, End(status))
}

// Head is the messages of a result before its rows.
func Head(columns ...string) []Message {
	messages := []Message{func(caps wire.Capability) wire.Message {
		return wire.Bytes(wire.ResultHeader{Columns: len(columns), MetadataFollows: true}.AppendHeader(nil, caps))
	}}
	for _, name := range columns {
		messages = append(messages, func(caps wire.Capability) wire.Message {
			return wire.Bytes(Column(name).AppendColumn(nil, caps))
		})
	}
	return append(messages, endOfColumns)
}

// endOfColumns is an EOF, or nothing where the peers have done without it.
func endOfColumns(caps wire.Capability) wire.Message {
	if caps.Has(wire.ClientDeprecateEOF) {
		return nil
	}
	return wire.EOF{}
}

// Row is a row of the text protocol.
func Row(values ...string) Message {
	var b []byte
	for _, v := range values {
		b = wire.AppendLenencBytes(b, []byte(v))
	}
	return Plain(wire.Bytes(b))
}

// End is what ends the rows.
func End(status wire.Status) Message {
	return func(caps wire.Capability) wire.Message {
		if caps.Has(wire.ClientDeprecateEOF) {
			return wire.Bytes(wire.OK{EndOfRows: true, Status: status}.AppendOK(nil, caps))
		}
		return wire.EOF{Status: status}
	}
}

// Database is a step that answers commands as a small server does until the
// client quits or goes away:
//
//	SELECT text       one row with the text
//	COM_STMT_PREPARE  a statement without parameters and columns
//	anything else     OK
//
// If answer is not nil it sees every command first, and says whether it has
// answered it.
func Database(answer func(p *Peer, command []byte) (bool, error)) Step {
	return func(p *Peer) error {
		for {
			p.Wire.SetSequence(0)
			if err := p.Read(); Gone(err) {
				return nil
			} else if err != nil {
				return err
			}
			if len(p.Last) == 0 {
				return fmt.Errorf("an empty packet is no command")
			}
			if done, err := p.respond(answer); done || err != nil {
				return err
			}
		}
	}
}

// respond answers the command in Last; done says that the client has quit.
func (p *Peer) respond(answer func(*Peer, []byte) (bool, error)) (done bool, err error) {
	if answer != nil {
		if answered, err := answer(p, p.Last); answered || err != nil {
			return false, err
		}
	}
	command, body := wire.Command(p.Last[0]), p.Last[1:]
	switch {
	case command == wire.ComQuit:
		return true, nil
	case !command.Answered():
		return false, nil
	case command == wire.ComStmtPrepare:
		return false, p.Play(Send(Plain(wire.PrepareOK{ID: 1})))
	case command == wire.ComStatistics:
		return false, p.Play(Send(Plain(wire.Bytes("Uptime: 1"))))
	case command == wire.ComQuery && bytes.HasPrefix(body, []byte("SELECT ")):
		value := string(body[len("SELECT "):])
		return false, p.Play(Send(Result(wire.StatusAutocommit, []string{value}, []string{value})...))
	default:
		return false, p.Play(Send(OK(wire.OK{Status: wire.StatusAutocommit})))
	}
}
