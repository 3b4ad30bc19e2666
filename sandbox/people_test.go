//go:build !js

package sandbox

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// last reports whether the last error contains text.
func (p *peer) last(text string) func() bool {
	return func() bool { return len(p.errors) > 0 && strings.Contains(p.errors[len(p.errors)-1], text) }
}

// person returns a client as this peer knows it.
func (p *peer) person(id uint64) person {
	for _, q := range p.people {
		if q.ID == id {
			return q
		}
	}
	return person{}
}

// Clients see the names, deeds and pointers of the others, also in a world that is paused, and no longer when they have
// left.
func TestPeopleSeeEachOther(t *testing.T) {
	addr := serve(t, Config{Scenes: []scene.Scene{pit}, Paused: true})
	a := dial(t, addr)
	a.until("the world", func() bool { return a.status.You > 0 && len(a.people) == 1 })
	b := dial(t, addr)
	b.send(`{"do":"name","name":"  Ann\u0000a \n\u202e B  "}`)
	b.send(`{"do":"point","x":1.5,"y":-2}`)
	b.until("its id", func() bool { return b.status.You > 0 })
	you := b.status.You
	a.until("the other", func() bool {
		return a.person(you).Name == "Anna B" && a.pointers[uint32(you)] == geom.V(1.5, -2)
	})
	if a.person(a.status.You).Name != "Guest 1" || a.person(you).Role != "own" {
		t.Errorf("people %+v", a.people)
	}
	b.send(`{"do":"dig","x0":0,"x1":1,"radius":0.5}`)
	a.until("what it did", func() bool { return a.person(you).Did == "dig" && a.person(you).Times == 1 })
	frames := a.frames
	b.send(`{"do":"point","all":true}`)
	a.until("no pointer", func() bool { return len(a.pointers) == 0 })
	if a.frames > frames+1 {
		t.Errorf("%d frames of a world in which nothing happened", a.frames-frames)
	}
	b.send(`{"do":"name","name":"` + strings.Repeat("x", 100) + `"}`)
	a.until("a shorter name", func() bool { return a.person(you).Name == strings.Repeat("x", maxName) })
	b.conn.CloseNow()
	a.until("its end", func() bool { return len(a.people) == 1 })
}

// The token of a link decides what its client may do; another token is refused.
func TestRoles(t *testing.T) {
	addr := serve(t, Config{
		Scenes: []scene.Scene{pit, bare}, Paused: true, Guests: Look,
		Tokens: map[string]Role{"o": Own, "b": Build, "p": Play},
	})
	if _, answer, err := websocket.Dial(context.Background(), "ws://"+addr+"/ws?token=x",
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://" + addr}}}); err == nil ||
		answer.StatusCode != http.StatusForbidden {
		t.Errorf("an unknown token: %v", err)
	}
	look, plays, builds := dial(t, addr), dialWith(t, addr, "p"), dialWith(t, addr, "b")
	for _, p := range []*peer{look, plays, builds} {
		p.until("the world", func() bool { return p.frames > 0 })
	}
	for _, c := range []struct {
		p          *peer
		text, want string
	}{
		{look, `{"do":"grab","y":0.5}`, "grab: your link lets you look only"},
		{look, `{"do":"reset"}`, "reset: your link lets you look only"},
		{plays, `{"do":"add","kind":"box","y":5}`, "add: your link lets you play only"},
		{plays, `{"do":"undo"}`, "undo: your link lets you play only"},
		{builds, `{"do":"resume"}`, "resume: only an owner of this world may do that, and none is here"},
		{builds, `{"do":"answer","n":1,"all":true}`, "answer: your link lets you build only"},
	} {
		c.p.send(c.text)
		c.p.until(c.want, c.p.last(c.want))
	}
	plays.send(`{"do":"grab","y":0.5}`)
	builds.send(`{"do":"add","kind":"box","y":5}`)
	builds.until("a body", func() bool { return len(builds.moving()) == 2 })
	if look.status.Role != "look" || plays.status.Role != "play" || builds.status.Role != "build" {
		t.Errorf("roles %q, %q, %q", look.status.Role, plays.status.Role, builds.status.Role)
	}
}

// Who may not reset the world asks, and an owner grants or refuses it.
func TestOwnersAreAsked(t *testing.T) {
	addr := serve(t, Config{
		Scenes: []scene.Scene{pit, bare}, Paused: true, Guests: Build, Tokens: map[string]Role{"o": Own},
	})
	owner, guest := dialWith(t, addr, "o"), dial(t, addr)
	owner.send(`{"do":"name","name":"Olga"}`)
	owner.until("the world", func() bool { return owner.frames > 0 && owner.status.Role == "own" })
	guest.until("the world", func() bool { return guest.frames > 0 && guest.status.You > 0 })
	asked := func() person { return owner.person(guest.status.You) }
	guest.send(`{"do":"scene","name":"bare"}`)
	guest.until("an answer", guest.last("an owner of this world was asked"))
	owner.until("the question", func() bool { return asked().Asks == "scene" && asked().Scene == "bare" })
	owner.send(`{"do":"answer","n":` + itoa(asked().Ask) + `}`)
	guest.until("the refusal", guest.last("scene: Olga says no"))
	guest.send(`{"do":"resume"}`)
	owner.until("the next question", func() bool { return asked().Asks == "resume" })
	owner.send(`{"do":"answer","n":` + itoa(asked().Ask) + `,"all":true}`)
	guest.until("time", func() bool { return !guest.paused && guest.step > 0 })
	owner.until("no question", func() bool { return asked().Asks == "" })
	owner.send(`{"do":"answer","n":1,"all":true}`)
	owner.until("nobody asks", owner.last("nobody asks"))
}

func itoa(n int) string { return strconv.Itoa(n) }
