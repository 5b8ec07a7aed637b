package main

import (
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// A server that neither takes bytes nor closes for this long has stopped reading:
// the attacker is held, and costs no more than what is buffered for it.
const heldAfter = 1500 * time.Millisecond

// How long an attacker waits for the end of a connection once it has sent all it wanted.
const endAfter = 5 * time.Second

// How connections end.
const (
	cut     = "cut off"
	held    = "held"
	refused = "refused"
	bounded = "bounded"
	taken   = "TAKEN"
)

// An assault is one attack under way, for a while. One goroutine, but for readers.
type assault struct {
	address  string
	tls      bool
	protocol string // ALPN
	full     bool
	length   time.Duration
	until    time.Time

	report report
}

// A report is what the attacker saw.
type report struct {
	Bytes       int64
	Connections int
	Ends        map[string]int
	Words       string // of the server, or how it ended, once
	Faults      []string
}

func (a *assault) over() bool { return !time.Now().Before(a.until) }

func (a *assault) end(how, words string) {
	a.report.Ends[how]++
	if words != "" && (a.report.Words == "" || strings.HasPrefix(words, "GOAWAY")) {
		a.report.Words = words
	}
}

func (a *assault) fault(format string, values ...any) {
	if len(a.report.Faults) < 5 {
		a.report.Faults = append(a.report.Faults, fmt.Sprintf(format, values...))
	}
}

// A peer is one connection of the attacker.
type peer struct {
	net.Conn
	assault  *assault
	sent     int64
	goAway   string
	statuses int
	done     chan struct{} // closed by the reader at the end of input
	once     sync.Once
}

var dialer = net.Dialer{Timeout: 3 * time.Second}

// dial connects; with TLS, unless raw is wanted, it also shakes hands.
func (a *assault) dial() (*peer, error) {
	c, err := dialer.Dial("tcp", a.address)
	if err != nil {
		return nil, err
	}
	a.report.Connections++
	p := &peer{assault: a, done: make(chan struct{})}
	if a.tls {
		secure := tls.Client(c, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{a.protocol}})
		c.SetDeadline(time.Now().Add(endAfter))
		if err := secure.Handshake(); err != nil {
			c.Close()
			return nil, err
		}
		c.SetDeadline(time.Time{})
		p.Conn = secure
	} else {
		p.Conn = c
	}
	return p, nil
}

// send writes, and says whether the server still takes it.
func (p *peer) send(b []byte) error {
	p.SetWriteDeadline(time.Now().Add(heldAfter))
	n, err := p.Conn.Write(b)
	p.sent += int64(n)
	p.assault.report.Bytes += int64(n)
	return err
}

func (p *peer) reset() {
	if c, ok := p.Conn.(*net.TCPConn); ok {
		c.SetLinger(0)
	}
	p.Conn.Close()
}

// http2 begins a connection: preface and SETTINGS, and a reader if it is to read.
func (a *assault) http2(reads bool, pairs ...uint32) (*peer, error) {
	p, err := a.dial()
	if err != nil {
		return nil, err
	}
	b := buffer{bytes: []byte(preface)}
	b.frame(typeSettings, 0, 0, settings(pairs...))
	if err := p.send(b.bytes); err != nil {
		p.Close()
		return nil, err
	}
	if reads {
		go p.readFrames()
	}
	return p, nil
}

// readFrames reads to the end, and remembers GOAWAY.
func (p *peer) readFrames() {
	defer p.once.Do(func() { close(p.done) })
	input := make([]byte, 0, 1<<16)
	chunk := make([]byte, 1<<16)
	for {
		n, err := p.Conn.Read(chunk)
		input = append(input, chunk[:n]...)
		for len(input) >= frameHeaderBytes {
			length := int(binary.BigEndian.Uint32(input) >> 8)
			if len(input) < frameHeaderBytes+length {
				break
			}
			if input[3] == typeGoAway && length >= 8 {
				code := binary.BigEndian.Uint32(input[frameHeaderBytes+4:])
				p.goAway = fmt.Sprintf("GOAWAY %d: %s", code, input[frameHeaderBytes+8:frameHeaderBytes+length])
			}
			input = input[frameHeaderBytes+length:]
		}
		if err != nil {
			return
		}
	}
}

// flood sends what next makes until the connection ends, and judges how.
func (p *peer) flood(reads bool, mostBytes int64, next func(*buffer)) {
	a := p.assault
	var b buffer
	var err error
	for err == nil && p.sent < mostBytes && !a.over() {
		b.bytes = b.bytes[:0]
		next(&b)
		err = p.send(b.bytes)
		select {
		case <-p.done:
			err = io.EOF
		default:
		}
	}
	stopped := errors.Is(err, os.ErrDeadlineExceeded)
	if stopped && !reads {
		a.end(held, fmt.Sprintf("held after %d KiB", p.sent>>10))
		p.reset()
		return
	}
	late := err == nil && p.sent < mostBytes
	if !reads {
		go p.readFrames()
	}
	p.awaitEnd(err, late)
}

// awaitEnd waits for the server's end of a connection. What it is at when the time is over is
// not judged.
func (p *peer) awaitEnd(err error, late bool) {
	a := p.assault
	wait := endAfter
	if late {
		wait = 100 * time.Millisecond
	}
	select {
	case <-p.done:
		words := p.goAway
		if words == "" {
			words = "closed"
		}
		a.end(cut, words)
	case <-time.After(wait):
		if !late {
			a.end(taken, "")
			a.fault("after %d KiB the connection is still open (%v)", p.sent>>10, err)
		}
	}
	p.reset()
}
