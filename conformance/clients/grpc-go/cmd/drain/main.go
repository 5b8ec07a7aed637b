// Calls a server from many connections and counts the status of every call,
// while servers come and go behind the port. Prints one line of totals; exit
// code 1 when any call did not end with OK.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"peregrine/conformance/grpc-go/probe"
)

// A call that has no answer after this long counts as lost.
const callTimeout = 20 * time.Second

// What one caller saw.
type tally struct {
	statuses map[codes.Code]int
	example  string
}

func main() {
	address := flag.String("address", "127.0.0.1:7000", "host:port of the server")
	protos := flag.String("protos", "", "folders of .proto files, separated by commas")
	connections := flag.Int("connections", 20, "connections")
	streams := flag.Int("streams", 10, "calls under way on each connection")
	duration := flag.Duration("duration", 10*time.Second, "how long; SIGINT ends it earlier")
	flag.Parse()
	types, err := probe.Types(strings.Split(*protos, ","))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, *duration)
	defer cancel()

	tallies := make([]tally, *connections**streams)
	var group sync.WaitGroup
	for i := 0; i < *connections; i++ {
		client, err := probe.Dial(*address, types)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		defer client.Close()
		for j := 0; j < *streams; j++ {
			group.Add(1)
			go func() {
				defer group.Done()
				tallies[i**streams+j] = call(ctx, client, byte(i))
			}()
		}
	}
	group.Wait()
	if !report(tallies) {
		os.Exit(1)
	}
}

// Calls until the context ends. A call that has begun is always finished, so
// that stopping loses none.
func call(ctx context.Context, client *probe.Client, mark byte) tally {
	seen := tally{statuses: map[codes.Code]int{}}
	sent := bytes.Repeat([]byte{mark}, 100)
	for ctx.Err() == nil {
		callCtx, cancel := context.WithTimeout(context.Background(), callTimeout)
		payload, err := client.Echo(callCtx, sent)
		cancel()
		if err == nil && !bytes.Equal(payload, sent) {
			err = status.Error(codes.DataLoss, "came back changed")
		}
		seen.statuses[status.Code(err)]++
		if err != nil {
			seen.example = err.Error()
		}
	}
	return seen
}

func report(tallies []tally) bool {
	sum := map[codes.Code]int{}
	example := ""
	for _, t := range tallies {
		for code, n := range t.statuses {
			sum[code] += n
		}
		if t.example != "" {
			example = t.example
		}
	}
	names := []string{}
	for code, n := range sum {
		names = append(names, fmt.Sprintf("%s=%d", code, n))
	}
	sort.Strings(names)
	fmt.Println("calls:", strings.Join(names, " "))
	if example != "" {
		fmt.Println("for example:", example)
	}
	return sum[codes.OK] > 0 && len(sum) == 1
}
