package session

import (
	"tunic/internal/catalog"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
)

// told is a question with the catalog that its answer is to agree with: temporary
// tables, which the session's own has too, are not in information_schema, and a table
// that one hides is.
func (s *Session) told(q *plan.Inquiry) *plan.Inquiry {
	if q.Table != nil {
		return q
	}
	known := *q
	known.Catalog = s.shared.Ledger.Catalog()
	return &known
}

// fieldsOf is the protected table that COM_FIELD_LIST asks about, nil if it is none
// or its name cannot be read with certainty.
func (s *Session) fieldsOf(name []byte) *catalog.Table {
	if s.shared.Ledger == nil || !plan.NamesAlike(name) {
		return nil
	}
	return s.attempt.Catalog().Table(s.schema(), string(name))
}

// listFields executes a COM_FIELD_LIST of a protected table.
func (s *Session) listFields(t *catalog.Table, payload []byte) error {
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	tables := []*catalog.Table{t}
	s.attempt.CatchUpToTell(tables)
	if err := s.attempt.EnterToTell(tables); err != nil {
		return s.tellFailed(err)
	}
	defer s.attempt.Leave()
	if !s.attempt.Knows(tables) {
		return s.fail(sqlerr.NotDescribed()) // defined anew meanwhile
	}
	return s.executeWith(nil, func(x *exec.Session) error { return x.FieldList(t, payload) })
}
