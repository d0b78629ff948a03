package exec

import (
	"bytes"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/description"
	"tunic/internal/dialogue"
	"tunic/internal/show"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// FieldList carries out a COM_FIELD_LIST of a protected table: the server lists the
// stored columns that the client may see, and those that are protected are described
// as the twin's.
func (s *Session) FieldList(t *catalog.Table, payload []byte) error {
	defer s.end()
	s.words.Last = nil
	if err := s.resume(); err != nil {
		return err
	}
	fields, err := show.NewFields(t, s.env.Value.Flavor)
	if err != nil {
		return sqlerr.NotDescribed()
	}
	for i := range t.Columns {
		if err := s.env.Serves(&t.Columns[i].Type); err != nil && t.Columns[i].Protected() {
			return err // its default cannot be shown
		}
	}
	logical, err := description.OfTwin(s.engine.options.Describe, t, s.env.DescribeAs())
	if err != nil {
		return err
	}
	if err := s.dialogue.Request(payload); err != nil {
		return err
	}
	listed := &fieldsListed{fields: fields, logical: logical, placed: make([][]wire.ColumnDefinition, len(t.Columns)+1)}
	for !s.dialogue.Response.Done() {
		payload, err := s.dialogue.Next()
		if err == nil {
			err = s.passField(listed, payload)
		}
		if err != nil {
			return err
		}
	}
	return s.link.Waiter.Write()
}

// fieldsListed are the columns of a COM_FIELD_LIST under way. The client gets them when all are
// there: the server has them in the order of the stored columns.
type fieldsListed struct {
	fields  *show.Fields
	logical map[string]wire.ColumnDefinition
	placed  [][]wire.ColumnDefinition // by the places of the logical columns; last what is none
}

// passField takes one packet of the answer, and passes all on with the last.
func (s *Session) passField(listed *fieldsListed, payload []byte) error {
	r := s.dialogue.Response
	switch {
	case r.Failed:
		return s.passServerError(payload)
	case r.Done():
		s.passFields(listed.placed)
		return nil
	}
	fields, logical := listed.fields, listed.logical
	c, err := wire.DecodeColumn(bytes.Clone(payload), s.link.Server.Capabilities)
	if err != nil {
		return &dialogue.BrokenError{Err: err}
	}
	name := resultsCharset{&s.env}.Decode(c.Name)
	if fields.Layer(name) {
		return nil
	}
	if column := fields.Protected(name); column != nil {
		c = logical[strings.ToLower(name)]
		c.Default = []byte{0xfb} // NULL
		if canonical, ok := fields.Default(column); ok {
			c.Default = s.fieldDefault(&column.Type, canonical)
		}
		if c.Charset != description.BinaryCollation && s.env.Results != nil {
			c.Charset = s.env.ResultsID
		}
	}
	at := fields.Place(name)
	listed.placed[at] = append(listed.placed[at], c)
	return nil
}

// passFields passes on the columns, and the end of the answer.
func (s *Session) passFields(placed [][]wire.ColumnDefinition) {
	r, client := s.dialogue.Response, s.link.Client
	for _, columns := range placed {
		for i := range columns {
			client.ClosePacket(columns[i].AppendColumn(client.OpenPacket(), s.link.Caps))
		}
	}
	if s.link.Caps.Has(wire.ClientDeprecateEOF) {
		out := client.OpenPacket()
		client.ClosePacket(wire.OK{EndOfRows: true, Status: r.Status, Warnings: r.Warnings}.AppendOK(out, s.link.Caps))
		return
	}
	client.WriteEOF(wire.EOF{Warnings: r.Warnings, Status: r.Status})
}

// fieldDefault is a default as COM_FIELD_LIST sends it, in the character set of
// results.
func (s *Session) fieldDefault(t *value.Type, canonical []byte) []byte {
	text := value.AppendText(nil, t, canonical, &s.env.Value)
	if from, err := s.env.ConvertsFrom(t); err == nil && from != nil {
		text, _ = charset.Convert(nil, s.env.Results, from, text)
	}
	return wire.AppendLenencBytes(nil, text)
}
