package account

import (
	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/policy"
)

// Annotations are what the comments of a protected table's columns say to tunic, by the columns' names.
// They are what the definition in the catalog has; a comment that says nothing is left out.
func Annotations(t *catalog.Table) map[string]policy.Note {
	s, err := showcreate.Read(t.Definition)
	if err != nil {
		return nil
	}
	said := map[string]policy.Note{}
	for i := range s.Columns {
		text := s.Columns[i].Text
		at := showcreate.PartsOf(text).Comment
		if note, annotated, err := policy.Annotation(showcreate.UnquoteString(text[at.From:at.To])); annotated && err == nil {
			said[s.Columns[i].Name] = note
		}
	}
	return said
}
