package assess

import (
	"slices"

	"tunic/internal/migrate"
)

// once leaves SQL that several tables need with one of them, so that all of it can be run: what takes something away with the
// first, what brings it back with the last, since it comes back when all of them are protected.
func (a *Assessment) once() {
	remove, restore := map[string]bool{}, map[string]bool{}
	for i := range a.Tables {
		a.Tables[i].without(remove, func(f *migrate.Finding) *[]string { return &f.Remove })
	}
	for i := range slices.Backward(a.Tables) {
		a.Tables[i].without(restore, func(f *migrate.Finding) *[]string { return &f.Restore })
	}
}

// without takes from the findings of a table the SQL that another one has, and adds what is left to that.
func (t *Table) without(others map[string]bool, of func(*migrate.Finding) *[]string) {
	if t.Plan == nil {
		return
	}
	var own []string
	for i := range t.Plan.Findings {
		list := of(&t.Plan.Findings[i])
		*list = slices.DeleteFunc(*list, func(s string) bool { return others[s] })
		own = append(own, *list...)
	}
	for _, s := range own {
		others[s] = true
	}
}
