package migrate

import (
	"context"

	"tunic/internal/ddl/remedy"
)

// checkWords is about keys beside which no server makes a table anew while clients write.
func checkWords(ctx context.Context, s *subject) (all []Finding, err error) {
	names, err := s.strings(ctx, "SELECT DISTINCT INDEX_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?"+
		" AND INDEX_TYPE IN ('FULLTEXT', 'SPATIAL')", s.Schema, s.Table)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	plain, err := s.shown(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if containsFold(s.keyless, name) { // then there is nothing to be made anew beside
			continue
		}
		all = append(all, Finding{
			What:   "beside key " + name + " the server makes the table anew by a copy in the last step: who writes to the table waits for that long",
			Fix:    "begin when that may be, or drop the key before and make it again behind",
			Remedy: plain.WithoutKey(name),
		})
	}
	return all, nil
}

// withoutWords drops the keys of words over a column that is to be protected, each once. They do not come back: no
// such key is over a layer.
func (s *subject) withoutWords(plain *remedy.PlainTable, column string) (r remedy.Remedy) {
	for _, name := range plain.WordKeys(column) {
		if !containsFold(s.keyless, name) {
			s.keyless = append(s.keyless, name)
			r.Remove = append(r.Remove, plain.WithoutKey(name).Remove...)
		}
	}
	return r
}
