package explanation

import "tunic/internal/recipe"

// mixed tells of joins that the server cannot do, as one of the two columns is plain.
func mixed(run *recipe.Run) (all []string) {
	if run.Tree == nil {
		return nil
	}
	for _, m := range run.Tree.Mixed {
		all = append(all, m.Protected.String()+" plain, as "+m.Plain.String()+" is (COMMENT 'tunic: plain', or a foreign key to it): the server would find rows by the two, "+
			"and learn the values of "+m.Protected.String())
	}
	return all
}
