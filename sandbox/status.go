package sandbox

// status is the JSON of STATUS: the state of the world's time, and of this client, beside the frames.
type status struct {
	// You is the client's id in PEOPLE, and Role its role.
	You  uint64 `json:"you"`
	Role string `json:"role"`
	// Undo and Redo are the numbers of edits that the client can undo and redo.
	Undo int `json:"undo"`
	Redo int `json:"redo"`
	// Drives is the id of the body that the client drives, 0 for none; Walks tells that it is the body of a character.
	Drives uint64 `json:"drives,omitempty"`
	Walks  bool   `json:"walks,omitempty"`
	// From and To are the first and the last step to which "rewind" can go, at intervals of some steps.
	From int `json:"from"`
	To   int `json:"to"`
	// Rate is the speed, 1/16 to 4.
	Rate float64 `json:"rate"`
	// Rest is "rest" if nothing moves, "over" if the scene's edits are over, too, and else "".
	Rest    string `json:"rest,omitempty"`
	Repeats bool   `json:"repeats,omitempty"`
	// Worlds grows with each change of the list of worlds; 0 if none can be kept.
	Worlds int64 `json:"worlds,omitempty"`
}

// statusOf returns the status of a client.
func (s *sim) statusOf(c *client) (st status) {
	st = status{You: uint64(c.player), Role: c.role.String(), Rate: s.owner.Speed(), Repeats: s.owner.Repeats()}
	if s.library != nil {
		st.Worlds = 1 + s.library.rev.Load()
	}
	if s.Stopped() != "" {
		return st
	}
	st.Undo, st.Redo = s.Edits(c.player)
	body, walks := s.Rides(c.player)
	st.Drives, st.Walks = uint64(body), walks
	st.From, st.To = s.reel.span(s.World)
	if s.AtRest() {
		if st.Rest = "rest"; s.Scripted() {
			st.Rest = "over"
		}
	}
	return st
}

// syncStatus appends a STATUS if it differs from the last one, other than by the steps that pass.
func (c *client) syncStatus(s *sim) {
	st := s.statusOf(c)
	soon := func(from, to int) bool { return to >= from && to-from < reelEvery }
	if was := c.status; soon(was.To, st.To) && soon(was.From, st.From) {
		was.From, was.To = st.From, st.To
		if st == was {
			return
		}
	}
	c.status = st
	c.batch.bytes = appendJSON(c.batch.bytes, msgStatus, st)
	c.batch.cut()
}
