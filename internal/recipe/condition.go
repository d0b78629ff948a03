package recipe

// Condition is what is so of an execution in which another Run of the same statement takes the
// place of one.
type Condition uint8

// The conditions.
const (
	// CountsChanged: the client counts the rows that an UPDATE changes (it has no
	// CLIENT_FOUND_ROWS), where Remote would count those that it finds.
	CountsChanged Condition = iota
	// NoToken: a value has none that stands for it in a comparison of Remote, or rows are put
	// together by tokens that are not to be in this session: see Query.HiddenDates and Query.Moments.
	NoToken
	// SecretVariable: a user variable may have a value of a protected column. The server gets none
	// but in slots.
	SecretVariable
	// NamedOnce: a statement is to name no table twice, as LOCK TABLES may have locked it or it may be a temporary one,
	// and as the session may read rows that are not committed.
	NamedOnce
	// Apart: the tables whose rows Remote joins have so many that it is less if each table's rows come by themselves.
	Apart

	conditions // how many there are
)

// ApartMost bounds the rows that come for Apart, of all tables together: the server sends no more of each, and one.
const ApartMost = 1_000_000
