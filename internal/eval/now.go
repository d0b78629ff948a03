package eval

import (
	"strings"
	"time"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
)

// current compiles NOW and its kin, whose clock stands still for a statement.
func (c *compiler) current(e *ast.CurTimeFuncExpr) (*program.Node, error) {
	name := e.Name.Lowered()
	s, ok := currentShapes[strings.TrimPrefix(name, "utc_")]
	if !ok || e.Fsp < 0 || e.Fsp > 6 {
		return nil, refuse(upper(name)) // SYSDATE is not of the statement
	}
	utc := strings.HasPrefix(name, "utc_")
	if s != class.Date {
		return c.now(upper(name), s, e.Fsp, utc), nil
	}
	return c.now(upper(name), s, 0, utc), nil
}

// currentShapes are the classes of what tells the time, without UTC_ before them.
var currentShapes = map[string]class.Class{
	"now": class.DateTime, "current_timestamp": class.DateTime, "localtime": class.DateTime,
	"localtimestamp": class.DateTime, "timestamp": class.DateTime,
	"curdate": class.Date, "current_date": class.Date, "date": class.Date,
	"curtime": class.Time, "current_time": class.Time, "time": class.Time,
}

func (c *compiler) now(name string, of class.Class, scale int, utc bool) *program.Node {
	slot := c.slot()
	return program.Derive(class.Shape{Class: of, Scale: scale, Coercible: class.CoercibleNumber}, func(r *program.Run) *program.Datum {
		zone, known := time.UTC, true
		if !utc {
			zone, known = r.Zone()
		}
		if !known || r.In.Now.IsZero() {
			return r.Refuse(name)
		}
		k := calendar.ClockOf(r.In.Now.In(zone))
		k.Micro -= k.Micro % calendar.MicroUnits[scale]
		d := &r.Slots[slot]
		switch of {
		case class.Time:
			return d.SetUint(k.PackedTime())
		case class.Date:
			return d.SetUint(k.Packed() >> dayShift << dayShift)
		default:
			return d.SetUint(k.Packed())
		}
	})
}

// compileToday compiles CURDATE and what else the parser takes for a function like
// others.
func compileToday(c *compiler, name string, _ []*program.Node) (*program.Node, error) {
	return c.current(&ast.CurTimeFuncExpr{Name: ast.Identifier(name)})
}
