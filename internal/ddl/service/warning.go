package service

import (
	"tunic/internal/value"
)

// Warning is a line of SHOW WARNINGS.
type Warning struct {
	Level   value.Level
	Number  uint16
	Message string
}
