package migrate

import (
	"context"
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
		case p.Hidden(): // see checkSight
		case p.Names(s.Schema, s.Table):
			all = append(all, dropped(p, " names the table", "drop it, and do its work in the application"))
		case p.RunsUnseen():
			all = append(all, dropped(p, " runs text that cannot be seen, and may name the table", "drop it; if nobody has it run text about the table, make it again afterwards"))
		}
	}
	return all, err
}

// dropped is the finding of a program that has to go.
func dropped(p *bystander.Program, does, fix string) Finding {
	return remedied(program, p.Title()+does, fix,
		remedy.Remedy{Remove: []string{"DROP " + strings.ToUpper(p.Kind) + " " + identifier.Quoted(p.Schema) + "." + identifier.Quoted(p.Name)}})
}
