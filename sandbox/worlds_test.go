//go:build !js

package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/host/filelog"
	"github.com/quarry2d/quarry/scene"
	"github.com/quarry2d/quarry/store"
)

// fetch returns the status and the body of a page.
func fetch(t *testing.T, url string) (int, []byte) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, b
}

// drop posts files as the page does.
func drop(t *testing.T, url string, list files) (int, string) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, b := range list {
		part, err := form.CreateFormFile("files", name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	form.Close()
	r, err := http.Post(url, form.FormDataContentType(), &body)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, _ := io.ReadAll(r.Body)
	return r.StatusCode, string(text)
}

// testFile reads a file of package tilemap.
func testFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "tilemap", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Worlds are kept under names, listed with pictures, opened again, also by another server, and forgotten.
func TestWorldsUnderNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "worlds")
	c := Config{Scenes: []scene.Scene{pit, bare}, Paused: true, Worlds: dir}
	addr := serve(t, c)
	p := dial(t, addr)
	p.send(`{"do":"erase","cells":[-10,-1,-9,-1]}`)
	p.until("a hole", func() bool { return p.tiles() == 38 && p.status.Worlds == 1 })
	p.send(`{"do":"keep","name":"a hole"}`)
	p.until("the list", func() bool { return p.status.Worlds == 2 })
	_, text := fetch(t, "http://"+addr+"/worlds")
	var list []kept
	if err := json.Unmarshal(text, &list); err != nil || len(list) != 1 || list[0].Name != "a hole" ||
		list[0].Bytes < 1000 {
		t.Fatalf("%s: %v", text, err)
	}
	status, text := fetch(t, "http://"+addr+"/worlds/a%20hole.png")
	if img, err := png.Decode(bytes.NewReader(text)); status != 200 || err != nil ||
		img.Bounds().Dx() != pictureWidth {
		t.Errorf("its picture: %d, %v", status, err)
	}
	for _, path := range []string{"/worlds/x.png", "/worlds/..%2fkeep.png", "/worlds/a%20hole.world"} {
		if status, _ := fetch(t, "http://"+addr+path); status != http.StatusNotFound {
			t.Errorf("%s: status %d", path, status)
		}
	}
	p.send(`{"do":"scene","name":"bare"}`)
	p.until("another scene", func() bool { return p.hello.Scene == "bare" })

	q := dial(t, serve(t, c))
	q.until("the first scene", func() bool { return q.tiles() == 40 })
	q.send(`{"do":"open","name":"a hole"}`)
	q.until("the world", func() bool { return q.hellos == 2 && q.tiles() == 38 })
	for _, m := range []struct{ text, want string }{
		{`{"do":"open","name":"another"}`, `there is no world "another"`},
		{`{"do":"forget","name":"another"}`, `there is no world "another"`},
		{`{"do":"keep","name":"../x"}`, "letters, digits"},
		{`{"do":"keep","name":""}`, "1 to 40"},
		{`{"do":"keep","name":" x"}`, "no space at its ends"},
		{`{"do":"keep","name":"` + strings.Repeat("x", 41) + `"}`, "1 to 40"},
	} {
		q.send(m.text)
		q.until(m.text, q.last(m.want))
	}
	q.send(`{"do":"forget","name":"a hole"}`)
	q.until("the list", func() bool { return q.status.Worlds == 2 })
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files are left", len(left))
	}
}

// A library has a limit, and a sandbox without one says so.
func TestLibraryIsBounded(t *testing.T) {
	shelf := filelog.Shelf(t.TempDir())
	l := &library{shelf: shelf, scenes: []scene.Scene{pit}}
	for i := range maxWorlds {
		if err := os.WriteFile(filepath.Join(string(shelf), fmt.Sprint(i)+worldExtension), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.put("one more", nil); err == nil || !strings.Contains(err.Error(), "100 worlds are kept") {
		t.Error(err)
	}
	if err := l.put("0", []byte("no world")); err == nil {
		t.Error("bytes that are no world are kept")
	}
	if err := l.put("0", make([]byte, maxWorldBytes+1)); err == nil || !strings.Contains(err.Error(), "the limit is") {
		t.Error(err)
	}
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{pit}}))
	p.send(`{"do":"keep","name":"x"}`)
	p.until("a refusal", p.last("keeps no worlds"))
}

