// Package schemetest is the suite that every scheme passes: Sealer for sealed
// forms, Tokenizer for layers. It holds a scheme to what package scheme
// promises of it, whatever its algorithm; a scheme's own tests compare it with
// the published vectors of its standard and with a second implementation.
package schemetest
