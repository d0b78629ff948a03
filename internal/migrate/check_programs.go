package migrate

import (
	"context"
	"slices"
	"strings"

	"tunic/internal/ddl/bystander"
	"tunic/internal/ddl/remedy"
	"tunic/internal/identifier"
)

// checkPrograms is about what the server runs by itself: it would read ciphertext, and write
// plaintext. An event that deletes old rows would find all of them old.
func checkPrograms(ctx context.Context, s *subject) (all []Finding, err error) {
	programs, err := bystander.Programs(ctx, s.DB, s.Schema, s.Table, true)
	for i := range programs {
		p := &programs[i]
		switch {
		case p.Hidden():
			all = append(all, Finding{What: "the service account may not read " + p.Title(), Fix: "look whether it names the table"})
		case p.Names(s.Schema, s.Table):
			all = append(all, dropped(p, " names the table", "drop it, and do its work in the application"))
		case p.RunsUnseen():
			all = append(all, dropped(p, " runs text that cannot be seen, and may name the table", "drop it; if nobody has it run text about the table, make it again afterwards"))
		}
	}
	if err != nil {
		return nil, err
	}
	unseen, err := s.unseen(ctx)
	for _, privilege := range unseen {
		all = append(all, Finding{
			What: "the service account has no privilege " + privilege + " on the schema: it does not see the programs that need it",
			Fix:  "GRANT " + privilege + " on the schema to it, or look whether a trigger or an event names the table",
		})
	}
	return all, err
}

// dropped is the finding of a program that has to go.
func dropped(p *bystander.Program, does, fix string) Finding {
	return remedied(program, p.Title()+does, fix,
		remedy.Remedy{Remove: []string{"DROP " + strings.ToUpper(p.Kind) + " " + identifier.Quoted(p.Schema) + "." + identifier.Quoted(p.Name)}})
}

// checkHinderingPrograms is checkPrograms without what is only to be known.
func checkHinderingPrograms(ctx context.Context, s *subject) ([]Finding, error) {
	all, err := checkPrograms(ctx, s)
	return slices.DeleteFunc(all, func(f Finding) bool { return !f.Hinders }), err
}

// unseen are the privileges without which the account does not see programs, and that it has
// not. Those that it has by a role are not known here.
func (s *subject) unseen(ctx context.Context) ([]string, error) {
	return s.strings(ctx, "SELECT p FROM (SELECT 'TRIGGER' AS p UNION ALL SELECT 'EVENT') AS needed"+
		" WHERE p NOT IN (SELECT PRIVILEGE_TYPE FROM information_schema.USER_PRIVILEGES)"+
		" AND p NOT IN (SELECT PRIVILEGE_TYPE FROM information_schema.SCHEMA_PRIVILEGES WHERE ? LIKE TABLE_SCHEMA)", s.Schema)
}
