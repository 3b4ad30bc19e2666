//go:build !js

package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/quarry2d/quarry/host"
)

// leastKey is the least number of bytes of a key.
const leastKey = 24

// Keys sign and check tokens, each of which gives a role in one world until a time. Whoever has a key can make tokens,
// without asking a server: a game's login, for instance.
type Keys struct{ list [][]byte }

// ReadKeys reads a file with keys, one a line, each of at least 24 random characters. Tokens are signed by the first
// one and checked by all, so that a key can be replaced while tokens of the one before are in use.
func ReadKeys(path string) (*Keys, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	k := &Keys{}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if len(line) < leastKey {
			return nil, fmt.Errorf("%s: a key has %d characters, the least is %d", path, len(line), leastKey)
		}
		k.list = append(k.list, []byte(line))
	}
	if len(k.list) == 0 {
		return nil, fmt.Errorf("%s: no key", path)
	}
	return k, nil
}

// sum returns the signature of a text.
func sum(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("quarry token 1 " + text))
	return h.Sum(nil)
}

// Token returns a token for a world. It returns an error if there is no world of such a name, or no such role.
func (k *Keys) Token(world string, role Role, until time.Time) (string, error) {
	if err := host.CheckName(world); err != nil {
		return "", err
	}
	if role > Look {
		return "", fmt.Errorf("a token for the role %s", role)
	}
	text := fmt.Sprintf("%s.%s.%d", world, role, until.Unix())
	return text + "." + base64.RawURLEncoding.EncodeToString(sum(k.list[0], text)), nil
}

var (
	errToken   = errors.New("the token of its link is unknown")
	errExpired = errors.New("the token of its link has expired")
)

// role returns the role that a token gives in a world.
func (k *Keys) role(world, token string, now time.Time) (Role, error) {
	i := strings.LastIndexByte(token, '.')
	if k == nil || i < 0 {
		return None, errToken
	}
	text := token[:i]
	signed, err := base64.RawURLEncoding.DecodeString(token[i+1:])
	if err != nil || !k.signed(text, signed) {
		return None, errToken
	}
	part := strings.Split(text, ".")
	if len(part) != 3 || part[0] != world {
		return None, errors.New("the token of its link is for another world")
	}
	role, err := ParseRole(part[1])
	until, bad := strconv.ParseInt(part[2], 10, 64)
	if err != nil || bad != nil {
		return None, errToken
	}
	if now.Unix() >= until {
		return None, errExpired
	}
	return role, nil
}

// signed reports whether one of the keys made a signature.
func (k *Keys) signed(text string, signature []byte) bool {
	for _, key := range k.list {
		if hmac.Equal(sum(key, text), signature) {
			return true
		}
	}
	return false
}
