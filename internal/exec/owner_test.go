package exec

import (
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/show"
	"tunic/internal/sqlerr"
)

// owner is a session that knows of nothing, but whether LOCK TABLES holds tables.
type owner struct{ spy *spy }

func (owner) Read([]string) ([]binding.Variable, error) {
	return nil, sqlerr.StatementRefused("a user variable on protected data")
}

func (o owner) Tell(expressions []string) ([]binding.Variable, error) { return o.Read(expressions) }
func (owner) Bound(string)                                            {}
func (owner) Catalog() *catalog.Catalog                               { return nil }
func (owner) Told() *catalog.Catalog                                  { return nil }
func (owner) PlainOnly() bool                                         { return false }
func (owner) Own() show.OwnRows                                       { return nil }
func (owner) Fence(*catalog.Table) (string, error)                    { return "", nil }
func (owner) Schema() string                                          { return "" }
func (o owner) NamesOnce() bool                                       { return o.Locked() }
func (o owner) Locked() bool                                          { return o.spy != nil && o.spy.locked }
func (owner) Leaving() bool                                           { return false }

func (owner) File([]byte) (more func() ([]byte, error), err error) {
	return nil, sqlerr.StatementRefused("a file of the client's")
}
