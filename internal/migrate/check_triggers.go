package migrate

import "context"

// checkTriggers is about triggers: one would see, and could write elsewhere, what tunic
// seals, and afterwards only ciphertext.
func checkTriggers(ctx context.Context, s *subject) (all []Finding, err error) {
	names, err := s.strings(ctx, "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = ? AND EVENT_OBJECT_TABLE = ?", s.Schema, s.Table)
	for _, name := range names {
		all = append(all, Finding{Hinders: true, What: "the table has trigger " + name, Fix: "drop the trigger, and do in the application what it does"})
	}
	return all, err
}
