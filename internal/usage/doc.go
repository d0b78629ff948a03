// Package usage counts what statements cost, by template: how often they ran, how long
// they took, and where that time went.
//
// Every plan that comes from a template has a [Template]. The path of a query adds to it:
// two atomic adds a statement. One statement in sixteen of a template is also timed by
// phase ([Clock]); that costs a few looks at the clock.
//
// A [Top] knows the templates that have cost most, a fixed number of them. A template that
// it does not know counts for itself as long as its plan lives, and gets into the list when
// it has cost more than the cheapest there. So a flood of texts that never come again
// changes nothing in the list, and a status has what matters in bounded memory.
//
// What is counted by is the fingerprint of a text, which may hold more than a status may
// show: aliases, the values of SET, names in quotes. What is shown is made when somebody
// looks ([Template.Text]): of words only those of the grammar, and the names of tables and
// columns that the catalog has or that the server has accepted.
package usage
