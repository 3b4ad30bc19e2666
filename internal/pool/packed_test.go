package pool_test

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/pool"
)

// one, six, and many have one word, six words and more words than a part of a record.
type (
	one struct{ a, b uint32 }
	six struct {
		a uint64
		b [4]uint64
		c bool
	}
	many [37]uint64
	odd  [3]uint32 // no number of words
)

// TestPacked: a list that is unpacked is the one that was packed, whatever the list held before.
func TestPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]uint64{0, 0, 0, 1, 1 << 63, 1<<64 - 1})
		var room pool.Packing
		checkPacked(t, &room, func() one { return one{uint32(word.Draw(t, "a")), uint32(word.Draw(t, "b"))} })
		checkPacked(t, &room, func() six {
			return six{word.Draw(t, "a"), [4]uint64{word.Draw(t, "b"), 0, 3, word.Draw(t, "c")}, rapid.Bool().Draw(t,
				"d")}
		})
		checkPacked(t, &room, func() (m many) {
			for range rapid.IntRange(0, 4).Draw(t, "words") {
				m[rapid.IntRange(0, len(m)-1).Draw(t, "at")] = word.Draw(t, "word")
			}
			return m
		})
		checkPacked(t, &room, func() odd { return odd{uint32(word.Draw(t, "a"))} })
	})
}

func checkPacked[T comparable](t *rapid.T, room *pool.Packing, draw func() T) {
	var p, q pool.Packed[T]
	var got, space []T
	for range 3 {
		room.Plain = rapid.Bool().Draw(t, "plain")
		list := make([]T, rapid.IntRange(0, 12).Draw(t, "records"))
		for i := range list {
			list[i] = draw()
		}
		p.Pack(room, list)
		if p.Unpack(&got); !slices.Equal(got, list) {
			t.Fatalf("%v, not %v", got, list)
		}
		q.Begin(room, len(list))
		for i := range list {
			*q.Next(room) = list[i]
		}
		if q.End(room); !slices.Equal(q.List(&space), list) {
			t.Fatalf("by Next: %v, not %v", space, list)
		}
	}
}

// TestPackedBytes: a packed list holds the words that change, and a bit for each word.
func TestPackedBytes(t *testing.T) {
	list := make([]many, 1000)
	for i := range list {
		list[i] = many{0: 7, 20: uint64(i), 36: 1}
	}
	var p pool.Packed[many]
	p.Pack(new(pool.Packing), list)
	bytes := func() (n int) {
		for i, v := 0, reflect.ValueOf(p); i < v.NumField(); i++ {
			if f := v.Field(i); f.Kind() == reflect.Slice {
				n += f.Cap() * int(f.Type().Elem().Size())
			}
		}
		return n
	}
	if got, want := bytes(), 8*(2+999)+2*3*1000; got != want {
		t.Errorf("%d bytes, not %d", got, want)
	}
	if p.Pack(&pool.Packing{Plain: true}, list); bytes() != len(list)*int(unsafe.Sizeof(many{})) {
		t.Errorf("a plain list: %d bytes", bytes())
	}
}
