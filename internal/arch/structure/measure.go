package structure

// Measure measures the packages that the patterns name, as in `go list`, of the module in dir. used is what they use of
// each other.
func Measure(dir string, patterns ...string) (measured []Package, used Used, err error) {
	all, exports, err := list(dir, patterns)
	if err != nil {
		return nil, nil, err
	}
	used = Used{}
	for _, l := range all {
		if l.DepOnly || len(l.GoFiles) == 0 {
			continue
		}
		c, err := check(l, exports)
		if err != nil {
			return nil, nil, err
		}
		used.note(c)
		measured = append(measured, measure(l, c))
	}
	return measured, used, nil
}
