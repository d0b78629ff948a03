package sql

import (
	"tunic/internal/sql/fingerprint"
	"tunic/internal/sql/lex"
	"tunic/internal/sql/outline"
)

// The names under which this package gives out what those below it define.

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

// What the template of a text is, and where in the text its literals are: see package fingerprint.
type (
	// Fingerprinter turns texts into templates, and records their literals.
	Fingerprinter = fingerprint.Fingerprinter
	// Fingerprint is what a Fingerprinter says of a text.
	Fingerprint = fingerprint.Fingerprint
	// Literals are where the literals of a text are.
	Literals = fingerprint.Literals
	// Literal is where one literal is in a text.
	Literal = fingerprint.Literal
	// Place is a template's position of a literal.
	Place = fingerprint.Place
	// Mark is what a template tells of the literal at a place.
	Mark = fingerprint.Mark
	// LiteralKind is how a literal is written.
	LiteralKind = fingerprint.LiteralKind
)

// The marks and kinds of literals.
const (
	MarkExact = fingerprint.MarkExact
	MarkFloat = fingerprint.MarkFloat

	LiteralInvalid   = fingerprint.LiteralInvalid
	LiteralInteger   = fingerprint.LiteralInteger
	LiteralDecimal   = fingerprint.LiteralDecimal
	LiteralFloat     = fingerprint.LiteralFloat
	LiteralString    = fingerprint.LiteralString
	LiteralNational  = fingerprint.LiteralNational
	LiteralHex       = fingerprint.LiteralHex
	LiteralHexNumber = fingerprint.LiteralHexNumber
	LiteralBit       = fingerprint.LiteralBit
	LiteralNull      = fingerprint.LiteralNull
	LiteralTrue      = fingerprint.LiteralTrue
	LiteralFalse     = fingerprint.LiteralFalse
	LiteralDate      = fingerprint.LiteralDate
	LiteralTime      = fingerprint.LiteralTime
	LiteralTimestamp = fingerprint.LiteralTimestamp
)

// NewOutline is what a server may be told of a text that tunic cannot read: see [outline.New].
func NewOutline(text []byte, m Modes, prepared bool) (*outline.Outline, bool) {
	return outline.New(text, m, prepared)
}
