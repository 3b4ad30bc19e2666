package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress returns a progress bar for n items, or nil if they are few or out is no terminal.
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

// advance advances the bar by one. bar may be nil.
func advance(bar *progressbar.ProgressBar) {
	if bar != nil {
		_ = bar.Add(1) // an error of drawing the bar is ignored
	}
}

// finish removes the bar. bar may be nil.
func finish(bar *progressbar.ProgressBar) {
	if bar != nil {
		_ = bar.Finish()
	}
}
