package main

import (
	"crypto/tls"
	"net"
	"slices"
	"time"
)

// Peers that take their time: each must be cut off by a timer, however little it costs.

const dripEvery = 250 * time.Millisecond

// drip opens connections, sends begin on each, then rest byte by byte, and waits for the
// server's ends of them all.
func drip(connections int, begin string, rest []byte) func(*assault) {
	return func(a *assault) {
		var peers []*peer
		for i := 0; i < connections; i++ {
			p, err := a.dial()
			if err != nil {
				a.fault("no connection: %v", err)
				break
			}
			peers = append(peers, p)
			if begin != "" {
				p.send([]byte(begin))
			}
			go func() {
				defer p.once.Do(func() { close(p.done) })
				input := make([]byte, 1024)
				for {
					if _, err := p.Conn.Read(input); err != nil {
						return
					}
				}
			}()
		}
		start := time.Now()
		for i := 0; len(peers) > 0 && !a.over(); i++ {
			time.Sleep(dripEvery)
			peers = slices.DeleteFunc(peers, func(p *peer) bool {
				select {
				case <-p.done:
					a.end(cut, "closed after "+time.Since(start).Round(time.Second).String())
					p.reset()
					return true
				default:
					if i < len(rest) {
						p.send(rest[i : i+1])
					}
					return false
				}
			})
		}
		for _, p := range peers {
			a.end(taken, "")
			a.fault("still open after %v", time.Since(start).Round(time.Second))
			p.reset()
		}
	}
}

// idle holds connections that have made one good beginning: they may stay, and must cost little.
func idle(connections int, begin string) func(*assault) {
	return func(a *assault) {
		if !a.full {
			connections /= 10
		}
		var peers []*peer
		for i := 0; i < connections; i++ {
			p, err := a.dial()
			if err != nil {
				a.fault("connection %d: %v", i, err)
				break
			}
			p.send([]byte(begin))
			peers = append(peers, p)
		}
		for !a.over() {
			time.Sleep(100 * time.Millisecond)
		}
		for _, p := range peers {
			a.end(bounded, "")
			p.reset()
		}
	}
}

// hello is a ClientHello as a client of TLS sends it.
func hello() []byte {
	ours, theirs := net.Pipe()
	go tls.Client(theirs, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}}).Handshake()
	bytes := make([]byte, 4096)
	n, _ := ours.Read(bytes)
	ours.Close()
	theirs.Close()
	return bytes[:n]
}

func slowAttacks() []attack {
	var open buffer
	open.bytes = []byte(preface)
	open.frame(typeSettings, 0, 0, nil).frame(typeSettings, flagAck, 0, nil)
	opened := string(open.bytes)
	var head buffer
	head.frame(typeHeaders, flagEndHeaders, 1, echoBlock)
	content := "POST /" + echoMethod + " HTTP/1.1\r\nhost: x\r\ncontent-type: application/proto\r\ncontent-length: 4000\r\n\r\n"
	long := []byte("GET / HTTP/1.1\r\nx: " + repeat("y", 1000))
	list := []attack{
		{name: "silence", play: drip(100, "", nil)},
		{name: "HTTP/2 preface by the byte", play: drip(100, "", []byte(preface[:23]))},
		{name: "HTTP/2 without SETTINGS", play: drip(100, preface, nil)},
		{name: "HTTP/2 without acknowledgement", play: drip(100, opened[:len(opened)-9], nil)},
		{name: "HEADERS by the byte", play: drip(100, opened, head.bytes[:len(head.bytes)-1])},
		{name: "HEADERS without CONTINUATION", play: drip(100, opened+string((&buffer{}).frame(typeHeaders, 0, 1, echoBlock).bytes), nil)},
		{name: "HTTP/1.1 head by the byte", play: drip(100, "", long)},
		{name: "HTTP/1.1 content by the byte", play: drip(100, content, zeros[:4000])},
		{name: "TLS without a word", play: drip(100, "", nil), rawTLS: true},
		{name: "TLS hello by the byte", play: drip(100, "", hello()), rawTLS: true},
		{name: "TLS hello, and nothing more", play: drip(100, string(hello()), nil), rawTLS: true},
	}
	for i := range list {
		list[i].bound = "10 s for preface, handshake and head; 4 KiB in 20 s of content"
		list[i].ends = []string{cut}
		list[i].seconds = 26
	}
	list = append(list,
		attack{name: "10,000 sockets, silent", play: drip(10_000, "", nil), bound: "10 s without a word",
			ends: []string{cut}, seconds: 26, fullOnly: true})
	for i := range list {
		list[i].group = "slow"
		list[i].protocol = "h2"
	}
	return append(list, attack{name: "10,000 idle HTTP/2 connections", play: idle(10_000, opened), group: "idle", protocol: "h2",
		bound: "their number; memory for each", ends: []string{bounded}, seconds: 3})
}

// handshakes: a whole one each, or only the hello that makes the server work.
func handshakes(whole bool) func(*assault) {
	first := hello()
	return func(a *assault) {
		for !a.over() {
			p, err := a.dial()
			if err != nil {
				a.fault("no connection: %v", err)
				return
			}
			if whole {
				secure := tls.Client(p.Conn, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
				p.SetDeadline(time.Now().Add(endAfter))
				if err := secure.Handshake(); err != nil {
					a.fault("handshake: %v", err)
				}
			} else {
				p.send(first)
				p.SetReadDeadline(time.Now().Add(endAfter))
				p.Read(make([]byte, 1))
			}
			a.report.Bytes += int64(len(first))
			a.end(bounded, "")
			p.reset()
		}
	}
}

func garbage() func(*assault) {
	first := append(hello(), zeros[:64]...)
	return func(a *assault) {
		for !a.over() {
			p, err := a.dial()
			if err != nil {
				a.fault("no connection: %v", err)
				return
			}
			p.send(first)
			go func() {
				defer p.once.Do(func() { close(p.done) })
				input := make([]byte, 4096)
				for {
					if _, err := p.Conn.Read(input); err != nil {
						return
					}
				}
			}()
			p.awaitEnd(nil, false)
		}
	}
}

func tlsAttacks() []attack {
	list := []attack{
		{name: "TLS handshakes", play: handshakes(true), ends: []string{bounded}},
		{name: "TLS hellos", play: handshakes(false), ends: []string{bounded}},
		{name: "TLS hello, then garbage", play: garbage(), ends: []string{cut}},
	}
	for i := range list {
		list[i].group = "TLS"
		list[i].rawTLS = true
		list[i].bound = "each costs one key exchange; others take turns"
	}
	return list
}
