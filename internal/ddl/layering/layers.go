package layering

import (
	"tunic/internal/crypt"
	"tunic/internal/ddl/upkeep"
)

// Layers are the layers of stored tables.
type Layers struct {
	Tables *upkeep.Tables
	// Seals count what is sealed when rows are backfilled; nil is for nobody to see.
	Seals *crypt.Seals
}
