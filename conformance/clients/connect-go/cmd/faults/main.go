// Calls a server of every execution by every wire over connections that are sick: written byte by
// byte, read late, with tiny windows, reset, half-closed, cut. Whatever arrives must be right; over
// connections that do not die every call must succeed, unless the client itself cancels it, as it
// does with some; every call must end; and when all is over, the server must hold nothing. Between
// the phases of a long run the server is looked at while it rests: nothing may have grown.
//
//	faults -duration 10s -phases 1 -- java … SoakServer CERTIFICATE KEY
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"connectrpc.com/connect"

	"peregrine/conformance/connect-go/wires"
)

// What the JDK itself keeps more of after a while: code, and sockets it has closed.
const heapNoiseBytes = 2 << 20

// What the process may take more at the end of a run than after its first phase, which the JVM
// never gives back at once: its heap is bounded, what is beside it should not grow.
const rssNoiseKiB = 32 << 10

// One call of so many is cancelled, at any moment of its first milliseconds.
const (
	cancelledOf    = 20
	cancelledAfter = 20 * time.Millisecond
)

// How long the client may take to close its connections once all calls are over: some are busy with
// cancelling calls when they are told first.
const closingTimeout = 10 * time.Second

// How many call at once by one wire with one sickness.
const callers = 6

type kind struct {
	method string
	call   func(context.Context, *client) error
	bidi   bool
}

var kinds = []kind{{"Unary", unary, false}, {"Download", downloads, false}, {"Upload", uploads, false}, {"Chat", chats, true}}

// Counts of one sickness.
type counts struct {
	well, failed, wrong, hung, cancelled atomic.Int64
	mutex                                sync.Mutex
	example, bad                         string
}

func main() {
	duration := flag.Duration("duration", 10*time.Second, "how long")
	phases := flag.Int("phases", 1, "in how many parts, between which the server rests")
	variants := flag.String("variants", "InlineEvents,OneWorkerBlocking,OneWorkerEvents,WorkersBlocking,WorkersEvents,ExecutorBlocking,ExecutorEvents", "services")
	only := flag.String("only", "", "a regular expression for the sicknesses wanted")
	flag.Parse()
	wanted := regexp.MustCompile(*only)
	sicknesses = slices.DeleteFunc(sicknesses, func(s sickness) bool { return !wanted.MatchString(s.name) })
	server, err := start(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	defer server.command.Process.Kill()
	services := strings.Split(*variants, ",")
	run(server, services, *duration/5, nil) // code is compiled, threads are started, caches are filled
	before := server.idle(20 * time.Second)
	results := make([]counts, len(sicknesses))
	var rests []state
	for phase := range *phases {
		run(server, services, *duration/time.Duration(*phases), results)
		rest := server.idle(20 * time.Second)
		rests = append(rests, rest)
		if *phases > 1 {
			fmt.Printf("phase %d: %d calls, live heap %d KiB, RSS %d MiB, threads %d, open files %d\n",
				phase+1, rest.started, rest.heapBytes>>10, rest.rssKiB>>10, rest.threads, len(rest.files))
		}
	}
	passed, failed := 0, 0
	check := func(well bool, format string, values ...any) {
		word := "ok"
		if well {
			passed++
		} else {
			failed++
			word = "not ok"
		}
		fmt.Println(word, "faults", fmt.Sprintf(format, values...))
	}
	for i := range results {
		r, s := &results[i], sicknesses[i]
		check(r.well.Load() > 0 && r.wrong.Load() == 0, "%s: whatever arrived was right: %d calls well, %d cancelled, %d failed %s", s.name, r.well.Load(), r.cancelled.Load(), r.failed.Load(), r.bad)
		check(r.hung.Load() == 0, "%s: every call ended", s.name)
		if !s.lethal() {
			check(r.failed.Load() == 0, "%s: no call failed %s", s.name, r.example)
		}
	}
	after := rests[len(rests)-1]
	lethal := slices.ContainsFunc(sicknesses, sickness.lethal)
	check(!lethal || deaths.Load() > 0, "%d of %d connections died", deaths.Load(), connections.Load())
	check(living.Load() == 0, "the client has closed its connections: %d left", living.Load())
	check(after.open == 0 && after.connections == 0, "nothing is left of %d calls: %d open, %d connections", after.started, after.open, after.connections)
	check(after.threads <= before.threads, "threads: %d before, %d after", before.threads, after.threads)
	opened := slices.DeleteFunc(slices.Clone(after.files), func(name string) bool { return slices.Contains(before.files, name) })
	check(len(after.files) <= len(before.files), "open files: %d before, %d after %q", len(before.files), len(after.files), opened)
	check(after.heapBytes-before.heapBytes <= heapNoiseBytes, "live heap: %d KiB before, %d after", before.heapBytes>>10, after.heapBytes>>10)
	check(after.rssKiB-rests[0].rssKiB <= rssNoiseKiB, "RSS: %d MiB after the first phase, %d at the end", rests[0].rssKiB>>10, after.rssKiB>>10)
	check(server.stop() == nil, "the server ends")
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}

func run(server *server, services []string, duration time.Duration, results []counts) {
	end := time.Now().Add(duration)
	var group sync.WaitGroup
	var transports []*http.Transport
	for i, sickness := range sicknesses {
		var result *counts
		if results != nil {
			result = &results[i]
		} else {
			result = &counts{}
		}
		for _, wire := range wires.All() {
			transport := wire.Transport(sickness.dial, &tls.Config{InsecureSkipVerify: true})
			if wire.HTTP2 && sickness.windowBytes > 0 {
				transport.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: sickness.windowBytes}
			}
			transports = append(transports, transport)
			for range callers {
				group.Add(1)
				go func() {
					defer group.Done()
					for time.Now().Before(end) {
						one(server, services, wire, transport, result)
					}
				}()
			}
		}
	}
	group.Wait()
	closeAll(transports)
}

// one makes a call that is any of all there are.
func one(server *server, services []string, wire wires.Wire, transport *http.Transport, result *counts) {
	service := services[rand.IntN(len(services))]
	kind := kinds[rand.IntN(len(kinds))]
	if kind.bidi && !wire.HTTP2 {
		return
	}
	url := wire.URL(server.plain, server.secure, "soak."+service+"/"+kind.method)
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	if rand.IntN(cancelledOf) == 0 {
		time.AfterFunc(rand.N(cancelledAfter), cancel)
	}
	err := kind.call(ctx, wire.Client(transport, url))
	result.add(fmt.Sprintf("%v, %s/%s", wire, service, kind.method), err, ctx.Err())
}

// closeAll has connections closed until there is none, so that those left are the server's fault.
func closeAll(transports []*http.Transport) {
	for end := time.Now().Add(closingTimeout); ; time.Sleep(20 * time.Millisecond) {
		for _, transport := range transports {
			transport.CloseIdleConnections()
		}
		if living.Load() == 0 || time.Now().After(end) {
			return
		}
	}
}

func (c *counts) add(what string, err, timeout error) {
	if err == nil {
		c.well.Add(1)
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch {
	case errors.Is(err, errWrong):
		c.wrong.Add(1)
		c.bad = fmt.Sprintf("(e.g. %s: %v)", what, err)
	case errors.Is(timeout, context.Canceled):
		c.cancelled.Add(1)
		return
	case timeout != nil || connect.CodeOf(err) == connect.CodeDeadlineExceeded:
		c.hung.Add(1)
	}
	c.failed.Add(1)
	c.example = fmt.Sprintf("(%d, e.g. %s: %v)", c.failed.Load(), what, err)
}
