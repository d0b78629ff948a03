package sql

import "tunic/internal/sql/lex"

// Modes is what changes the reading of a statement's bytes or the meaning of its operators: see [lex.Modes].
type Modes = lex.Modes

// The flags of [Modes].
const (
	ANSIQuotes         = lex.ANSIQuotes
	NoBackslashEscapes = lex.NoBackslashEscapes
	PipesAsConcat      = lex.PipesAsConcat
	IgnoreSpace        = lex.IgnoreSpace
	HighNotPrecedence  = lex.HighNotPrecedence
	Oracle             = lex.Oracle
	MSSQL              = lex.MSSQL

	MariaDB = lex.MariaDB
	TiDB    = lex.TiDB
)

// TableName is a table as a statement names it.
type TableName = lex.TableName
