package room

// entered is whether it is light behind the door.
func entered() bool {
	light := pressed()
	return light
}
