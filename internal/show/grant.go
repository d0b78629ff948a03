package show

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
)

// grantRow changes a row of SHOW GRANTS: stored columns that the client knows nothing of
// are left out of lists of columns. A row with nothing else, as a REVOKE leaves one, is none.
//
//	GRANT SELECT (`a`, `a$eq`, `tunic$…`), INSERT ON `s`.`t` TO …
func (a *Answer) grantRow() (keep bool) {
	if len(a.cells) == 0 || a.cells[0].Null {
		return true
	}
	text := a.charset.Decode(a.cells[0].Bytes)
	if changed := withoutLayers(text, a.inquiry.Catalog); changed != text {
		a.cells[0].Bytes = a.charset.Encode(changed)
		return changed != ""
	}
	return true
}

// withoutLayers is a grant without the columns of layers and fences, "" if nothing is left.
func withoutLayers(grant string, known *catalog.Catalog) string {
	const head, on = "GRANT ", " ON "
	at := strings.Index(grant, on)
	if !strings.HasPrefix(grant, head) || at < 0 || !strings.Contains(grant[:at], "(") {
		return grant
	}
	t := grantedOn(grant[at+len(on):], known)
	if t == nil {
		return grant
	}
	var kept []string
	for _, p := range privileges(grant[len(head):at]) {
		name, list, ok := strings.Cut(p, " (")
		if !ok {
			kept = append(kept, p)
			continue
		}
		columns := strings.Split(strings.TrimSuffix(list, ")"), ", ")
		columns = slices.DeleteFunc(columns, func(c string) bool { return isLayer(t, strings.Trim(c, "`\"")) })
		if len(columns) > 0 {
			kept = append(kept, name+" ("+strings.Join(columns, ", ")+")")
		}
	}
	if len(kept) == 0 && !strings.HasSuffix(grant, " WITH GRANT OPTION") {
		return ""
	}
	if len(kept) == 0 {
		kept = []string{"USAGE"}
	}
	return head + strings.Join(kept, ", ") + grant[at:]
}

// privileges are those of a list, each with its columns.
func privileges(list string) (all []string) {
	from, depth := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				all = append(all, strings.TrimSpace(list[from:i]))
				from = i + 1
			}
		}
	}
	return append(all, strings.TrimSpace(list[from:]))
}

// grantedOn is the protected table whose name, with its schema, a text begins with; nil
// for anything else.
func grantedOn(text string, known *catalog.Catalog) *catalog.Table {
	name, _, _ := strings.Cut(text, " TO ")
	for t := range known.Tables() {
		for _, q := range [...]string{"`", `"`, ""} {
			if name == q+t.Schema+q+"."+q+t.Name+q {
				return t
			}
		}
	}
	return nil
}

// isLayer reports whether a stored column is one of a layer or a family, or a fence.
func isLayer(t *catalog.Table, stored string) bool {
	s := t.StoredColumn(stored)
	return catalog.IsFence(stored) || s.Layer != nil || s.Family != nil
}
