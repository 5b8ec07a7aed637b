package main

import (
	"bytes"
)

// An attack, and what becomes of it.
type attack struct {
	name  string
	group string
	// What bounds it, for the table.
	bound string
	play  func(*assault)
	// Over TLS, too.
	secure bool
	// ALPN, for TLS.
	protocol string
	// Speaks to the TLS port, but not TLS as it should be.
	rawTLS bool
	// Too long, or too much, for CI.
	fullOnly bool
	// Asks for honest work, too, for which healthy calls take turns: time is told, not judged.
	busy bool
	// How connections may end.
	ends []string
	// Needs this many seconds at least.
	seconds float64
}

func attacks() []attack {
	var all []attack
	add := func(group, bound string, secure bool, list ...attack) {
		for _, one := range list {
			one.group, one.bound, one.secure = group, bound, one.secure || secure
			if one.ends == nil {
				one.ends = []string{cut, held}
			}
			if one.protocol == "" {
				one.protocol = "h2"
			}
			all = append(all, one)
		}
	}
	add("resets", "rate of resets, 400 at once and 200/s", true,
		attack{name: "rapid reset", play: reset(echoBlock, func(b *buffer, s uint32) { b.uint32Frame(typeReset, s, 8) })},
		attack{name: "rapid reset of whole requests", play: reset(echoBlock, func(b *buffer, s uint32) {
			b.data(s, emptyMessage, true).uint32Frame(typeReset, s, 8)
		})})
	add("made you reset", "rate of stream errors, 200 at once and 100/s", false,
		attack{name: "WINDOW_UPDATE of 0", secure: true, play: reset(echoBlock, func(b *buffer, s uint32) { b.uint32Frame(typeWindowUpdate, s, 0) })},
		attack{name: "window beyond 2^31-1", play: reset(echoBlock, func(b *buffer, s uint32) { b.uint32Frame(typeWindowUpdate, s, 1<<31-1) })},
		attack{name: "PRIORITY on itself", play: reset(echoBlock, func(b *buffer, s uint32) {
			b.frame(typePriority, 0, s, []byte{byte(s >> 24), byte(s >> 16), byte(s >> 8), byte(s), 16})
		})},
		attack{name: "PRIORITY of 4 bytes", play: reset(echoBlock, func(b *buffer, s uint32) { b.frame(typePriority, 0, s, make([]byte, 4)) })},
		attack{name: "DATA after END_STREAM", play: ended(echoBlock, func(b *buffer, s uint32) { b.frame(typeData, flagEndStream, s, emptyMessage) })},
		attack{name: "HEADERS after END_STREAM", play: ended(echoBlock, func(b *buffer, s uint32) {
			b.frame(typeHeaders, flagEndHeaders|flagEndStream, s, literal(nil, 0, "x", "y"))
		})},
		attack{name: "trailers without END_STREAM", play: reset(echoBlock, func(b *buffer, s uint32) {
			b.frame(typeHeaders, flagEndHeaders, s, literal(nil, 0, "x", "y"))
		})},
		attack{name: "content-length that lies", play: reset(grpcBlock(echoMethod, "content-length", "9"), func(b *buffer, s uint32) {
			b.frame(typeData, flagEndStream, s, emptyMessage)
		})},
		attack{name: "malformed heads", play: ended(grpcBlock(echoMethod, "connection", "close"), func(*buffer, uint32) {})})
	add("field blocks", "16 CONTINUATION frames, 64 KiB of fields as decoded", false,
		attack{name: "CONTINUATION, empty", play: continuations(0)},
		attack{name: "CONTINUATION, 1 byte", play: continuations(1)},
		attack{name: "CONTINUATION, 8 KiB", play: continuations(8192)},
		attack{name: "HPACK bomb", play: hpackBomb()},
		attack{name: "HPACK table games", play: tableGames()},
		attack{name: "HPACK table beyond its limit", play: reset(append(hpackInt(nil, 0x20, 5, 1<<20), echoBlock...), func(*buffer, uint32) {})})
	table := settings(settingTableSize, 0, settingTableSize, 4096, settingWindowSize, 1<<31-1, settingWindowSize, 0)
	add("floods", "rates of frames without use, e.g. PING 200 at once and 7/s", false,
		attack{name: "empty DATA", play: on(typeData, 0, nil)},
		attack{name: "padded DATA", play: on(typeData, flagPadded, append([]byte{255}, make([]byte, 255)...))},
		attack{name: "SETTINGS", play: same(true, typeSettings, 0, 0, table)},
		attack{name: "SETTINGS, nothing read", play: same(false, typeSettings, 0, 0, nil)},
		attack{name: "PING", play: same(true, typePing, 0, 0, pings)},
		attack{name: "PING, nothing read", play: same(false, typePing, 0, 0, pings)},
		attack{name: "PING acknowledgements", play: same(true, typePing, flagAck, 0, pings)},
		attack{name: "PRIORITY", play: same(true, typePriority, 0, 1, make([]byte, 5))},
		attack{name: "unknown frames", play: same(true, typeUnknown, 0, 1, nil)},
		attack{name: "WINDOW_UPDATE", play: on(typeWindowUpdate, 0, []byte{0, 0, 0, 1})},
		attack{name: "GOAWAY", play: same(true, typeGoAway, 0, 0, make([]byte, 8))},
		attack{name: "streams without end", play: unfinished(nil)},
		attack{name: "streams of giant prefixes", play: unfinished([]byte{0, 0, 0x3f, 0xff, 0xff, 0})})
	all = append(all, contentAttacks()...)
	all = append(all, http1Attacks()...)
	all = append(all, tlsAttacks()...)
	add("unread replies", "bytes queued for a connection and for the server", false,
		attack{name: "window 0, one connection", play: unread(1, 100, 0, false), ends: []string{cut, bounded}, seconds: 2},
		attack{name: "window 0, 20 connections", secure: true, play: unread(20, 100, 0, false), ends: []string{cut, bounded, refused}, seconds: 5, busy: true},
		attack{name: "window 1, a byte at a time", play: unread(4, 100, 1, true), ends: []string{cut, bounded}, seconds: 2},
		attack{name: "HTTP/1.1, 500 connections", protocol: "http/1.1", play: unread1(500), ends: []string{cut, bounded, refused}, seconds: 5, busy: true})
	all = append(all, slowAttacks()...)
	return all
}

var zeros = bytes.Repeat([]byte{0}, 1<<20)
