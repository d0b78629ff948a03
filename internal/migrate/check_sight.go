package migrate

import (
	"context"

	"tunic/internal/ddl/bystander"
	"tunic/internal/ddl/remedy"
	"tunic/internal/identifier"
)

// checkSight is about programs and views that the service account cannot see: nobody knows whether they name the
// table. They would read ciphertext, and write plaintext.
func checkSight(ctx context.Context, s *subject) (all []Finding, err error) {
	sight, err := bystander.Sees(ctx, s.DB)
	if err != nil {
		return nil, err
	}
	if len(sight.Lacks) > 0 {
		r, err := s.granting(ctx, sight.Lacks...)
		if err != nil {
			return nil, err
		}
		all = append(all, s.unseen(sight.LacksSay(), r))
	}
	for _, v := range sight.Views {
		r, err := s.granting(ctx, "SELECT, SHOW VIEW ON "+identifier.Quoted(v.Schema)+"."+identifier.Quoted(v.Name))
		if err != nil {
			return nil, err
		}
		all = append(all, s.unseen(v.HiddenSays(), r))
	}
	programs, err := bystander.Programs(ctx, s.DB, s.Schema, s.Table, true)
	for i := range programs {
		if p := &programs[i]; p.Hidden() {
			all = append(all, s.unseen(p.HiddenSays(), remedy.Remedy{}))
		}
	}
	return all, err
}

// unseen is a finding of what cannot be seen. It does not hinder who has looked by himself.
func (s *subject) unseen(what string, r remedy.Remedy) Finding {
	if s.IgnoreUnseen {
		return Finding{What: what, Fix: "see that none names the table, as you have said with --ignore-unseen"}
	}
	return remedied(unseen, what, "grant it; or look yourself for what names the table, and then give --ignore-unseen", r)
}
