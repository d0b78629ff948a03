package migrate

import (
	"context"

	"tunic/internal/ddl/remedy"
	"tunic/internal/identifier"
)

// checkTriggers is about triggers: one would see, and could write elsewhere, what tunic
// seals, and afterwards only ciphertext.
func checkTriggers(ctx context.Context, s *subject) (all []Finding, err error) {
	names, err := s.strings(ctx, "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = ? AND EVENT_OBJECT_TABLE = ?", s.Schema, s.Table)
	for _, name := range names {
		all = append(all, remedied(trigger, "the table has trigger "+name, "drop the trigger, and do in the application what it does",
			remedy.Remedy{Remove: []string{"DROP TRIGGER " + identifier.Quoted(s.Schema) + "." + identifier.Quoted(name)}}))
	}
	return all, err
}
