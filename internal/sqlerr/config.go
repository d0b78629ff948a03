package sqlerr

// Codes of mistakes in the configuration, for the command: the room that finds
// them is below this one and knows no codes.
const (
	CodeUsage          = startUsage
	CodeUnknownSetting = startUnknown
	CodeBadValue       = startValue
	CodeMissing        = startMissing
	CodeConfigFile     = startFile
	CodeConflict       = startConflict
	CodeUnprotected    = startProtect
	CodeKeyFile        = startKeyFile
	CodeKeyMode        = startKeyMode
	CodePasswordFile   = startPasswordFile
	CodePasswordMode   = startPasswordMode
)
