package decryption

import (
	"tunic/internal/crypt"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// Decryption is what decrypts the tables of a server.
type Decryption struct {
	Tables *upkeep.Tables
	Flavor value.Flavor
	// Policy is the operator's, as it is now.
	Policy func() *policy.Policy
	// Seals count what is sealed; nil is for nobody to see.
	Seals *crypt.Seals
}
