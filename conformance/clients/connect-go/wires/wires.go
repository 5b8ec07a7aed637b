// Package wires has what the programs here share: every combination of protocol, version of HTTP
// and TLS that a server is called by, and messages that are their own bytes.
package wires

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"

	"connectrpc.com/connect"
)

// A Wire is one way to call.
type Wire struct {
	Protocol string // gRPC, gRPC-Web or Connect
	HTTP2    bool
	TLS      bool
}

// All ways that make sense: gRPC needs HTTP/2.
func All() []Wire {
	var all []Wire
	for _, secure := range []bool{false, true} {
		all = append(all,
			Wire{"gRPC", true, secure}, Wire{"Connect", true, secure},
			Wire{"Connect", false, secure}, Wire{"gRPC-Web", false, secure})
	}
	return all
}

func (w Wire) String() string {
	version, secure := "HTTP/1.1", ""
	if w.HTTP2 {
		version = "HTTP/2"
	}
	if w.TLS {
		secure = ", TLS"
	}
	return fmt.Sprintf("%s over %s%s", w.Protocol, version, secure)
}

// Dial makes the connections of a transport.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Transport for one wire, with connections of its own.
func (w Wire) Transport(dial Dial, roots *tls.Config) *http.Transport {
	var protocols http.Protocols
	protocols.SetHTTP1(!w.HTTP2)
	protocols.SetHTTP2(w.HTTP2 && w.TLS)
	protocols.SetUnencryptedHTTP2(w.HTTP2 && !w.TLS)
	return &http.Transport{
		DialContext:         dial,
		Protocols:           &protocols,
		ForceAttemptHTTP2:   w.HTTP2 && w.TLS,
		TLSClientConfig:     roots,
		TLSHandshakeTimeout: 20 * time.Second,
		DisableCompression:  true,
		MaxIdleConnsPerHost: 1000,
		// Below the times after which the server closes connections that are idle (75 s), or never
		// used (10 s): a call begun at that very moment is lost, and net/http repeats it only over a
		// connection that was used before.
		IdleConnTimeout: 5 * time.Second,
	}
}

// URL of a method on a server with a plain port and one with TLS.
func (w Wire) URL(plain, secure, method string) string {
	if w.TLS {
		return "https://" + secure + "/" + method
	}
	return "http://" + plain + "/" + method
}

// Client for one method.
func (w Wire) Client(transport *http.Transport, url string) *connect.Client[Raw, Raw] {
	options := []connect.ClientOption{connect.WithCodec(codec{}), connect.WithAcceptCompression("gzip", nil, nil)}
	switch w.Protocol {
	case "gRPC":
		options = append(options, connect.WithGRPC())
	case "gRPC-Web":
		options = append(options, connect.WithGRPCWeb())
	}
	return connect.NewClient[Raw, Raw](&http.Client{Transport: transport}, url, options...)
}

// Raw is a message that is its own bytes.
type Raw struct{ Bytes []byte }

type codec struct{}

func (codec) Name() string { return "proto" }

// Marshal copies: connect-go keeps what it is given in a pool of buffers.
func (codec) Marshal(message any) ([]byte, error) {
	return append([]byte(nil), message.(*Raw).Bytes...), nil
}

func (codec) Unmarshal(bytes []byte, message any) error {
	message.(*Raw).Bytes = append([]byte(nil), bytes...)
	return nil
}
