package filelog

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzTorn cuts a log off, or changes a byte of it. Then the records before that place are there, or the log is
// refused; a record is missing only at the end.
func FuzzTorn(f *testing.F) {
	f.Add([]byte("abc"), uint(20), byte(0))
	f.Add([]byte("abc"), uint(9), byte(1))
	f.Add([]byte{0, 0, 0, 0, 0}, uint(40), byte(255))
	f.Fuzz(func(t *testing.T, content []byte, at uint, change byte) {
		dir := t.TempDir()
		a := open(t, dir)
		var want [][]byte
		for n := range min(len(content), 5) {
			r := content[:len(content)*n/5]
			add(t, a, "a", uint64(n), string(r))
			want = append(want, r)
		}
		a.Close()
		if len(want) == 0 {
			return
		}
		name := filepath.Join(dir, "a", "log")
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		at %= uint(len(b))
		whole, end := 0, len(magic)
		for whole < len(want) && end+headBytes+len(want[whole]) <= int(at) {
			end += headBytes + len(want[whole])
			whole++
		}
		if change == 0 {
			b = b[:at]
		} else {
			b[at] ^= change
		}
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
		a = open(t, dir)
		var list [][]byte
		err = a.Read(ctx, "a", 0, func(_ uint64, b []byte) error {
			list = append(list, b)
			return nil
		})
		if err != nil { // refused
			if int(at) >= len(magic) && (change == 0 || whole >= len(want)-1) {
				t.Fatalf("changed at %d by %d, after %d records: %v", at, change, whole, err)
			}
			return
		}
		if len(list) != whole || change != 0 && whole != len(want)-1 {
			t.Fatalf("changed at %d by %d: %d records, want %d of %d", at, change, len(list), whole, len(want))
		}
		for i := range list {
			if !bytes.Equal(list[i], want[i]) {
				t.Fatalf("record %d is %q, want %q", i+1, list[i], want[i])
			}
		}
		add(t, a, "a", uint64(whole), "and on")
	})
}

// FuzzLog opens any bytes as a log. A log that was opened goes on, and is the same when it is opened again.
func FuzzLog(f *testing.F) {
	f.Add([]byte(magic))
	f.Add([]byte("QLO"))
	f.Add([]byte(magicTrimmed))
	f.Add(append([]byte(magicTrimmed), 0, 0, 0, 0, 0xf2, 0xd4, 0xa5, 0x9b, 1, 0, 0, 0, 0, 0, 0, 0))
	f.Add([]byte{})
	f.Add(append([]byte(magic), 0, 0, 0, 0, 0xf2, 0xd4, 0xa5, 0x9b, 1, 0, 0, 0, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "a"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a", "log"), b, 0o666); err != nil {
			t.Fatal(err)
		}
		a := open(t, dir)
		n := uint64(0)
		if err := a.Read(ctx, "a", 0, func(number uint64, _ []byte) error { n = number; return nil }); err != nil {
			return
		}
		add(t, a, "a", n, "and on")
		a.Close()
		if list := records(t, open(t, dir), "a", n); len(list) != 1 || string(list[0]) != "and on" {
			t.Fatalf("%d records after record %d", len(list), n)
		}
	})
}
