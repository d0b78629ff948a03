package arch

// A rule is one law of the house.
type rule struct {
	name string // as printed in findings, and the folder of its fixtures under testdata/
	law  string // one sentence
	find func(*repo) []finding
}

// rules lists every law, from the shape of the house to the manners in it.
var rules = []rule{
	{"rooms", "every package is in a room that ARCHITECTURE.md draws, and every drawn room is there", findRooms},
	{"layers", "a room imports only the rooms below it", findLayers},
	{"libraries", "a room imports only the outside libraries ARCHITECTURE.md gives it", findLibraries},
	{"packages", "a package has a telling name and exactly one package comment", findPackages},
	{"calls", "library code neither prints, nor exits, nor reads the environment, nor begins by itself", findCalls},
	{"shape", "functions and files stay short enough to read", findShape},
	{"tests", "a test can fail, and a skip says why", findTests},
	{"links", "links in documents resolve, and every document can be reached from README.md", findLinks},
	{"commands", "commands and flags in documents exist", findCommands},
	{"pages", "texts of the binary name commands, and no files of the repository", findPages},
	{"names", "files and identifiers that documents name exist", findNames},
	{"places", "what ARCHITECTURE.md says of where changes go is there, in the folders that it names", findPlaces},
	{"words", "one word has one meaning, as docs/words.md says", findWords},
	{"decisions", "decisions are numbered without gaps and say why not", findDecisions},
	{"traces", "no file carries traces of the machine it was written on, or of work left undone", findTraces},
}
