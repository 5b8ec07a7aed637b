package main

import (
	"context"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"syscall"
	"time"
)

// A sickness of a client's connections.
type sickness struct {
	name string
	// Writes cut into pieces of at most so many bytes; 0: not.
	pieceBytes int
	// Reads of at most so many bytes; 0: as asked for.
	readBytes int
	// How long a piece, or a read, may wait, in one of ten cases.
	pause time.Duration
	// SO_RCVBUF and SO_SNDBUF, so that TCP's windows are tiny; 0: the system's choice.
	socketBytes int
	// TCP_MAXSEG, to be well below the window: Linux sends no part of a segment before a timer of
	// 200 ms, so that a window below one segment carries five of them a second, whoever reads.
	segmentBytes int
	// HTTP/2's window of each stream; 0: the client's choice.
	windowBytes int
	// After so many bytes at most, written and read, the connection ends; 0: never.
	lifeBytes int
	// How it ends.
	death func(*net.TCPConn)
}

func (s sickness) lethal() bool { return s.death != nil }

func reset(c *net.TCPConn)     { c.SetLinger(0); c.Close() }
func halfClose(c *net.TCPConn) { c.CloseWrite() }
func cut(c *net.TCPConn)       { c.Close() }

var sicknesses = []sickness{
	{name: "single bytes", pieceBytes: 1, readBytes: 7},
	{name: "pieces and pauses", pieceBytes: 300, readBytes: 1000, pause: 5 * time.Millisecond},
	{name: "tiny windows", socketBytes: 2048, segmentBytes: 400, windowBytes: 300, readBytes: 500, pause: time.Millisecond},
	{name: "RST", lifeBytes: 200_000, death: reset},
	{name: "half close", lifeBytes: 200_000, death: halfClose},
	{name: "cut, in pieces", lifeBytes: 50_000, pieceBytes: 50, death: cut},
}

// What has happened so far, and how many connections the client has not closed.
var deaths, connections, living atomic.Int64

// A sick connection does what net.Conn should, badly.
type sick struct {
	*net.TCPConn
	sickness sickness
	left     atomic.Int64
	dead     atomic.Bool
	closed   atomic.Bool
}

func (s sickness) dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		if s.socketBytes == 0 {
			return nil
		}
		return raw.Control(func(fd uintptr) {
			syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, s.socketBytes)
			syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_SNDBUF, s.socketBytes)
			syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, s.segmentBytes)
		})
	}}
	c, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	connections.Add(1)
	living.Add(1)
	patient := &sick{TCPConn: c.(*net.TCPConn), sickness: s}
	// Some die at once.
	patient.left.Store(int64(rand.IntN(max(1, s.lifeBytes))))
	return patient, nil
}

func (c *sick) Close() error {
	if !c.closed.Swap(true) {
		living.Add(-1)
	}
	return c.TCPConn.Close()
}

func (c *sick) rest() {
	if c.sickness.pause > 0 && rand.IntN(10) == 0 {
		time.Sleep(time.Duration(rand.Int64N(int64(c.sickness.pause))))
	}
}

// lives counts bytes down, and ends the connection when its time has come.
func (c *sick) lives(bytes int) {
	if c.sickness.lethal() && c.left.Add(-int64(bytes)) < 0 && !c.dead.Swap(true) {
		deaths.Add(1)
		c.sickness.death(c.TCPConn)
	}
}

func (c *sick) Write(b []byte) (int, error) {
	most := c.sickness.pieceBytes
	if most == 0 {
		// A lethal connection dies in the middle of what it writes, too.
		most = 1 + rand.IntN(20_000)
	}
	done := 0
	for done < len(b) {
		n, err := c.TCPConn.Write(b[done:min(len(b), done+most)])
		done += n
		if err != nil {
			return done, err
		}
		c.lives(n)
		c.rest()
	}
	return done, nil
}

func (c *sick) Read(b []byte) (int, error) {
	c.rest()
	if most := c.sickness.readBytes; most > 0 && len(b) > most {
		b = b[:most]
	}
	n, err := c.TCPConn.Read(b)
	c.lives(n)
	return n, err
}
