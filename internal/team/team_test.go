package team

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// processors gives the test n processors, which the system may run on fewer cores.
func processors(t testing.TB, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// await waits until done holds, and fails the test if it takes too long.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !done(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("waited in vain until ", what)
		}
	}
}

// TestEachIndexOnce: the ranges of a loop cover each index once, begin at multiples of the grain, and no
// two calls with one worker overlap in time, which the race detector sees in the lists of a
// worker.
func TestEachIndexOnce(t *testing.T) {
	processors(t, 4)
	rapid.Check(t, func(t *rapid.T) {
		workers := rapid.IntRange(0, 9).Draw(t, "workers")
		team := New(workers)
		defer team.Close()
		if n := team.Workers(); n != max(1, workers) {
			t.Fatalf("%d workers, want %d", n, workers)
		}
		for range rapid.IntRange(1, 3).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "with helpers") {
				team.Begin()
			}
			for range rapid.IntRange(0, 20).Draw(t, "loops") {
				count := rapid.IntRange(-1, 300).Draw(t, "count")
				grain := rapid.OneOf(rapid.IntRange(1, 12), rapid.IntRange(1, 400), rapid.Just(1<<62)).Draw(t, "grain")
				seen := make([]int, max(0, count))
				of := make([][]int, team.Workers())
				team.Each(count, grain, func(worker, from, to int) {
					of[worker] = append(of[worker], from)
					for i := from; i < to; i++ {
						seen[i]++
					}
					if from%grain != 0 || to != count && to != from+grain {
						t.Errorf("range [%d, %d) of %d by %d", from, to, count, grain)
					}
				})
				for i, n := range seen {
					if n != 1 {
						t.Fatalf("index %d was done %d times", i, n)
					}
				}
			}
			team.End()
		}
	})
}

// TestLateHelpers makes short loops of different ranges: a helper that is late in one of them does
// a range of the next with that one's work.
func TestLateHelpers(t *testing.T) {
	processors(t, 4)
	team := New(4)
	defer team.Close()
	team.Begin()
	defer team.End()
	loops := 20_000
	if testing.Short() {
		loops = 2_000
	}
	for k := range loops {
		count, grain := 2+k%7, 1+k%3
		var sum atomic.Int64
		team.Each(count, grain, func(_, from, to int) { sum.Add(int64(k*1000 + to - from)) })
		if want := int64((count-1)/grain+1)*int64(k)*1000 + int64(count); sum.Load() != want && count > grain {
			t.Fatalf("loop %d: sum %d, want %d", k, sum.Load(), want)
		}
	}
}

// TestHelpersHelp: every worker takes part in a loop of which each range waits for all others.
func TestHelpersHelp(t *testing.T) {
	processors(t, 4)
	team := New(3)
	defer team.Close()
	for range 100 {
		team.Begin()
		var begun atomic.Int32
		team.Each(3, 1, func(int, int, int) {
			begun.Add(1)
			await(t, "three workers have a range", func() bool { return begun.Load() == 3 })
		})
		team.End()
	}
}

// TestAbsentHelpers: a loop does not wait for helpers that never run.
func TestAbsentHelpers(t *testing.T) {
	team := New(3)
	team.crew.started = true // as if the system ran none
	for range 3 {
		team.crew.begin(team.Workers())
		n := 0
		team.Each(100, 7, func(worker, from, to int) {
			n += to - from
			if worker != 0 {
				t.Errorf("worker %d", worker)
			}
		})
		if n != 100 {
			t.Errorf("%d of 100", n)
		}
		team.End()
	}
}

// TestSome: BeginSome wakes no more helpers than asked for, whatever the step before woke, and the caller may be alone.
func TestSome(t *testing.T) {
	team := New(5)
	defer team.Close()
	for _, n := range []int{2, 5, 3, 1, 9, 0, 2} {
		team.BeginSome(n)
		want := max(1, min(n, 5))
		if runtime.GOMAXPROCS(0) == 1 {
			want = 1
		}
		var did [100]atomic.Int32
		var begun atomic.Int32
		team.Each(len(did), 1, func(worker, from, _ int) {
			did[from].Add(1)
			if worker >= want {
				t.Errorf("worker %d of %d", worker, want)
			}
			if begun.Add(1) <= int32(want) { // all that were woken take part
				await(t, "all workers have a range", func() bool { return begun.Load() >= int32(want) })
			}
		})
		for k := range did {
			if did[k].Load() != 1 {
				t.Fatalf("%d workers: range %d was done %d times", n, k, did[k].Load())
			}
		}
		team.End()
	}
}

// TestAlone: the nil Team, the zero Team, a team of one, one outside a step and one that was
// closed have the caller alone, which does the ranges in order.
func TestAlone(t *testing.T) {
	processors(t, 4)
	closed := New(4)
	closed.Begin()
	closed.Close()
	closed.Close()
	closed.Begin()
	outside := New(4)
	defer outside.Close()
	for name, team := range map[string]*Team{
		"nil": nil, "zero": {}, "one": New(1), "closed": closed,
		"outside": outside,
	} {
		if name != "outside" {
			team.Begin()
		}
		next := 0
		team.Each(10, 3, func(worker, from, to int) {
			if worker != 0 || from != next || to != min(10, from+3) {
				t.Errorf("%s: worker %d, [%d, %d)", name, worker, from, to)
			}
			next = to
		})
		if team.End(); next != 10 {
			t.Errorf("%s: %d of 10", name, next)
		}
	}
}

