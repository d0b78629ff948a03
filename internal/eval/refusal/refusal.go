package refusal

import (
	"tunic/internal/sqlerr"
)

// Of is the refusal of something that no list is needed for.
func Of(operation string) error { return sqlerr.ExpressionRefused(operation, "") }