// The world comes as a file, and goes back up; reset brings back what the file had.
func TestWorldAsAFile(t *testing.T) {
	addr := serve(t, Config{Scenes: []scene.Scene{pit}, Paused: true})
	p := dial(t, addr)
	p.send(`{"do":"erase","cells":[-10,-1]}`)
	p.until("a hole", func() bool { return p.tiles() == 39 })
	status, b := fetch(t, "http://"+addr+"/world")
	if status != 200 {
		t.Fatal(status, string(b))
	}
	p.send(`{"do":"erase","cells":[-9,-1]}`)
	p.until("another", func() bool { return p.tiles() == 38 })
	if status, text := drop(t, "http://"+addr+"/world", files{"pit.world": b}); status != 200 {
		t.Fatal(status, text)
	}
	p.until("the file's world", func() bool { return p.hellos == 2 && p.tiles() == 39 })
	for _, list := range []files{
		{},
		{"x.txt": b},
		{"x.world": b[:100]},
		{"x.world": b, "y.world": b},
		{"x.db": b},
		{"x.png": b},
		{"x.tmx": []byte("<map")},
	} {
		if status, text := drop(t, "http://"+addr+"/world", list); status != http.StatusBadRequest || text == "" {
			t.Errorf("%d files: status %d, %q", len(list), status, text)
		}
	}
	// Another page may not drop files here, and neither may guests.
	r, _ := http.NewRequest("POST", "http://"+addr+"/world", strings.NewReader("x"))
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if answer, err := http.DefaultClient.Do(r); err != nil || answer.StatusCode != http.StatusForbidden {
		t.Errorf("from another page: %v, %v", answer, err)
	}
	guests := serve(t, Config{Scenes: []scene.Scene{pit}, Guests: Build})
	if status, _ := drop(t, "http://"+guests+"/world", files{"pit.world": b}); status != http.StatusForbidden {
		t.Errorf("from a guest: status %d", status)
	}
}

// Map files and world files of other programs become worlds, which are kept, opened and reset like others.
func TestMapsBecomeWorlds(t *testing.T) {
	dir := t.TempDir()
	addr := serve(t, Config{Scenes: []scene.Scene{pit}, Paused: true, Worlds: dir})
	p := dial(t, addr)
	p.until("the first scene", func() bool { return p.frames > 0 })
	database := filepath.Join(t.TempDir(), "world.db")
	st, err := store.Open(database, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.SaveWorld(st, pit.New().World); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		list  files
		name  string
		tiles int
	}{
		{files{"cave.png": testFile(t, "cave.png")}, "cave", 0},
		{files{
			"hills.tmx": testFile(t, "hills.tmx"), "hills.tsx": testFile(t, "hills.tsx"),
			"hills-tiles.png": testFile(t, "hills-tiles.png"),
		}, "hills", 0},
		{files{"world.db": db}, "world", 40},
	} {
		if status, text := drop(t, "http://"+addr+"/world", c.list); status != 200 {
			t.Fatal(c.name, status, text)
		}
		p.until(c.name, func() bool { return p.hellos == 3*i+2 && p.tiles() > 0 && p.hello.Scene == c.name })
		p.send(`{"do":"keep","name":"k"}`)
		p.until("it is kept", func() bool { return p.status.Worlds == int64(i+2) })
		tiles := p.tiles()
		if c.tiles > 0 && tiles != c.tiles {
			t.Errorf("%s: %d tiles, want %d", c.name, tiles, c.tiles)
		}
		v := p.hello.View
		p.send(fmt.Sprintf(`{"do":"paint","shape":1,"cells":[%d,%d]}`, int(v[0])-5, int(v[1])-5))
		p.until("an edit", func() bool { return p.tiles() == tiles+1 })
		p.send(`{"do":"reset"}`)
		p.until("a reset", func() bool { return p.hellos == 3*i+3 && p.tiles() == tiles })
		p.send(`{"do":"open","name":"k"}`)
		p.until("it is opened", func() bool { return p.hellos == 3*i+4 && p.tiles() == tiles })
	}
	if len(p.errors) > 0 {
		t.Errorf("errors %q", p.errors)
	}
}

// A map with more ground than the limit is refused.
func TestMapsAreBounded(t *testing.T) {
	var text strings.Builder
	side := 1100
	text.WriteString(`{"type":"map","orientation":"orthogonal","width":` + itoa(side) + `,"height":` + itoa(side) +
		`,"tilewidth":16,"tileheight":16,"infinite":false,"tilesets":[{"firstgid":1,"name":"t","tilewidth":16,` +
		`"tileheight":16,"tilecount":1,"columns":1,"image":"x.png","imagewidth":16,"imageheight":16}],` +
		`"layers":[{"type":"tilelayer","name":"g","visible":true,"opacity":1,"x":0,"y":0,"width":` + itoa(side) +
		`,"height":` + itoa(side) + `,"data":[1` + strings.Repeat(",1", side*side-1) + `]}]}`)
	_, _, err := files{"big.tmj": []byte(text.String())}.world([]scene.Scene{pit}, 100)
	if err == nil || !strings.Contains(err.Error(), "must have 1 to 1048576") {
		t.Error(err)
	}
	if v := viewOf(quarry.NewWorld(quarry.Config{})); !(v.Size().X > 0) {
		t.Errorf("the view of an empty world is %v", v)
	}
}
