// Package fingerprint turns the text of a query into its template in one pass over its bytes: literals become
// marks, and lists that differ only in their length are written once, so that a million statements of one
// application are a few hundred templates. Every query pays for this; nothing is allocated.
//
//	text ──► Fingerprinter ──► Fingerprint: template, hash, is it clean
//	                      └──► Literals: where in the text the template's marks are
//
// [Literals] are recorded only where somebody asks for them. Each [Literal] has a [Place] in the template; a [Walk]
// goes through those of one statement, and [Literal.AppendValue] reads the value.
//
// The package stands on package lex alone. It knows no statements: a text of several is one template, and what it
// means is asked elsewhere. Two texts with one template have one meaning but for their literals, and what a
// template drops is never more than that. Where this is not certain the text is not clean, and has no template.
package fingerprint
