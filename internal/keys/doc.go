// Package keys holds the key tree: where every key comes from.
//
//	key file ──► KEK ──wraps──► master keys ──HKDF──► derived keys
//	(kept by     (in memory)    (wrapped, in the      (in memory, made
//	 a person)                   catalog)              when needed)
//
// The KEK is the only key that is kept outside of the database, in a key file
// ([Create], [Load]) or wherever a [Provider] finds it. It wraps master keys and
// does nothing else, so it can be replaced without touching data: unwrap each
// master key with the old one, wrap it with the new ([Rewrap]).
//
// A [Master] is 256 random bits of one project. Its wrapped form is public: the
// catalog keeps it beside the data. A [Tree] is the master keys of a project;
// [Tree.Derive] computes from them the key for one purpose, domain and epoch,
// by HKDF-SHA256 (RFC 5869) over an encoding in which no two derivations are
// alike. Nothing here caches: a derivation costs about two microseconds, and
// whoever uses a key many times (the room crypt) keeps the cipher made of it.
//
// Master keys are rotated by epoch: the version of a master key is the first
// epoch it serves, up to the version of the next. So the epoch that a sealed
// form carries names the master key too, every process agrees on it without
// asking, and the version is authenticated with the key.
//
// All AEAD is AES-256-GCM (SP 800-38D) with random nonces of 96 bits. The
// project's own forms are tables in comments: the key file in file.go, the
// wrapped master key in master.go, the derivation in derivation.go. docs/keys.md
// says the same to operators.
//
// No error of this package holds a key or a passphrase.
package keys
