package keys

import (
	"context"

	"tunic/internal/secret"
)

// Provider is where the KEK comes from: a key file, or a key management
// service. It is asked once, when a process starts; a service that is away
// later stops nothing.
type Provider interface {
	// KEK fetches the key. The caller wipes it.
	KEK(ctx context.Context) (*KEK, error)
}

// File is the Provider of a key file.
type File struct {
	Path string
	// Passphrase is nil for a file that is not wrapped.
	Passphrase *secret.Bytes
}

// KEK is [Load]; it does not wait, so it does not look at the context.
func (f File) KEK(context.Context) (*KEK, error) { return Load(f.Path, f.Passphrase) }
