package sandbox

import (
	"embed"
	"io/fs"
	"net/http"
)

//go:embed web
var web embed.FS

// page serves the files of web. They come from this server alone, and the
// policy holds the browser to that.
func page() http.Handler {
	files, err := fs.Sub(web, "web")
	if err != nil {
		panic("quarry: sandbox: " + err.Error()) // only if the embedding above is broken
	}
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache") // embedded files have no time: a new program is a new page
		server.ServeHTTP(w, r)
	})
}
