// Holds idle connections to a server: half of them by grpc-go, which answers
// pings, half silent after the HTTP/2 preface, as some clients are. Prints
// "ready" when all are open, and ends when all are closed by the server.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"peregrine/conformance/grpc-go/probe"
)

// The client preface and an empty SETTINGS frame.
const opening = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\x00\x00\x00\x04\x00\x00\x00\x00\x00"

// SETTINGS with the ACK flag.
const acknowledgement = "\x00\x00\x00\x04\x01\x00\x00\x00\x00"

const openTimeout = 20 * time.Second

func main() {
	address := flag.String("address", "127.0.0.1:7000", "host:port of the server")
	protos := flag.String("protos", "", "folders of .proto files, separated by commas")
	connections := flag.Int("connections", 100, "connections")
	flag.Parse()
	types, err := probe.Types(strings.Split(*protos, ","))
	check(err)
	var open, closed sync.WaitGroup
	for i := 0; i < *connections; i++ {
		open.Add(1)
		if i%2 == 0 {
			client, err := probe.Dial(*address, types)
			check(err)
			go func() {
				defer open.Done()
				ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
				defer cancel()
				_, err := client.Echo(ctx, nil)
				check(err)
			}()
			continue
		}
		closed.Add(1)
		go silent(*address, &open, &closed)
	}
	open.Wait()
	fmt.Println("ready")
	closed.Wait()
}

func silent(address string, open, closed *sync.WaitGroup) {
	defer closed.Done()
	conn, err := net.Dial("tcp", address)
	check(err)
	defer conn.Close()
	_, err = io.WriteString(conn, opening+acknowledgement)
	check(err)
	// The first byte is the server's SETTINGS: the connection is open.
	_, err = io.ReadFull(conn, make([]byte, 1))
	check(err)
	open.Done()
	_, _ = io.Copy(io.Discard, conn)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
