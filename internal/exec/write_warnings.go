package exec

import (
	"bytes"
	"slices"
	"strconv"

	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// Of a condition, or of a value that INSERT … SELECT takes, the server warns where it reads the rows
// for tunic. A plain server finds the same within the statement that writes: in strict mode that is
// what the statement fails with (MySQL manual, "Server SQL Modes"; MariaDB documentation, "SQL Mode"),
// and else the client is warned of it.

// strictErrors are what fails a statement that writes in MySQL's strict mode. MariaDB's has every
// warning fail it, unless all rows are found before the first is written.
var strictErrors = []uint16{
	1048, 1260, 1261, 1262, 1263, 1264, 1265, 1292, 1301, 1364, 1365, 1366, 1369, 1406, 1411, 1423, 1441, 3020,
}

// takeWarnings asks for what the server has to warn of the rows that were read, of which it has counted so
// many, and fails where a plain server would not have written any.
func (w *writer) takeWarnings(warnings uint16) error {
	var failed *sqlerr.Error
	err := w.eachWarning(warnings, func(payload []byte) error {
		n, err := decodeNotice(payload)
		if err != nil || failed != nil {
			return err
		}
		n.Message = translation.Message(&w.st.Statement, n.Code, n.Message)
		if w.failsOf(&n) {
			failed = binding.ServerError(w.session.env.Value.Flavor, n.Code, string(n.Message))
			return nil
		}
		notices := &w.session.binder.Notices
		notices.Add(n.Level, n.Code, bytes.Clone(n.Message))
		notices.HaveHeard()
		w.warningsTaken++
		return nil
	})
	if err == nil && failed != nil {
		return failed
	}
	return err
}

// eachWarning asks for the rows of SHOW WARNINGS about the last command, of which the server has counted so
// many: for none it is not asked. The next command drops them.
func (w *writer) eachWarning(warnings uint16, row func(payload []byte) error) error {
	if warnings == 0 {
		return nil
	}
	w.PushText(dialogue.TextWarnings)
	if err := w.Send(); err != nil {
		return err
	}
	return w.Follow(func(_ int, payload []byte) error { return row(payload) }, func(_ int, r dialogue.Reply) error {
		if r.Failed != nil {
			return translation.Error(&w.st.Statement, r.Failed)
		}
		return nil
	})
}

// failsOf reports whether the client's statement fails of a warning.
func (w *writer) failsOf(n *binding.Notice) bool {
	env, of := &w.session.env.Value, &w.of.Run
	if n.Level != value.Warning || of.Ignore || env.Mode&(value.StrictTransTables|value.StrictAllTables) == 0 {
		return false
	}
	if env.Flavor == value.MariaDB {
		rewrite := of.Rewrite()
		return of.Kind != sql.Delete && (rewrite == nil || !rewrite.FindsFirst)
	}
	return slices.Contains(strictErrors, n.Code)
}

// decodeNotice reads a row of SHOW WARNINGS. Its message is the payload's.
func decodeNotice(payload []byte) (n binding.Notice, err error) {
	cells, err := wire.DecodeTextRow(nil, payload, len("lcm"))
	if err != nil {
		return n, &dialogue.BrokenError{Err: err}
	}
	code, err := strconv.ParseUint(string(cells[1].Bytes), 10, 16)
	if err != nil {
		return n, &dialogue.BrokenError{Err: wire.ErrMalformed}
	}
	level := value.Warning
	switch string(cells[0].Bytes) {
	case value.Note.String():
		level = value.Note
	case value.Error.String():
		level = value.Error
	}
	return binding.Notice{Level: level, Code: uint16(code), Message: cells[2].Bytes}, nil
}
