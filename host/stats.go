package host

import (
	"sync/atomic"
	"time"
)

// stats are the counts of a host since its start.
type stats struct {
	steps, stepTime, stalls              atomic.Int64
	inputs, records, recordTime, retries atomic.Int64
	snapshots, snapshotBytes             atomic.Int64
	takeovers, failures, lost, deposed   atomic.Int64
}

// Counts are the counts of a host at a time.
type Counts struct {
	Worlds        int           // that run here
	Steps         int64         // of all worlds
	StepTime      time.Duration // of all steps
	Stalls        int64         // ticks in which a world stood still for a record under way
	Inputs        int64         // applied
	Records       int64         // appended
	RecordTime    time.Duration // of all appends
	Retries       int64         // of appends
	Snapshots     int64         // written
	SnapshotBytes int64
	Takeovers     int64
	Failures      int64 // of takeovers
	Lost          int64 // worlds that another host took over while they ran here
	Deposed       int64 // times that the host was deposed
}

// appended counts an append.
func (s *stats) appended(took time.Duration) {
	s.records.Add(1)
	s.recordTime.Add(int64(took))
}

// Stats returns the counts of the host.
func (h *Host) Stats() Counts {
	h.mu.Lock()
	worlds := len(h.worlds)
	h.mu.Unlock()
	s := &h.stats
	return Counts{
		Worlds: worlds, Steps: s.steps.Load(), StepTime: time.Duration(s.stepTime.Load()), Stalls: s.stalls.Load(),
		Inputs: s.inputs.Load(), Records: s.records.Load(), RecordTime: time.Duration(s.recordTime.Load()),
		Retries: s.retries.Load(), Snapshots: s.snapshots.Load(), SnapshotBytes: s.snapshotBytes.Load(),
		Takeovers: s.takeovers.Load(), Failures: s.failures.Load(), Lost: s.lost.Load(), Deposed: s.deposed.Load(),
	}
}
