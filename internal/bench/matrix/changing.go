package matrix

// TargetChanging is where layers go up and down beside the transactions.
const TargetChanging = "changing"

// LayersChanging are the layers that go up and down.
const LayersChanging = "equality layers of k and c"
