// Go's net/http with the page that bench/http asks for, HTTP/1.1 and HTTP/2
// with prior knowledge: http PORT.
package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{
		Addr:      "127.0.0.1:" + os.Args[1],
		Protocols: protocols,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, "Hello world")
		}),
	}
	log.Fatal(server.ListenAndServe())
}
