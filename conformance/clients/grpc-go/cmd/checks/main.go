// Checks a server with grpc-go: one "ok NAME" or "not ok NAME: why" per check,
// then "done".
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"peregrine/conformance/grpc-go/probe"
)

const (
	service = "peregrine.conformance.v1."
	// Two UTF-8 lengths, a line break and the escape character itself.
	awkwardText = "100% größer\nline2 🚀"
	// Tag and length of a bytes field of 4 MiB.
	echoOverheadBytes = 5
	concurrentCalls   = 1000
	checkTimeout      = 30 * time.Second
)

type check struct {
	name string
	run  func(context.Context, *probe.Client) error
}

var checks = []check{
	{"hello", hello},
	{"unknown-method", unknownMethod},
	{"unknown-service", unknownService},
	{"status-text", statusText},
	{"metadata", metadataEcho},
	{"empty-message", emptyMessage},
	{"message-at-limit", messageAtLimit},
	{"message-over-limit", messageOverLimit},
	{"concurrent", concurrent},
	{"download", download},
	{"download-status", downloadStatus},
	{"upload", upload},
	{"chat", chat},
	{"cancel", cancelDownload},
}

func main() {
	address := flag.String("address", "127.0.0.1:7000", "host:port of the server")
	protos := flag.String("protos", "", "folders of .proto files, separated by commas")
	flag.Parse()
	types, err := probe.Types(strings.Split(*protos, ","))
	if err != nil {
		fmt.Println("not ok protos:", err)
		os.Exit(1)
	}
	client, err := probe.Dial(*address, types)
	if err != nil {
		fmt.Println("not ok dial:", err)
		os.Exit(1)
	}
	defer client.Close()
	failed := false
	for _, c := range checks {
		ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
		if err := c.run(ctx, client); err != nil {
			failed = true
			fmt.Printf("not ok %s: %v\n", c.name, err)
		} else {
			fmt.Println("ok", c.name)
		}
		cancel()
	}
	fmt.Println("done")
	if failed {
		os.Exit(1)
	}
}

func hello(ctx context.Context, client *probe.Client) error {
	reply, err := client.Call(ctx, "/helloworld.v1.Greeter/Hello",
		client.Message("helloworld.v1.HelloRequest", probe.Fields{"name": "grpc-go"}),
		"helloworld.v1.HelloResponse")
	if err != nil {
		return err
	}
	if text := probe.Get(reply, "message").String(); text != "Hello `grpc-go` 👋" {
		return fmt.Errorf("Hello answered %q", text)
	}
	reply, err = client.Call(ctx, "/helloworld.Greeter/SayHello",
		client.Message("helloworld.HelloRequest", probe.Fields{"name": "grpc-go"}),
		"helloworld.HelloReply")
	if err != nil {
		return err
	}
	if text := probe.Get(reply, "message").String(); text != "Hello grpc-go!" {
		return fmt.Errorf("SayHello answered %q", text)
	}
	return nil
}

func unknownMethod(ctx context.Context, client *probe.Client) error {
	return refusedAsUnknown(ctx, client, "/peregrine.conformance.v1.Probe/Missing")
}

func unknownService(ctx context.Context, client *probe.Client) error {
	return refusedAsUnknown(ctx, client, "/peregrine.conformance.v1.Missing/Echo")
}

func refusedAsUnknown(ctx context.Context, client *probe.Client, path string) error {
	_, err := client.Call(ctx, path,
		client.Message(service+"EchoRequest", nil), service+"EchoResponse")
	return expect(err, codes.Unimplemented)
}

func statusText(ctx context.Context, client *probe.Client) error {
	_, err := client.Call(ctx, "/peregrine.conformance.v1.Probe/Fail",
		client.Message(service+"FailRequest",
			probe.Fields{"code": int32(codes.FailedPrecondition), "text": awkwardText}),
		service+"FailResponse")
	if wrong := expect(err, codes.FailedPrecondition); wrong != nil {
		return wrong
	}
	if text := status.Convert(err).Message(); text != awkwardText {
		return fmt.Errorf("status text %q", text)
	}
	return nil
}

func metadataEcho(ctx context.Context, client *probe.Client) error {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	ctx = metadata.AppendToOutgoingContext(ctx,
		"echo-text", "one", "echo-text", "two",
		"echo-bytes-bin", string(every), "echo-bytes-bin", "",
		"echo-trailing-text", "three",
		"echo-trailing-bytes-bin", string(every[:1]))
	var header, trailer metadata.MD
	_, err := client.Call(ctx, "/peregrine.conformance.v1.Probe/Metadata",
		client.Message(service+"MetadataRequest", nil), service+"MetadataResponse",
		grpc.Header(&header), grpc.Trailer(&trailer))
	if err != nil {
		return err
	}
	return errors.Join(
		same(header, "echo-text", "one", "two"),
		same(header, "echo-bytes-bin", string(every), ""),
		same(trailer, "echo-trailing-text", "three"),
		same(trailer, "echo-trailing-bytes-bin", string(every[:1])))
}

func same(found metadata.MD, name string, values ...string) error {
	if got := found.Get(name); strings.Join(got, "|") != strings.Join(values, "|") {
		return fmt.Errorf("%s is %q, not %q", name, got, values)
	}
	return nil
}

func emptyMessage(ctx context.Context, client *probe.Client) error {
	payload, err := client.Echo(ctx, nil)
	if err == nil && len(payload) != 0 {
		return fmt.Errorf("%d bytes came back", len(payload))
	}
	return err
}

func messageAtLimit(ctx context.Context, client *probe.Client) error {
	for _, messageBytes := range []int{300 << 10, probe.MessageLimitBytes - 1, probe.MessageLimitBytes} {
		sent := bytes.Repeat([]byte("0123456789abcdef"), messageBytes/16+1)[:messageBytes-echoOverheadBytes]
		payload, err := client.Echo(ctx, sent)
		if err != nil {
			return fmt.Errorf("message of %d bytes: %w", messageBytes, err)
		}
		if !bytes.Equal(payload, sent) {
			return fmt.Errorf("message of %d bytes came back changed", messageBytes)
		}
	}
	return nil
}

func messageOverLimit(ctx context.Context, client *probe.Client) error {
	_, err := client.Echo(ctx, make([]byte, probe.MessageLimitBytes+1-echoOverheadBytes))
	if wrong := expect(err, codes.ResourceExhausted); wrong != nil {
		return wrong
	}
	return emptyMessage(ctx, client)
}

func concurrent(ctx context.Context, client *probe.Client) error {
	results := make([]error, concurrentCalls)
	var group sync.WaitGroup
	for i := range results {
		group.Add(1)
		go func() {
			defer group.Done()
			sent := bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 1+i)
			payload, err := client.Echo(ctx, sent)
			if err == nil && !bytes.Equal(payload, sent) {
				err = fmt.Errorf("call %d came back changed", i)
			}
			results[i] = err
		}()
	}
	group.Wait()
	return errors.Join(results...)
}

func expect(err error, code codes.Code) error {
	if status.Code(err) != code {
		return fmt.Errorf("wanted %v, got %v", code, err)
	}
	return nil
}
