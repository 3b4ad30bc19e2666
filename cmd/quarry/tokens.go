//go:build !js

package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/quarry2d/quarry/sandbox"
)

// shortestToken is the minimum length of a token in the file; rand.Text makes tokens of this length.
const shortestToken = 26

// tokens returns a token for each role that may do more than guests may. Those in the file stay, so that links go on
// after a restart; it adds the others to the file, which only its owner can read. Without a file all are new.
func tokens(file string, guests sandbox.Role) (map[string]sandbox.Role, error) {
	if guests == sandbox.Own {
		return nil, nil
	}
	byRole, err := readTokens(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; without this file the program makes new tokens", file, err)
	}
	list, had := map[string]sandbox.Role{}, len(byRole)
	for r := range guests {
		if byRole[r.String()] == "" {
			byRole[r.String()] = rand.Text()
		}
		list[byRole[r.String()]] = r
	}
	if file == "" || len(byRole) == had {
		return list, nil
	}
	return list, writeTokens(file, byRole)
}

// readTokens returns the tokens in the file by the name of their role; none if there is no file.
func readTokens(file string) (map[string]string, error) {
	byRole := map[string]string{}
	text, err := os.ReadFile(file)
	if file == "" || errors.Is(err, fs.ErrNotExist) {
		return byRole, nil
	}
	if err != nil {
		return nil, reason(err)
	}
	if err := json.Unmarshal(text, &byRole); err != nil {
		return nil, fmt.Errorf("the tokens are damaged: %w", err)
	}
	roles := map[string]string{} // by token
	for name, token := range byRole {
		if _, err := sandbox.ParseRole(name); err != nil {
			return nil, err
		}
		if len(token) < shortestToken {
			return nil, fmt.Errorf("the token of %s has %d letters: it needs %d", name, len(token), shortestToken)
		}
		if roles[token] != "" {
			return nil, fmt.Errorf("%s and %s have the same token", name, roles[token])
		}
		roles[token] = name
	}
	return byRole, nil
}

// writeTokens replaces the file at once. It makes its folder if that is missing.
func writeTokens(file string, byRole map[string]string) error {
	text, err := json.MarshalIndent(byRole, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
