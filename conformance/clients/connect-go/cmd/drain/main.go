// Keeps many calls under way by every wire, while servers come and go behind the ports or take new
// certificates. Prints one line of totals; exit code 1 when a call failed.
package main

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"connectrpc.com/connect"

	"peregrine/conformance/connect-go/wires"
)

// A call that has no answer after this long counts as lost.
const callTimeout = 20 * time.Second

// How many calls share an HTTP/2 connection.
const streams = 25

func main() {
	plain := flag.String("plain", "", "host:port")
	secure := flag.String("secure", "", "host:port with TLS")
	calls := flag.Int("calls", 1000, "calls under way")
	duration := flag.Duration("duration", 10*time.Second, "how long")
	mostMillis := flag.Int("millis", 600, "how long a call takes at most")
	renew := flag.Bool("renew", false, "leave connections after a while, so that new handshakes are made")
	flag.Parse()

	var dials, good, flying, peak atomic.Int64
	var mutex sync.Mutex
	bad := map[string]int{}
	end := time.Now().Add(*duration)
	var group sync.WaitGroup
	all := wires.All()
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		dials.Add(1)
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	for w, wire := range all {
		share := *calls / len(all)
		for share > 0 {
			// HTTP/1.1 has a pool of connections, and none is shared at one time.
			group.Add(1)
			n := min(share, streams)
			share -= n
			go func() {
				defer group.Done()
				transport := wire.Transport(dial, &tls.Config{InsecureSkipVerify: true})
				client := wire.Client(transport, wire.URL(*plain, *secure, "peregrine.conformance.v1.Probe/Sleep"))
				var callers sync.WaitGroup
				for range n {
					callers.Add(1)
					go func() {
						defer callers.Done()
						for time.Now().Before(end) {
							peak.Store(max(peak.Load(), flying.Add(1)))
							err := call(client, rand.IntN(*mostMillis))
							flying.Add(-1)
							if err == nil {
								good.Add(1)
								if *renew && rand.IntN(4) == 0 {
									transport.CloseIdleConnections()
								}
								continue
							}
							mutex.Lock()
							bad[fmt.Sprintf("%s: %v", all[w], err)]++
							mutex.Unlock()
						}
					}()
				}
				callers.Wait()
				transport.CloseIdleConnections()
			}()
		}
	}
	group.Wait()
	sum := 0
	var lines []string
	for what, n := range bad {
		sum += n
		lines = append(lines, fmt.Sprintf("%d times %s", n, what))
	}
	sort.Strings(lines)
	fmt.Printf("%d calls well, %d failed, up to %d under way, %d connections by %d wires %s\n",
		good.Load(), sum, peak.Load(), dials.Load(), len(all), strings.Join(lines[:min(5, len(lines))], "; "))
	if sum > 0 || good.Load() == 0 || peak.Load() < int64(*calls)*9/10 {
		os.Exit(1)
	}
}

// call has the server sleep, so that the call is under way for a while.
func call(client *connect.Client[wires.Raw, wires.Raw], millis int) error {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	message := binary.AppendUvarint([]byte{0x08}, uint64(millis))
	response, err := client.CallUnary(ctx, connect.NewRequest(&wires.Raw{Bytes: message}))
	if err == nil && len(response.Msg.Bytes) != 0 {
		return fmt.Errorf("cancelled early")
	}
	return err
}
