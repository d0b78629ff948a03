package scheme

// Sealer makes and opens the sealed forms of one key and epoch.
//
// aad is what the form is bound to beside its header, and is not stored: who
// opens it has to say the same. It tells columns apart; a form moved elsewhere does not open. A batch has one aad
// for all its values.
type Sealer interface {
	// Suite and Epoch return what the headers of this sealer's forms say.
	Suite() Suite
	Epoch() uint16

	// SealedSize returns the size of the sealed form of n bytes.
	SealedSize(n int) int

	// AppendSeal appends the sealed form of plaintext. Each call makes
	// another form.
	AppendSeal(dst, aad, plaintext []byte) []byte

	// AppendSealBatch appends the sealed forms of all plaintexts, one after the
	// other; SealedSize tells where each ends.
	AppendSealBatch(dst, aad []byte, plaintexts [][]byte) []byte

	// AppendOpen appends the plaintext of a sealed form, or fails with
	// ErrOpen, ErrForm, ErrSuite or ErrEpoch.
	AppendOpen(dst, aad, sealed []byte) ([]byte, error)

	// AppendOpenBatch appends the plaintexts of all sealed forms, one after the
	// other, or fails with a *BatchError.
	AppendOpenBatch(dst, aad []byte, sealed [][]byte) ([]byte, error)
}

// Tokenizer makes the tokens of one layer: strings of one fixed size that
// compare, byte by byte, as the layer's capability asks. The same value under
// the same key has the same token.
type Tokenizer interface {
	// TokenSize returns the size in bytes of every token.
	TokenSize() int

	// AppendToken appends the token of a value, or fails with ErrValue.
	AppendToken(dst, value []byte) ([]byte, error)

	// AppendTokenBatch appends the tokens of all values, one after the other,
	// or fails with a *BatchError.
	AppendTokenBatch(dst []byte, values [][]byte) ([]byte, error)
}
