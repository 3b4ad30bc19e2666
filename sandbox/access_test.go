//go:build !js

package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/host/filelog"
	"github.com/quarry2d/quarry/scene"
)

func keysOf(t *testing.T, lines ...string) *Keys {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	k, err := ReadKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

const (
	keyOne = "one key of 24 characters"
	keyTwo = "another key of 28 characters"
)

// A token gives its role in its world until its time, with each of the keys, and any other is refused.
func TestTokens(t *testing.T) {
	now := time.Now()
	old, both, other := keysOf(t, keyOne), keysOf(t, keyTwo, "", keyOne), keysOf(t, keyTwo)
	token, err := old.Token("w", Play, now.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []*Keys{old, both} {
		if r, err := k.role("w", token, now); r != Play || err != nil {
			t.Errorf("%v, %v", r, err)
		}
	}
	refused := func(k *Keys, world, token string, at time.Time) {
		t.Helper()
		if r, err := k.role(world, token, at); r != None || err == nil {
			t.Errorf("token %q in world %s: %v, %v", token, world, r, err)
		}
	}
	refused(other, "w", token, now)
	refused(nil, "w", token, now)
	refused(old, "v", token, now)
	refused(old, "w", token, now.Add(time.Hour))
	refused(old, "w", strings.Replace(token, "play", "own", 1), now)
	for i := range token {
		refused(old, "w", token[:i], now)
		refused(old, "w", token[:i]+"x"+token[i:], now)
	}
	for _, bad := range []string{"", "short", keyOne + "\nshort"} {
		path := filepath.Join(t.TempDir(), "keys")
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadKeys(path); err == nil {
			t.Errorf("keys %q were accepted", bad)
		}
	}
	if _, err := old.Token("a/b", Own, now); err == nil {
		t.Error("a token for no world")
	}
	if _, err := old.Token("w", None, now); err == nil {
		t.Error("a token for no role")
	}
}

// hinted are leases that hint again and again.
type hinted struct {
	*host.Alone
	hints <-chan struct{}
}

func (h hinted) Changed() <-chan struct{} { return h.hints }

// pair is a host of the world "w", and a gateway, which have their leases in common.
type pair struct {
	leases  *host.Alone
	inner   *httptest.Server
	gateway string // its address
}

func startPair(t *testing.T, inner, gateway Config) *pair {
	t.Helper()
	folder, err := filelog.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{leases: host.NewAlone(nil)}
	if err := host.Create(t.Context(), folder, p.leases, "w", "pit", 1000); err != nil {
		t.Fatal(err)
	}
	start := func(name string, c Config, idle bool) *httptest.Server {
		c.Scenes = []scene.Scene{pit, bare}
		pages := NewWorlds(c)
		web := httptest.NewUnstartedServer(nil)
		hints := make(chan struct{})
		h, err := host.New(host.Config{
			Name: name, Log: folder, Leases: hinted{p.leases, hints}, Serve: pages.Serve, Idle: idle,
			Lease:   time.Minute,
			Address: "http://" + web.Listener.Addr().String(),
			Scenes:  func(name string) (scene.Scene, bool) { return find(c.Scenes, name) },
			Shelf:   folder.Shelf,
		})
		if err != nil {
			t.Fatal(err)
		}
		pages.Of(h)
		if !idle {
			pages.OnlyForwarded()
		}
		web.Config.Handler = pages.Handler()
		web.Start()
		ctx, cancel := context.WithCancel(context.Background())
		ran := make(chan error, 1)
		go func() { ran <- h.Run(ctx) }()
		go func() {
			for ctx.Err() == nil {
				select {
				case hints <- struct{}{}:
					time.Sleep(20 * time.Millisecond)
				case <-ctx.Done():
				}
			}
		}()
		t.Cleanup(func() {
			cancel()
			<-ran
			web.CloseClientConnections()
		})
		return web
	}
	t.Cleanup(func() { folder.Close() })
	p.inner = start("a", inner, false)
	p.gateway = start("g", gateway, true).Listener.Addr().String()
	return p
}

// enter connects to the world by way of an address.
func enter(addr, token string, header http.Header) (*websocket.Conn, *http.Response, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return websocket.Dial(ctx, "ws://"+addr+"/w/w/ws?token="+token, &websocket.DialOptions{HTTPHeader: header})
}

// enters connects as soon as the world runs.
func (p *pair) enters(t *testing.T, token string) *peer {
	t.Helper()
	var conn *websocket.Conn
	await(t, "the world", func() (ok bool) {
		c, _, err := enter(p.gateway, token, nil)
		conn = c
		return err == nil
	})
	conn.SetReadLimit(64 << 20)
	t.Cleanup(func() { conn.CloseNow() })
	return &peer{t: t, conn: conn}
}

// The token of the link decides what a client may do, in one world, by way of any gateway; a host trusts no gateway
// that knows less.
func TestRolesOfWorlds(t *testing.T) {
	k := keysOf(t, keyOne)
	token := func(world string, r Role) string {
		text, err := k.Token(world, r, time.Now().Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	p := startPair(t, Config{Keys: k}, Config{Keys: k, Guests: Look})
	guest, builder := p.enters(t, ""), p.enters(t, token("w", Build))
	guest.until("the world", func() bool { return guest.frames > 0 })
	guest.send(`{"do":"add","kind":"circle","x":5,"y":0.5}`)
	guest.until("the refusal", func() bool {
		return len(guest.errors) == 1 && strings.Contains(guest.errors[0], "look")
	})
	builder.send(`{"do":"add","kind":"circle","x":5,"y":0.5}`)
	guest.until("the body", func() bool { return len(guest.moving()) == 2 })
	inner := p.inner.Listener.Addr().String()
	for _, c := range []struct {
		addr, token string
		header      http.Header
	}{
		{p.gateway, token("v", Own), nil},
		{p.gateway, "x" + token("w", Own), nil},
		{inner, token("w", Own), nil}, // not by way of a gateway
		{inner, token("v", Own), http.Header{forwarded: {"own"}}},
		{inner, token("w", Own), http.Header{forwarded: {"none"}}},
		{inner, token("w", Own), http.Header{forwarded: {"1"}}},
	} {
		if conn, r, err := enter(c.addr, c.token, c.header); err == nil || r == nil || r.StatusCode != 403 {
			t.Errorf("%+v: %v", c, err)
			if conn != nil {
				conn.CloseNow()
			}
		}
	}
	conn, _, err := enter(inner, token("w", Look), http.Header{forwarded: {"own"}})
	if err != nil {
		t.Fatal(err)
	}
	looks := &peer{t: t, conn: conn}
	conn.SetReadLimit(64 << 20)
	looks.send(`{"do":"pause"}`)
	looks.until("the refusal", func() bool { return len(looks.errors) == 1 })
}

// Files come from the owner of a world and go to it by way of a gateway, if the token of the link lets them.
func TestFilesOfWorlds(t *testing.T) {
	k := keysOf(t, keyOne)
	p := startPair(t, Config{Keys: k}, Config{Keys: k, Guests: Look})
	token, err := k.Token("w", Own, time.Now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	owner := p.enters(t, token)
	owner.until("the world", func() bool { return owner.frames > 0 })
	owner.send(`{"do":"keep","name":"a b"}`)
	owner.until("it is kept", func() bool { return owner.status.Worlds == 2 })
	at := "http://" + p.gateway + "/w/w/"
	if status, b := fetch(t, at+"worlds"); status != 200 || !strings.Contains(string(b), `"a b"`) {
		t.Errorf("the list: %d, %q", status, b)
	}
	for _, path := range []string{"worlds/a%20b.png", "scenes/pit.png"} {
		if status, b := fetch(t, at+path); status != 200 || !strings.HasPrefix(string(b), "\x89PNG") {
			t.Errorf("%s: %d, %.40q", path, status, b)
		}
	}
	status, world := fetch(t, at+"world")
	if status != 200 {
		t.Fatalf("%d, %.40q", status, world)
	}
	owner.send(`{"do":"erase","cells":[-10,-1]}`)
	owner.until("a hole", func() bool { return owner.tiles() == 39 })
	list := files{"x.world": world}
	if status, text := drop(t, at+"world", list); status != 403 {
		t.Errorf("a guest replaces the world: %d, %q", status, text)
	}
	if status, text := drop(t, at+"world?token="+token, list); status != 200 {
		t.Errorf("an owner does not: %d, %q", status, text)
	}
	owner.until("the file", func() bool { return owner.hellos == 2 && owner.tiles() == 40 })
	inner := "http://" + p.inner.Listener.Addr().String() + "/w/w/world?token=" + token
	if status, _ := fetch(t, inner); status != 403 {
		t.Errorf("by way of no gateway: %d", status)
	}
	if status, _ := fetch(t, at+"world?token=x"+token); status != 403 {
		t.Errorf("with a bad token: %d", status)
	}
}

// With Guests None, nobody enters without a token.
func TestNoGuests(t *testing.T) {
	k := keysOf(t, keyOne)
	p := startPair(t, Config{}, Config{Keys: k, Guests: None})
	if _, r, err := enter(p.gateway, "", nil); err == nil || r == nil || r.StatusCode != 403 {
		t.Errorf("%v", err)
	}
}

// owned sets the owner of the world, as if it had moved.
func (p *pair) owned(t *testing.T, value string) {
	t.Helper()
	e, err := p.leases.Get(t.Context(), "world/w")
	if err == nil {
		_, err = p.leases.Set(t.Context(), e.Key, []byte(value), e.Revision)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A gateway drops the frames of an owner when there is a later one, which the old one may not know, and never goes
// back.
func TestOlderEpochIsDropped(t *testing.T) {
	p := startPair(t, Config{}, Config{})
	old := p.enters(t, "")
	old.until("a frame", func() bool { return old.frames > 0 })
	e, err := p.leases.Get(t.Context(), "world/w")
	if err != nil {
		t.Fatal(err)
	}
	next := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(epochHeader, "7")
		conn, err := websocket.Accept(w, r, nil)
		if err == nil {
			_ = conn.Write(r.Context(), websocket.MessageText, []byte("seven"))
			_, _, _ = conn.Read(r.Context())
		}
	}))
	defer next.CloseClientConnections()
	entry := fmt.Sprintf(`{"life":1,"entropy":1,"state":"alive","idle":true,"address":%q}`, next.URL)
	if _, err := p.leases.Set(t.Context(), "host/z", []byte(entry), 0); err != nil {
		t.Fatal(err)
	}
	p.owned(t, "z/1")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			if _, _, err := old.conn.Read(context.Background()); err != nil {
				return
			}
		}
	}()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the old owner is still shown")
	}
	var conn *websocket.Conn
	await(t, "the next owner", func() bool {
		c, _, err := enter(p.gateway, "", nil)
		conn = c
		return err == nil
	})
	defer conn.CloseNow()
	if _, b, err := conn.Read(t.Context()); string(b) != "seven" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	p.owned(t, string(e.Value)) // a view that lags
	time.Sleep(100 * time.Millisecond)
	if c, r, err := enter(p.gateway, "", nil); err == nil || r == nil || r.StatusCode != http.StatusBadGateway {
		t.Errorf("an older epoch is shown: %v", err)
		if c != nil {
			c.CloseNow()
		}
	}
}
