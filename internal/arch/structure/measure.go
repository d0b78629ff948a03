package structure

// Measure measures the packages that the patterns name, as in `go list`, of the module in dir. used is what they use of
// each other, and hands what their functions hand to others.
func Measure(dir string, patterns ...string) (measured []Package, used Used, hands FieldArguments, err error) {
	all, exports, err := list(dir, patterns)
	if err != nil {
		return nil, nil, nil, err
	}
	used, hands = Used{}, FieldArguments{}
	for _, l := range all {
		if l.DepOnly || len(l.GoFiles) == 0 {
			continue
		}
		c, err := check(l, exports)
		if err != nil {
			return nil, nil, nil, err
		}
		used.note(c)
		hands.note(c)
		measured = append(measured, measure(l, c))
	}
	return measured, used, hands, nil
}
