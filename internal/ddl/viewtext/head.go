package viewtext

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
)

// ViewHead is what SHOW CREATE VIEW says before the query of a view; compact says that
// names in the schema of the view are shown without it.
func ViewHead(shown string, v *catalog.Table) (head string, compact, ok bool) {
	for _, quote := range [...]string{"`", `"`} {
		name := quote + strings.ReplaceAll(v.Name, quote, quote+quote) + quote
		at := strings.Index(shown, " VIEW ")
		if at < 0 {
			return "", false, false
		}
		rest := shown[at+len(" VIEW "):]
		if compact = strings.HasPrefix(rest, name); !compact {
			if dot := strings.Index(rest, "."+name); dot < 0 || strings.Contains(rest[:dot], " ") {
				continue
			}
		}
		as := strings.Index(rest, " AS ")
		if as < 0 {
			return "", false, false
		}
		head = shown[:at+len(" VIEW ")+as+len(" AS ")]
		return strings.Replace(head, ","+quote+ledger.ViewMark(v)+quote, "", 1), compact && allWithin(v), true
	}
	return "", false, false
}

// WithoutSchema is a view's query with names in the view's schema alone.
func WithoutSchema(query string, v *catalog.Table) string {
	all := showcreate.Tokens(query)
	var edits []showcreate.Edit
	for i, t := range all {
		first := i == 0 || !all[i-1].Is(query, ".")
		if first && t.Kind == showcreate.TokenName && identifier.Unquoted(t.Of(query)) == v.Schema && i+2 < len(all) && all[i+1].Is(query, ".") && all[i+2].Kind == showcreate.TokenName {
			edits = append(edits, showcreate.Edit{Span: showcreate.Span{From: t.From, To: all[i+2].From}, Text: ""})
		}
	}
	return showcreate.Edited(query, edits...)
}

// allWithin reports whether all that a view reads is in its own schema.
func allWithin(v *catalog.Table) bool {
	for _, of := range v.View.Over {
		if of.Schema != v.Schema {
			return false
		}
	}
	return true
}
