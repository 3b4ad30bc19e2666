package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// version returns the program's version, the commit that it was built from if known, the
// compiler and the target.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return versionOf(info)
}

// versionOf returns the version for the given build information.
func versionOf(info *debug.BuildInfo) string {
	name := info.Main.Version
	if name == "" {
		name = "(unknown version)"
	}
	var commit []string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = append(commit, "commit "+s.Value)
		case s.Key == "vcs.time":
			commit = append(commit, s.Value)
		case s.Key == "vcs.modified" && s.Value == "true":
			commit = append(commit, "modified")
		}
	}
	if len(commit) > 0 {
		name += " (" + strings.Join(commit, ", ") + ")"
	}
	return fmt.Sprintf("quarry %s %s %s/%s", name, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
