package eval

import (
	"tunic/internal/sqlerr"
)

// refuse is the refusal of something that no list is needed for.
func refuse(operation string) error { return sqlerr.ExpressionRefused(operation, "") }
