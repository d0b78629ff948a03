package plan

import (
	"unsafe"

	"tunic/internal/sql"
)

// size is about how much memory the plan takes, in bytes.
func (p *Plan) size() int64 {
	n := int64(unsafe.Sizeof(*p)) + int64(cap(p.Statements))*int64(unsafe.Sizeof(Statement{}))
	switch a := p.Action.(type) {
	case *Execute:
		n += int64(unsafe.Sizeof(*a)) + a.Run.Size()
	case *Forward:
		n += a.size()
	case *Explain:
		n += int64(unsafe.Sizeof(*a)) + a.Explained.Size()
	}
	for i := range p.Statements {
		n += effectsSize(&p.Statements[i].Effects)
	}
	return n
}

func (a *Forward) size() int64 {
	n := int64(unsafe.Sizeof(*a))
	if a.Own != nil {
		n += a.Own.size()
	}
	for _, names := range [][]string{a.Variables.Names, a.Words} {
		for _, name := range names {
			n += int64(unsafe.Sizeof(name)) + int64(len(name))
		}
	}
	return n
}

func effectsSize(e *sql.Effects) int64 {
	n := len(e.Schema) + len(e.Charset.Charset) + len(e.Charset.Collation) + len(e.Prepared) + len(e.Savepoint)
	for _, a := range e.Assignments {
		n += int(unsafe.Sizeof(a)) + len(a.Name) + len(a.Value)
	}
	for _, v := range e.UserVariables {
		n += int(unsafe.Sizeof(v)) + len(v)
	}
	for _, names := range [][]sql.TableName{e.TemporaryCreated, e.TemporaryDropped, e.MaybeDropped} {
		for _, t := range names {
			n += int(unsafe.Sizeof(t)) + len(t.Schema) + len(t.Name)
		}
	}
	return int64(n)
}
