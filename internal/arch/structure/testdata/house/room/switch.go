package room

func toggled(on bool) bool { return !on }

func pressed() bool {
	var l lamp
	l.press()
	return l.lit()
}
