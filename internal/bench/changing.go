package bench

// targetChanging is where layers go up and down beside the transactions.
const targetChanging = "changing"

// layersChanging are the layers that go up and down.
const layersChanging = "equality layers of k and c"
