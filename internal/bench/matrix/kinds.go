package matrix

// Layers and Encrypt are about what clients meet while something else is done to their
// tables. What is done stands in the place of what is between client and server.
var (
	LayersKind = Kind{
		Name: "layers", Title: "Transactions while layers go up and down",
		About: "The transactions of oltp_read_write through two tunics before one server, quiet and while equality layers come and go, in turns. " +
			"All that is read is compared with what was written.",
	}
	EncryptKind = Kind{
		Name: "encrypt", Title: "Clients of a table that is protected, and made plain again",
		About: "Clients write a table while it is protected and made plain again, and while other tools change it. What they read is compared with what was written, " +
			"and so is the table at the end; the server's files are searched for its values while it is protected.",
	}
)

// BesideKinds are the benchmarks of this sort.
var BesideKinds = []Kind{LayersKind, EncryptKind}

// QuestionKinds are the benchmarks that ask one question after the other, over tables of
// several sizes.
var QuestionKinds = []Kind{
	{
		Name: "ops", Title: "What an operation costs",
		About: "One question of each kind, over tables of several sizes, joins over two with a tenth of the rows each, asked of a plain server and through tunic of protected tables in turns. Every answer is compared, in order where the question has one.",
	},
	{
		Name: "queries-scan", Title: "Queries over whole tables",
		About: "Questions that read whole tables or go by layers, asked of a plain server and through tunic of protected tables in turns. Every answer is compared, in order where the question has one.",
	},
	{
		Name: "tpch", Title: "TPC-H's questions",
		About: "The 22 questions of TPC-H with the values that the specification validates answers by, over tables that are filled as it says, asked of a plain server and through tunic of protected tables in turns. Every answer is compared, in order where the question has one.",
	},
}

// Values is what tunic does with single values, without a server or a client.
var Values = Kind{
	Name: "values", Title: "What a value costs",
	About: "What it takes to seal a value, to open it, and to make its token in each layer that its type can have: tunic's own code, without a server or a client.",
}
