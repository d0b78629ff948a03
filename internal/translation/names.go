package translation

import (
	"bytes"
	"slices"
	"strings"

	"tunic/internal/binding"
	"tunic/internal/recipe"
)

// logical is the name of the column whose stored name this is, whatever its case;
// "" if it is none that differs.
func logical(st *binding.Statement, stored string) string {
	for _, c := range st.Columns {
		for i := range c.Layers {
			if strings.EqualFold(c.Layers[i].Stored, stored) {
				return c.Name
			}
		}
	}
	return ""
}

// member is a column of the family whose stored column has this name: the first of them that the statement reads, else the
// first. Where tables have families of one name, it is of the one that the message names. "" if there is no such family.
func member(st *binding.Statement, stored string, message []byte) (column string) {
	for _, t := range st.Run.Tables {
		f := t.StoredColumn(stored).Family
		if f == nil || column != "" && !bytes.Contains(message, []byte("'"+t.Name+"'")) {
			continue
		}
		members := t.Members(f)
		column = t.Columns[members[0]].Name
		if t != st.Run.Table {
			continue
		}
		read := func(c recipe.Fetch) bool { return slices.Contains(members, c.Column) }
		if at := slices.IndexFunc(st.Run.Fetch, read); at >= 0 {
			column = t.Columns[st.Run.Fetch[at].Column].Name
		}
	}
	return column
}
