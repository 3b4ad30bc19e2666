//go:build !js

package sandbox

import (
	"embed"
	"io/fs"
	"net/http"
)

//go:embed web
var web embed.FS

// Files returns the files of the page.
func Files() fs.FS {
	files, err := fs.Sub(web, "web")
	if err != nil {
		panic("quarry: sandbox: " + err.Error()) // impossible: the directory is embedded
	}
	return files
}

// page serves the files of the page. The security policy makes the browser load nothing from elsewhere.
func page() http.Handler {
	server := http.FileServerFS(Files())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri "+
			"'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache") // embedded files have no modification time to compare
		server.ServeHTTP(w, r)
	})
}
