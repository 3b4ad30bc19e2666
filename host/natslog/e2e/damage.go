package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// tear cuts some bytes off the newest file of records of each stream of a server that does not run, as after a loss of
// power.
func tear(dir string) {
	files := map[string]string{}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".blk" && filepath.Base(filepath.Dir(path)) == "msgs" {
			files[filepath.Dir(path)] = path // the names grow
		}
		return nil
	})
	if len(files) == 0 {
		panic("the server has no records in " + dir)
	}
	for _, path := range files {
		if i, err := os.Stat(path); err == nil && i.Size() > 100 {
			_ = os.Truncate(path, i.Size()-13)
		}
	}
}

// diskBytes is the size of the disk of a server of which the disk becomes full.
const diskBytes = 96 << 20

// mount gives each server a small disk of its own.
func (c *cluster) mount() error {
	for i := range c.nodes {
		if err := os.Mkdir(c.disk(i), 0o777); err != nil {
			return err
		}
		if err := mountMemory(c.disk(i), diskBytes); err != nil {
			return err
		}
	}
	return nil
}

// fill fills the disk of a server up, and returns a function that makes room again.
func (c *cluster) fill(i int) (empty func()) {
	name := filepath.Join(c.disk(i), "filler")
	f, err := os.Create(name)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			panic(err)
		}
	}
	return func() { _ = os.Remove(name) }
}
