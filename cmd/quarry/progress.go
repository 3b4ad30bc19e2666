package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress returns a bar for n of something on a terminal; nil when they are few
// or out is none.
func progress(out io.Writer, n int, what string) *progressbar.ProgressBar {
	f, ok := out.(*os.File)
	if !ok || n < 100 || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return progressbar.NewOptions(n,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}

// advance moves the bar, if there is one, by one.
func advance(bar *progressbar.ProgressBar) {
	if bar != nil {
		_ = bar.Add(1) // a bar that cannot be drawn is no reason to stop
	}
}

// finish takes the bar away, if there is one.
func finish(bar *progressbar.ProgressBar) {
	if bar != nil {
		_ = bar.Finish()
	}
}
