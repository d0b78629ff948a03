package sql

// String is the text with the names of bind variables in its holes and elements
// written once: for tests, and to show a plan.
func (p *Printed) String() string {
	out, _ := p.Fill(nil, func(int) int { return 1 }, func(dst []byte, h Hole, _ int) ([]byte, error) {
		return append(append(dst, ':'), h.String()...), nil
	})
	return string(out)
}

// String is the name of the bind variable in the hole, where its group is of
// items; that of a slot does not tell the group.
func (h Hole) String() string {
	switch h.Kind {
	case HoleParam:
		return hole{what: 'v', n: h.Number}.name()
	case HoleSlot:
		return hole{what: 's', n: h.Number, group: -1}.name()
	case HolePlace, holeNone:
	}
	return hole{what: 'p', n: h.Place.Cell, group: h.Place.Group}.name()
}
