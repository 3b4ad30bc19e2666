//go:build !js

package sandbox

import (
	"fmt"
	"net/http"
	"strings"
)

// ready serves whether the host takes and runs worlds.
func (s *Worlds) ready(w http.ResponseWriter, _ *http.Request) {
	if !s.host.Ready() {
		http.Error(w, "the host has not joined the others, or drains", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}

// metrics serves the counts of the host in the text format of Prometheus. (Its client library has more, and would make
// the program 3 MB larger.)
func (s *Worlds) metrics(w http.ResponseWriter, _ *http.Request) {
	c := s.host.Stats()
	var b strings.Builder
	for _, m := range []struct {
		name, kind, help string
		value            float64
	}{
		{"worlds", "gauge", "Worlds that run on this host.", float64(c.Worlds)},
		{"clients", "gauge", "WebSockets of worlds on this host.", float64(s.connected())},
		{"steps_total", "counter", "Steps of all worlds.", float64(c.Steps)},
		{"step_seconds_total", "counter", "Time of all steps.", c.StepTime.Seconds()},
		{"stalls_total", "counter", "Ticks in which a world stood still for its log.", float64(c.Stalls)},
		{"inputs_total", "counter", "Inputs applied.", float64(c.Inputs)},
		{"records_total", "counter", "Records appended.", float64(c.Records)},
		{"record_seconds_total", "counter", "Time of all appends.", c.RecordTime.Seconds()},
		{"append_retries_total", "counter", "Appends that were repeated.", float64(c.Retries)},
		{"snapshots_total", "counter", "Snapshots written.", float64(c.Snapshots)},
		{"snapshot_bytes_total", "counter", "Bytes of snapshots, before compression.", float64(c.SnapshotBytes)},
		{"takeovers_total", "counter", "Worlds taken over.", float64(c.Takeovers)},
		{"takeover_failures_total", "counter", "Takeovers that failed.", float64(c.Failures)},
		{"worlds_lost_total", "counter", "Worlds that another host took over while they ran here.", float64(c.Lost)},
		{"deposed_total", "counter", "Times that the host was deposed.", float64(c.Deposed)},
	} {
		fmt.Fprintf(&b, "# HELP quarry_%s %s\n# TYPE quarry_%s %s\nquarry_%s %g\n", m.name, m.help, m.name, m.kind,
			m.name,
			m.value)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write([]byte(b.String()))
}

// connected returns the number of WebSockets.
func (s *Worlds) connected() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.here {
		v.clients.mu.Lock()
		n += len(v.clients.list)
		v.clients.mu.Unlock()
	}
	return n
}
