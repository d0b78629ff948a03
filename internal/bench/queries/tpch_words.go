package queries

import (
	"math/rand/v2"
	"strings"
)

// The words of the specification's columns (4.2.2.13, 4.2.3).
var (
	regions = []string{"AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"}
	// nations have the number of their region.
	nations = []struct {
		name   string
		region int
	}{
		{"ALGERIA", 0},
		{"ARGENTINA", 1},
		{"BRAZIL", 1},
		{"CANADA", 1},
		{"EGYPT", 4},
		{"ETHIOPIA", 0},
		{"FRANCE", 3},
		{"GERMANY", 3},
		{"INDIA", 2},
		{"INDONESIA", 2},
		{"IRAN", 4},
		{"IRAQ", 4},
		{"JAPAN", 2},
		{"JORDAN", 4},
		{"KENYA", 0},
		{"MOROCCO", 0},
		{"MOZAMBIQUE", 0},
		{"PERU", 1},
		{"CHINA", 2},
		{"ROMANIA", 3},
		{"SAUDI ARABIA", 4},
		{"VIETNAM", 2},
		{"RUSSIA", 3},
		{"UNITED KINGDOM", 3},
		{"UNITED STATES", 1},
	}
	segments       = []string{"AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD"}
	sizes          = []string{"STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"}
	finishes       = []string{"ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED"}
	metals         = []string{"TIN", "NICKEL", "BRASS", "STEEL", "COPPER"}
	containerSizes = []string{"SM", "LG", "MED", "JUMBO", "WRAP"}
	containers     = []string{"CASE", "BOX", "BAG", "JAR", "PKG", "PACK", "CAN", "DRUM"}
	priorities     = []string{"1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"}
	instructions   = []string{"DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN"}
	modes          = []string{"REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"}

	colours = strings.Fields(`almond antique aquamarine azure beige bisque black blanched blue blush brown burlywood
		burnished chartreuse chiffon chocolate coral cornflower cornsilk cream cyan dark deep dim dodger drab firebrick
		floral forest frosted gainsboro ghost goldenrod green grey honeydew hot indian ivory khaki lace lavender lawn
		lemon light lime linen magenta maroon medium metallic midnight mint misty moccasin navajo navy olive orange
		orchid pale papaya peach peru pink plum powder puff purple red rose rosy royal saddle salmon sandy seashell
		sienna sky slate smoke snow spring steel tan thistle tomato turquoise violet wheat white yellow`)
)

// The words that comments are made of (4.2.2.14), those first that are the most frequent;
// "_" stands for a space.
var (
	nouns = strings.Fields(`packages requests accounts deposits foxes ideas theodolites pinto_beans instructions
		dependencies excuses platelets asymptotes courts dolphins multipliers sauternes warthogs frets dinos attainments
		somas Tiresias patterns forges braids hockey_players frays warhorses dugouts notornis epitaphs pearls tithes
		waters orbits gifts sheaves depths sentiments decoys realms pains grouches escapades`)
	verbs = strings.Fields(`sleep wake are cajole haggle nag use boost affix detect integrate maintain nod was lose
		sublate solve thrash promise engage hinder print x-ray breach eat grow impress mold poach serve run dazzle
		snooze doze unwind kindle play hang believe doubt`)
	adjectives = strings.Fields(`special pending unusual express furious sly careful blithe quick fluffy slow quiet
		ruthless thin close dogged daring brave stealthy permanent enticing idle busy regular final ironic even bold silent`)
	adverbs = strings.Fields(`sometimes always never furiously slyly carefully blithely quickly fluffily slowly quietly
		ruthlessly thinly closely doggedly daringly bravely stealthily permanently enticingly idly busily regularly
		finally ironically evenly boldly silently`)
	prepositions = strings.Fields(`about above according_to across after against along alongside_of among around at atop
		before behind beneath beside besides between beyond by despite during except for from in_place_of inside
		instead_of into near of on outside over past since through throughout to toward under until up upon without with within`)
	auxiliaries = strings.Fields(`do may might shall will would can could should ought_to must will_have_to shall_have_to
		could_have_to should_have_to must_have_to need_to try_to`)
	ends = strings.Fields(`. ; : ? ! --`)
)

// grammar says what a sentence and its parts are made of: each has alternatives, and of each
// of these a letter is a part: one that has alternatives itself, words, or * for "the".
var grammar = map[rune][]string{
	'S': {"PVt", "PVQt", "PVPt", "PQVPt", "PQVQt"}, // a sentence
	'P': {"n", "jn", "jjn", "djn"},                 // of a noun
	'V': {"v", "xv", "vd", "xvd"},                  // of a verb
	'Q': {"p*P"},                                   // of a preposition
}

var words = map[rune][]string{'n': nouns, 'v': verbs, 'j': adjectives, 'd': adverbs, 'p': prepositions, 'x': auxiliaries, 't': ends}

// text draws sentences, and leaves a piece of them that is at most so long.
func text(random *rand.Rand, least, most int) string {
	var b strings.Builder
	size := least + random.IntN(most-least+1)
	for b.Len() <= size+1 {
		sentence(&b, random, 'S')
	}
	return strings.TrimSpace(b.String()[1 : size+1])
}

// sentence draws a part of one.
func sentence(b *strings.Builder, random *rand.Rand, part rune) {
	if all := words[part]; all != nil {
		if part != 't' {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ReplaceAll(frequent(random, all), "_", " "))
		return
	}
	alternatives := grammar[part]
	for _, next := range alternatives[random.IntN(len(alternatives))] {
		switch next {
		case '*':
			b.WriteString(" the")
		default:
			sentence(b, random, next)
		}
	}
}

// frequent draws a word, the earlier the more often: that of one order in a hundred customers
// say something of special requests.
func frequent(random *rand.Rand, all []string) string {
	u := random.Float64()
	return all[int(u*u*float64(len(all)))]
}
