package tpcc

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// random draws what the specification draws (clauses 2.1.5, 2.1.6 and 4.3.2), all of
// it from one seed.
type random struct {
	*rand.Rand
	now time.Time
}

// newRandom gives each stream of a seed its own numbers.
func newRandom(seed, stream uint64) *random {
	return &random{rand.New(rand.NewPCG(seed, stream)), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
}

// between draws from both ends and what lies between them.
func (r *random) between(low, high int) int { return low + r.IntN(high-low+1) }

// percent is true that often.
func (r *random) percent(p int) bool { return r.between(1, 100) <= p }

// tick is a clock that moves a second whenever it is read, so that times do not
// depend on how fast a database is.
func (r *random) tick() string {
	r.now = r.now.Add(time.Second)
	return r.now.Format(time.DateTime)
}

// The constants C of NURand (clause 2.1.6.1). The one of the run differs from the
// one of the load by 65 to 119, and neither 96 nor 112.
const (
	nurandCustomer = 259
	nurandItem     = 7911
	nurandLoadName = 157
	nurandRunName  = 223
)

// nurand draws with a bias towards some of the numbers, which is what makes
// customers and items hot.
func (r *random) nurand(a, c, low, high int) int {
	return ((r.between(0, a)|r.between(low, high))+c)%(high-low+1) + low
}

func (r *random) customer(s Scale) int { return r.nurand(1023, nurandCustomer, 1, s.Customers) }
func (r *random) item(s Scale) int     { return r.nurand(8191, nurandItem, 1, s.Items) }

// names is how many last names there are: fewer than 1,000 where there are fewer
// customers, so that every name that is asked for exists.
func names(s Scale) int { return min(1000, s.Customers) }

func (r *random) lastName(s Scale, c int) string { return lastName(r.nurand(255, c, 0, names(s)-1)) }

var syllables = []string{"BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"}

// lastName is three syllables, one for each digit (clause 4.3.2.3).
func lastName(number int) string {
	return syllables[number/100%10] + syllables[number/10%10] + syllables[number%10]
}

const (
	letters      = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alphanumeric = letters + "abcdefghijklmnopqrstuvwxyz0123456789"
	digits       = "0123456789"
)

func (r *random) text(alphabet string, low, high int) string {
	var b strings.Builder
	for range r.between(low, high) {
		b.WriteByte(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

// data is text that holds the word ORIGINAL in a tenth of the rows (clauses 4.3.3.1
// and 2.4.2.2).
func (r *random) data() string {
	text := r.text(alphanumeric, 26, 50)
	if !r.percent(10) {
		return text
	}
	at := r.IntN(len(text) - len("ORIGINAL") + 1)
	return text[:at] + "ORIGINAL" + text[at+len("ORIGINAL"):]
}

func (r *random) zip() string { return r.text(digits, 4, 4) + "11111" }

// rate is a tax or a discount, up to most ten-thousandths.
func (r *random) rate(most int) string { return decimal(r.between(0, most), 4) }

// decimal writes units of 10 to the minus scale.
func decimal(units, scale int) string {
	sign := ""
	if units < 0 {
		sign, units = "-", -units
	}
	text := fmt.Sprintf("%0*d", scale+1, units)
	return sign + text[:len(text)-scale] + "." + text[len(text)-scale:]
}
