package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tunic/internal/audit"
	"tunic/internal/catalog"
)

// decide finds what needs a decision, in the order of kinds, and sets those aside that are accepted.
func (r *Report) decide(accepted Accept) {
	var all []Decision
	note := func(kind Kind, object, what, fix string) {
		all = append(all, Decision{Kind: kind, Object: object, What: what, Fix: fix})
	}
	for i := range r.Tables {
		t := &r.Tables[i]
		t.decide(note)
		for j := range t.Columns {
			t.Columns[j].decide(t.FullName(), note)
		}
	}
	for _, name := range r.Strangers {
		note(Stranger, name, "has tunic's mark, and is not in the catalog: it was put back, copied or renamed at the server", "give it its name back, or drop it")
	}
	for i := range r.Jobs {
		if j := &r.Jobs[i]; j.State == catalog.JobFailed.String() || j.State == catalog.JobPaused.String() {
			note(Stopped, j.Object, "job "+strconv.FormatUint(j.ID, 10)+", "+j.Kind+", is "+j.State, "CALL tunic.resume or tunic.cancel of its number")
		}
	}
	for i := range r.Links {
		r.Links[i].decide(note)
	}
	for i := range r.Logs {
		if l := &r.Logs[i]; l.On && l.Literals {
			note(KeepsText, l.Name, "is on, and keeps the literals of statements over plain columns"+in(l.Where), "turn it off, or accept it with who may read it and for how long it is kept")
		}
	}
	slices.SortStableFunc(all, func(a, b Decision) int { return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind) })
	for i := range all {
		if accepted.has(&all[i]) {
			r.Accepted = append(r.Accepted, all[i])
		} else {
			r.Decisions = append(r.Decisions, all[i])
		}
	}
}

func in(where string) string {
	if where == "" {
		return ""
	}
	return ", in " + where
}

// decide is about the table as a whole.
func (t *Table) decide(note func(kind Kind, object, what, fix string)) {
	name := t.FullName()
	for _, p := range t.plain {
		note(Unencrypted, strings.TrimSuffix(name+"."+p.column, "."), p.says, "run tunic "+p.next+" for the table again to finish")
	}
	if t.changed {
		fix := cmp.Or(t.fix, "have whoever changed it around tunic change it back; tunic verify looks at its rows, too")
		note(Changed, name, "is not as the catalog says: "+strings.Join(t.wrong, "; "), fix)
	}
	for _, what := range t.read {
		note(Changed, name, what, audit.ReaderFix)
	}
	if t.changing {
		note(Moving, name, "was being changed, and is not looked at", "make the report again")
	}
	if t.unchecked {
		note(NoCheck, name, audit.UncheckedSays, "ALTER TABLE … FORCE, ALGORITHM=COPY, through tunic, adds it, and keeps writers waiting meanwhile")
	}
	for _, column := range t.leftover {
		note(Leftover, name+"."+column, "is left over from something that was cut off: nobody reads or writes it", "the next change of the table through tunic drops it")
	}
}

// decide is about a column.
func (c *Column) decide(table string, note func(kind Kind, object, what, fix string)) {
	name := table + "." + c.Name
	if c.guarded != "" {
		fix := "run tunic encrypt for the table, or change the policy"
		if c.beside {
			fix = "run tunic decrypt for the table, and then tunic encrypt; or change the policy"
		}
		note(NotPlain, name, "is plain, and "+c.guarded, fix)
	}
	if c.weaker != "" {
		note(Weaker, name, c.weaker, "lower its ceiling by an annotation through tunic, or raise that of the rule")
	}
	for i := range c.Forms {
		f := &c.Forms[i]
		layer := "its layer " + f.words()
		switch {
		case f.Values != nil && f.Values.foreign:
			note(Unopened, name, "a stored value does not open", "run tunic verify for the table; the value has to come from a backup")
		case f.Values != nil && f.Values.Against && !f.decided():
			note(Readable, name, layer+" can be read: "+f.Values.Says, "drop the key or annotation; or name the layer in a rule; or give the reason to CALL tunic.add_layer")
		}
		if f.unasked {
			note(Unasked, name, layer+" is asked for by no rule, annotation, key or job", "CALL tunic.drop_layer, or name it in a rule")
		}
	}
}

// decided reports whether somebody who answers for it has asked for the layer: the operator in a rule, or
// who gave a reason.
func (f *Form) decided() bool {
	return slices.ContainsFunc(f.AskedBy, func(a Asker) bool { return a.By == "rule" || a.By == "job" && a.Reason != "" })
}

// words are the form's, with its grain.
func (f *Form) words() string {
	if f.Grain != "" {
		return f.Form + "/" + f.Grain
	}
	return f.Form
}

// decide is about one side of tunic.
func (l *Link) decide(note func(kind Kind, object, what, fix string)) {
	if l.Safe || l.Local {
		return
	}
	fix := "set --tls required"
	if l.Of == "server" {
		fix = "set --backend-tls verify-full, and --backend-ca"
	}
	note(OpenLink, l.Of, l.Says, fix)
}