// TestOneProcessor: on one processor no helper starts.
func TestOneProcessor(t *testing.T) {
	processors(t, 1)
	team := New(4)
	team.Begin()
	defer team.End()
	if team.crew.started || team.crew.on {
		t.Error("helpers started")
	}
}

// TestNoAllocations: loops and steps allocate nothing.
func TestNoAllocations(t *testing.T) {
	processors(t, 2)
	team := New(2)
	defer team.Close()
	var sum [2]int
	do := func(worker, from, to int) { sum[worker] += to - from }
	step := func() {
		team.Begin()
		for range 20 {
			team.Each(100, 3, do)
		}
		team.End()
	}
	step()
	// testing.AllocsPerRun runs on one processor. Allocations of the runtime's own threads may
	// come into a count, so the least of some counts.
	least := ^uint64(0)
	for range 10 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 100 {
			step()
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	if least != 0 {
		t.Errorf("%d allocations in 100 steps", least)
	}
	if n := sum[0] + sum[1]; n != 1001*20*100 {
		t.Errorf("%d indices", n)
	}
}

// panicOf returns the value with which f panics.
func panicOf(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// TestPanic: a panic in a helper is one of Each, with its value, and the team goes on.
func TestPanic(t *testing.T) {
	processors(t, 4)
	team := New(4)
	defer team.Close()
	team.Begin()
	defer team.End()
	for range 20 {
		var begun atomic.Int32
		// Each range waits for all, so each worker has one: its own.
		meet := func() {
			begun.Add(1)
			await(t, "four workers have a range", func() bool { return begun.Load() >= 4 })
		}
		failure := errors.New("range 2")
		got := panicOf(func() {
			team.Each(4, 1, func(_, from, _ int) {
				meet()
				switch from {
				case 2:
					panic(failure)
				case 3:
					panic("range 3")
				}
			})
		})
		if got != failure {
			t.Fatalf("panic %v, want the panic of the lowest range", got)
		}
		begun.Store(0)
		got = panicOf(func() {
			team.Each(8, 1, func(_, from, _ int) {
				if meet(); from == 0 || from == 6 {
					panic(from)
				}
			})
		})
		if got != 0 {
			t.Fatalf("panic %v, want the panic of the caller, range 0", got)
		}
		n := new(atomic.Int32)
		team.Each(50, 1, func(int, int, int) { n.Add(1) })
		if n.Load() != 50 {
			t.Fatalf("%d of 50 after panics", n.Load())
		}
	}
}

// TestPanicOfTheLowestRange: whichever worker meets a panic, Each has the one of the lowest range.
func TestPanicOfTheLowestRange(t *testing.T) {
	processors(t, 4)
	rapid.Check(t, func(t *rapid.T) {
		team := New(rapid.IntRange(1, 5).Draw(t, "workers"))
		defer team.Close()
		team.Begin()
		defer team.End()
		count := rapid.IntRange(1, 40).Draw(t, "count")
		bad := rapid.SliceOfN(rapid.IntRange(0, count-1), 1, 4).Draw(t, "bad")
		lowest := bad[0]
		for _, b := range bad {
			lowest = min(lowest, b)
		}
		got := panicOf(func() {
			team.Each(count, 1, func(_, from, _ int) {
				for _, b := range bad {
					if b == from {
						panic(from)
					}
				}
			})
		})
		if got != lowest {
			t.Fatalf("panic %v, want %d", got, lowest)
		}
	})
}

// TestGoexit: a helper that do ends is missed by no loop, and Each panics.
func TestGoexit(t *testing.T) {
	processors(t, 4)
	team := New(2)
	defer team.Close()
	for k := range 3 {
		team.Begin()
		var left atomic.Bool
		got := panicOf(func() {
			team.Each(2, 1, func(worker, _, _ int) {
				if k > 0 {
					return
				}
				if worker == 1 {
					left.Store(true)
					runtime.Goexit()
				}
				await(t, "the helper leaves", left.Load)
			})
		})
		if want := "team: a helper ended within do"; k == 0 && got != want || k > 0 && got != nil {
			t.Errorf("loop %d: panic %v", k, got)
		}
		team.End()
	}
}

// TestNested: Each within Each is refused.
func TestNested(t *testing.T) {
	processors(t, 2)
	team := New(2)
	defer team.Close()
	team.Begin()
	defer team.End()
	got := panicOf(func() {
		team.Each(2, 1, func(int, int, int) { team.Each(2, 1, func(int, int, int) {}) })
	})
	if got != "team: Each within Each" {
		t.Errorf("panic %v", got)
	}
}

// TestGarbage: the helpers of a team that nobody refers to end, also if a step was left by a panic.
func TestGarbage(t *testing.T) {
	processors(t, 4)
	for _, end := range []bool{true, false} {
		crew := func() *crew {
			team := New(4)
			team.Begin()
			// do refers to the team, as a world's loops do.
			team.Each(20, 1, func(int, int, int) { team.Workers() })
			if end {
				team.End()
			}
			return team.crew
		}()
		var ended atomic.Bool
		go func() {
			crew.running.Wait()
			ended.Store(true)
		}()
		await(t, fmt.Sprintf("the helpers end, after End %t", end), func() bool {
			runtime.GC()
			return ended.Load()
		})
	}
}
