package ddl

import (
	"strings"
	"testing"

	"tunic/internal/ddl/turn"
	"tunic/internal/value"
)

// TestRoutinesOfTheClient: that a routine is not there is refused of a definition of the client's, and
// is the server's answer to a statement of tunic's own.
func TestRoutinesOfTheClient(t *testing.T) {
	onServers(t, func(b *bench) {
		const gone = 1305
		if err := b.definer.Upkeep.Turns.Brief(b.t.Context(), "DROP FUNCTION shop.gone", turn.Wait); numberOf(err) != gone || refused(err) {
			b.t.Errorf("a statement of tunic's own: %v, want %d", err, gone)
		}
		if b.flavor != value.MariaDB { // MySQL has no such default
			return
		}
		_, err := b.do("CREATE TABLE x (id INT DEFAULT (gone()), secret VARCHAR(9))")
		if !refused(err) || !strings.Contains(err.Error(), "a stored function or a sequence") {
			b.t.Errorf("a definition of the client's: %v", err)
		}
	})
}
