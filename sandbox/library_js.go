package sandbox

import "sync/atomic"

// library is not there in a page without a server: its Worker keeps the worlds.
type library struct{ rev atomic.Int64 }

func (*library) begin(*client, string, func() error) error { return errNoLibrary }
func (*library) put(string, []byte) error                  { return errNoLibrary }
func (*library) get(string) ([]byte, error)                { return nil, errNoLibrary }
func (*library) remove(string) error                       { return errNoLibrary }
