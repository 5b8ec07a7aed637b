package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Content that costs more than it seems: each request must be refused, by the protocol's own
// words, and the connection may stay.

func gzipped(mebibytes int, part []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	for i := 0; i < mebibytes; i++ {
		w.Write(part)
	}
	w.Close()
	return b.Bytes()
}

// requests sends one request after the other, by net/http: the content is the weapon.
func requests(method, contentType string, fields map[string]string, content func() []byte, wanted ...string) func(*assault) {
	return func(a *assault) {
		transport, scheme := transportOf(a)
		defer transport.CloseIdleConnections()
		body := content()
		a.until = time.Now().Add(a.length) // making it was not the attack
		for !a.over() {
			request, _ := http.NewRequest("POST", scheme+"://"+a.address+"/"+method, bytes.NewReader(body))
			request.Header.Set("content-type", contentType)
			for name, value := range fields {
				request.Header.Set(name, value)
			}
			response, err := transport.RoundTrip(request)
			a.report.Bytes += int64(len(body))
			if err != nil {
				a.end(cut, err.Error())
				continue
			}
			answer, _ := io.ReadAll(response.Body)
			response.Body.Close()
			status := response.Header.Get("grpc-status") + response.Trailer.Get("grpc-status")
			words := strings.TrimSpace(fmt.Sprintf("%d %s %s%s %.90s", response.StatusCode, status,
				response.Header.Get("grpc-message"), response.Trailer.Get("grpc-message"), printable(answer)))
			how := taken
			for _, part := range wanted {
				if strings.Contains(words, part) {
					how = refused
				}
			}
			if how == taken {
				a.fault("answered %s", words)
			}
			a.end(how, words)
		}
	}
}

func printable(b []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, string(b))
}

func contentAttacks() []attack {
	bomb := func() []byte { return gzipped(64, zeros) }
	jsonBomb := func() []byte { return gzipped(64, bytes.Repeat([]byte{' '}, 1<<20)) }
	nest := func(open, close string) func() []byte {
		return func() []byte {
			return []byte(`{"extra":{"a":` + repeat(open, 100_000) + "1" + repeat(close, 100_000) + "}}")
		}
	}
	list := []attack{
		{name: "gzip bomb, gRPC", play: requests(echoMethod, "application/grpc",
			map[string]string{"te": "trailers", "grpc-encoding": "gzip"}, func() []byte { return message(1, bomb()) }, "200 8 ")},
		{name: "gzip bomb, Connect", play: requests(echoMethod, "application/proto",
			map[string]string{"content-encoding": "gzip"}, bomb, "resource_exhausted")},
		{name: "gzip bomb, JSON", play: requests(echoMethod, "application/json",
			map[string]string{"content-encoding": "gzip"}, jsonBomb, "resource_exhausted")},
		{name: "giant prefix", play: requests(echoMethod, "application/grpc",
			map[string]string{"te": "trailers"}, func() []byte { return []byte{0, 255, 255, 255, 255, 1} }, "200 8 ")},
		{name: "gRPC-Web text that is none", play: requests(echoMethod, "application/grpc-web-text", nil,
			func() []byte { return []byte(repeat("=", 1<<20)) }, "200 13 ", "200 3 ", "grpc-status")},
		{name: "gRPC-Web text, giant prefix", play: requests(echoMethod, "application/grpc-web-text", nil,
			func() []byte { return []byte("AP////8" + repeat("A", 1<<20)) }, "200 8 ", "grpc-status")},
		{name: "JSON, nested objects", play: requests(shapeMethod, "application/json", nil, nest(`{"a":`, "}"), "invalid_argument", "resource_exhausted")},
		{name: "JSON, nested arrays", play: requests(shapeMethod, "application/json", nil, nest("[", "]"), "invalid_argument", "resource_exhausted")},
		{name: "JSON, number of 1 MB", play: requests(shapeMethod, "application/json", nil,
			func() []byte { return []byte(`{"count":` + repeat("9", 1<<20) + `}`) }, "invalid_argument", "resource_exhausted")},
		{name: "JSON, giant exponent", play: requests(shapeMethod, "application/json", nil,
			func() []byte { return []byte(`{"serial":"1e999999999"}`) }, "invalid_argument", "resource_exhausted")},
	}
	for i := range list {
		list[i].group = "content"
		list[i].bound = "4 MiB of a message as inflated, 100 levels of JSON"
		list[i].protocol = "h2"
		list[i].ends = []string{refused}
	}
	return list
}
