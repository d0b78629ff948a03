// Package scheme holds the algorithms behind the stored forms of a value, one
// folder each. It works on bytes: it knows no SQL type, no column and no key
// tree. What is here is what an auditor of the cryptography reads first.
//
// A protected value has one sealed form and any number of layers.
//
//	sealed form   a Sealer makes and opens it      scheme/gcm
//	layer         a Tokenizer makes its tokens     scheme/prp64  equality, 64 bits
//	                                               scheme/cmac   equality, any length
//	                                               scheme/ord1   order
//
// The sealed form is randomised and authenticated, and is the only form that is
// ever opened. A token is deterministic: the server compares tokens byte by
// byte, and they answer for the values.
//
// This package has what the schemes share: suites, the header of a sealed form,
// padding, errors and the two interfaces. A scheme takes its block cipher from
// the suite (NewBlock), so that another suite is a line here and none in a
// caller.
//
// # Manners
//
//   - Results are appended to a slice of the caller's, and nothing else is
//     allocated: reuse the slice. The part of it beyond its length must not
//     overlap the arguments.
//   - On an error the slice comes back as it was given.
//   - Every value made by a constructor may be used by any number of
//     goroutines at once.
//   - Keys are copied into expanded form; the caller may wipe its own copy.
//   - NULL is no value. It has no form; the caller stores NULL.
//   - No error holds a byte of a value, a key or a stored form.
//
// docs/schemes.md has the byte formats, what each scheme shows to the server,
// and its sources; the suite in scheme/schemetest holds all of them to the same
// laws.
package scheme
