package sandbox

// Keys is not available in wasm, which has no network server.
type Keys struct{}
