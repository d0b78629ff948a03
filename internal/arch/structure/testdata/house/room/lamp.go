// Package room has a lamp.
package room

type lamp struct{ on bool }

func (l *lamp) press() { l.on = toggled(l.on) }

func (l lamp) lit() bool { return l.on }
