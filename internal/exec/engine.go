package exec

import (
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	"tunic/internal/advice"
	"tunic/internal/binding"
	"tunic/internal/budget"
	"tunic/internal/description"
	"tunic/internal/environment"
	"tunic/internal/exec/repeat"
	"tunic/internal/exec/rowcache"
	"tunic/internal/metrics"
	"tunic/internal/recipe"
)

// Options are what all executions of a process stand on.
type Options struct {
	// Forms is the cryptography of a protected column: that of a crypt.Ring.
	Forms binding.FormsOf
	// Describe asks the server for the columns of a statement.
	Describe description.Describer
	// OpenFailures counts stored values that do not open; nil counts nothing.
	OpenFailures *metrics.Counter
	// MovedTokens counts rows that were found by a token, or have one in their key, that is not of their value; nil counts nothing.
	MovedTokens *metrics.Counter
	Log         *slog.Logger
	// Advice counts what statements miss; nil counts nothing.
	Advice *advice.Book
	// Advised counts statements that were told of a layer; nil counts nothing.
	Advised *metrics.Counter
	// Apart says that the server is a node of Galera: it is not to be sent several statements
	// in one text, and may end a transaction while it prepares a statement.
	Apart bool
	// Local bounds what is done locally; zeroes are the defaults.
	Local budget.Budget
	// Memory is that of the process, of which what is kept locally is a part; nil has
	// no bound.
	Memory *budget.Memory
	// RowCacheBytes is the memory for rows that are kept over statements of all sessions; 0 keeps none.
	RowCacheBytes int
	// RowCache counts what comes of them; nil counts nothing.
	RowCache *metrics.RowCache
}

// Engine makes plans ready to be run and keeps what it has made as long as their
// plans live. It is safe for concurrent use.
type Engine struct {
	options Options
	// statements has a *Statement for the weak.Pointer of its *recipe.Run: the planner's
	// cache decides how long a plan is kept, and takes the Statement along.
	statements sync.Map
	zones      environment.Zones
	// reserved is what all statements have reserved of Local.TotalBytes.
	reserved atomic.Int64
	turns    budget.Turns
	// prepared is what sessions have the server prepare for tunic.
	prepared repeat.Room
	cache    rowcache.Cache // of rows, for all sessions
	// forgets says that no row is kept that was locked, for tests.
	forgets bool
	// dictionaries have the show.Dictionary of a version of the server.
	dictionaries sync.Map
}

// New makes an Engine.
func New(o Options) *Engine {
	o.Local = o.Local.WithDefaults()
	if o.RowCache == nil {
		o.RowCache = &metrics.RowCache{}
	}
	e := &Engine{options: o, turns: budget.NewTurns()}
	e.cache.Bytes = o.RowCacheBytes
	return e
}

// Statement is the Statement of a Run. The error is one of keys: the catalog has
// a column that the key tree cannot serve.
func (e *Engine) Statement(run *recipe.Run) (*Statement, error) {
	key := weak.Make(run)
	if st, ok := e.statements.Load(key); ok {
		return st.(*Statement), nil //nolint:forcetypeassert // nothing else is stored
	}
	st, err := e.ready(run)
	if err != nil {
		return nil, err
	}
	if known, there := e.statements.LoadOrStore(key, st); there {
		return known.(*Statement), nil //nolint:forcetypeassert // nothing else is stored
	}
	runtime.AddCleanup(run, func(key weak.Pointer[recipe.Run]) { e.statements.Delete(key) }, key)
	return st, nil
}
