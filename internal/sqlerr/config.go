package sqlerr

// Codes of mistakes in the configuration and in key files, for the command: the
// rooms that find them are not above this one and know no codes.
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
	CodePassphraseNone = startPassphraseNone
	CodePassphraseOdd  = startPassphraseWrong
	CodePassphraseFile = startPassphraseFile
	CodeKeyMade        = startKeyMade
	CodeKeyProject     = startKeyProject
	CodePasswordFile   = startPasswordFile
	CodePasswordMode   = startPasswordMode
)
