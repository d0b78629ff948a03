package catalog

// String is the word for a scheme that clients read.
func (s Scheme) String() string { return schemeWords[s] }

// String is the word for a state that clients read.
func (s State) String() string {
	if s == Absent {
		return "absent"
	}
	return stateWords[s]
}
