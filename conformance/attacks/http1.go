package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A request that a proxy may read in another way than the server: it must be refused, and what
// lies behind it must not be taken for a request.
func smuggled(head string) func(*assault) {
	// Both readings end in a request that a naive server would answer.
	whole := []byte(strings.ReplaceAll(head, "\n", "\r\n") + "GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n")
	whole = bytes.ReplaceAll(whole, []byte("\v"), []byte("\n"))
	return func(a *assault) {
		for !a.over() {
			p, err := a.dial()
			if err != nil {
				a.fault("no connection: %v", err)
				return
			}
			p.send(whole)
			p.SetReadDeadline(time.Now().Add(endAfter))
			answer, err := io.ReadAll(io.LimitReader(p, 1<<16))
			line, _, _ := strings.Cut(string(answer), "\r\n")
			answers := strings.Count(string(answer), "HTTP/1.1 ")
			switch {
			case errors.Is(err, os.ErrDeadlineExceeded):
				a.end(taken, "")
				a.fault("left open after %q", line)
			case answers != 1 || !strings.HasPrefix(line, "HTTP/1.1 4") && !strings.HasPrefix(line, "HTTP/1.1 501"):
				a.end(taken, "")
				a.fault("%d answers: %q", answers, answer)
			default:
				a.end(cut, line)
			}
			p.reset()
		}
	}
}

// flood1 sends HTTP/1.1 without end, and reads or not.
func flood1(reads bool, begin string, next string) func(*assault) {
	part := []byte(repeat(next, 1+(16<<10)/len(next)))
	return func(a *assault) {
		for !a.over() {
			p, err := a.dial()
			if err != nil {
				a.fault("no connection: %v", err)
				return
			}
			var status string
			if reads {
				go func() {
					defer p.once.Do(func() { close(p.done) })
					first := make([]byte, 64)
					n, _ := io.ReadFull(p.Conn, first)
					status, _, _ = strings.Cut(string(first[:n]), "\r\n")
					p.goAway = status
					io.Copy(io.Discard, p.Conn)
				}()
			}
			if p.send([]byte(begin)) == nil {
				p.flood(reads, mostFloodBytes, func(b *buffer) { b.bytes = append(b.bytes, part...) })
			}
		}
	}
}

func http1Attacks() []attack {
	post := "POST /" + echoMethod + " HTTP/1.1\nhost: x\ncontent-type: application/proto\n"
	heads := []struct{ name, head string }{
		{"content-length and transfer-encoding", post + "content-length: 4\ntransfer-encoding: chunked\n\n0\n\n"},
		{"two content-lengths", post + "content-length: 0\ncontent-length: 40\n\n"},
		{"content-length with a sign", post + "content-length: +0\n\n"},
		{"transfer-encoding unknown", post + "transfer-encoding: xchunked\n\n0\n\n"},
		{"transfer-encoding twice", post + "transfer-encoding: chunked\ntransfer-encoding: identity\n\n0\n\n"},
		{"folded line", post + "x: a\n transfer-encoding: chunked\ncontent-length: 0\n\n"},
		{"space before the colon", post + "content-length : 0\n\n"},
		{"bare LF", post + "x: a\vtransfer-encoding: chunked\n\n0\n\n"},
		{"bare CR in a value", post + "x: a\rb\n\n"},
		{"NUL in a value", post + "x: a\x00b\ncontent-length: 0\n\n"},
		{"chunk size beyond 64 bits", post + "transfer-encoding: chunked\n\n10000000000000000\n"},
		{"chunk size with a sign", post + "transfer-encoding: chunked\n\n-1\n"},
		{"chunk without its end", post + "transfer-encoding: chunked\n\n1\nabc0\n\n"},
		{"two hosts", "GET / HTTP/1.1\nhost: x\nhost: y\n\n"},
		{"no host", "GET / HTTP/1.1\n\n"},
	}
	var list []attack
	for _, one := range heads {
		list = append(list, attack{name: "HTTP/1.1: " + one.name, play: smuggled(one.head), group: "smuggling",
			bound: "400 or 501, and the connection ends", ends: []string{cut}})
	}
	for _, one := range []attack{
		{name: "HTTP/1.1: pipelining, nothing read", play: flood1(false, "", "GET / HTTP/1.1\r\nhost: x\r\n\r\n")},
		{name: "HTTP/1.1: a head without end", play: flood1(true, "GET / HTTP/1.1\r\nhost: x\r\n", "x: yyyyyyyyyyyyyyyyyyyyyyyy\r\n")},
		{name: "HTTP/1.1: a request line without end", play: flood1(true, "GET /", "aaaaaaaaaaaaaaaa")},
		{name: "HTTP/1.1: chunk extensions", play: flood1(true, strings.ReplaceAll(post, "\n", "\r\n")+"transfer-encoding: chunked\r\n\r\n1", ";aaaaaaaa=bbbbbbbb")},
		{name: "HTTP/1.1: chunks of one byte", play: flood1(true, strings.ReplaceAll(post, "\n", "\r\n")+"transfer-encoding: chunked\r\n\r\n", "0001;aaaaaaaaaaaaaaaaaaaaaaaaaaa\r\nb\r\n")},
		{name: "HTTP/1.1: trailers without end", play: flood1(true, strings.ReplaceAll(post, "\n", "\r\n")+"transfer-encoding: chunked\r\n\r\n0\r\n", "x: yyyyyyyyyyyyyyyyyyyyyyyy\r\n")},
	} {
		one.group = "HTTP/1.1 floods"
		one.bound = "8 KiB of head, 64 KiB of pipelined input, 256 bytes of a chunk's line"
		one.ends = []string{cut, held}
		one.secure = strings.Contains(one.name, "pipelining")
		list = append(list, one)
	}
	for i := range list {
		list[i].protocol = "http/1.1"
	}
	return list
}

// unread1: connections that each ask for 1 MiB, some times over, and read nothing.
func unread1(connections int) func(*assault) {
	content := `{"payloadBytes": 1048576}`
	request := fmt.Sprintf("POST /%s HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s",
		bigMethod, len(content), content)
	return func(a *assault) {
		var peers []*peer
		for i := 0; i < connections && !a.over(); i++ {
			p, err := a.dial()
			if err != nil {
				a.end(refused, "")
				continue
			}
			peers = append(peers, p)
			p.send([]byte(repeat(request, 8)))
		}
		for !a.over() {
			time.Sleep(10 * time.Millisecond)
		}
		for _, p := range peers {
			// Whether it was cut is not seen by one who does not read: it may not harm, is all.
			a.end(bounded, "")
			p.reset()
		}
	}
}
