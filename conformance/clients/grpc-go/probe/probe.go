// Package probe calls the conformance server's services. The messages are made
// from the .proto files at run time, so that no generated code is kept here.
package probe

import (
	"context"
	"fmt"

	"github.com/bufbuild/protocompile"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// The largest message the server takes: 4 MiB, as everywhere in the ecosystem.
const MessageLimitBytes = 4 << 20

// Client calls one server over one connection.
type Client struct {
	conn  *grpc.ClientConn
	types map[string]protoreflect.MessageDescriptor
}

// Fields are the values of a message, by field name.
type Fields map[string]any

var files = []string{
	"peregrine/conformance/v1/probe.proto",
	"peregrine/conformance/v1/streams.proto",
	"helloworld/v1/helloworld.proto",
	"helloworld/helloworld.proto",
}

// Types reads the .proto files below the given folders.
func Types(importPaths []string) (map[string]protoreflect.MessageDescriptor, error) {
	compiler := protocompile.Compiler{
		Resolver: &protocompile.SourceResolver{ImportPaths: importPaths},
	}
	compiled, err := compiler.Compile(context.Background(), files...)
	if err != nil {
		return nil, err
	}
	types := map[string]protoreflect.MessageDescriptor{}
	for _, file := range compiled {
		for i := 0; i < file.Messages().Len(); i++ {
			message := file.Messages().Get(i)
			types[string(message.FullName())] = message
		}
	}
	return types, nil
}

// Dial makes a client. The connection is opened by the first call.
func Dial(
	address string,
	types map[string]protoreflect.MessageDescriptor,
	options ...grpc.DialOption,
) (*Client, error) {
	options = append(options,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(
			grpc.MaxCallRecvMsgSize(2*MessageLimitBytes),
			grpc.MaxCallSendMsgSize(2*MessageLimitBytes)))
	conn, err := grpc.NewClient("passthrough:///"+address, options...)
	if err != nil {
		return nil, err
	}
	return &Client{conn: conn, types: types}, nil
}

// Close closes the connection.
func (c *Client) Close() { _ = c.conn.Close() }

// Message makes a message of the named type.
func (c *Client) Message(name string, fields Fields) *dynamicpb.Message {
	descriptor, known := c.types[name]
	if !known {
		panic(fmt.Sprintf("no message %s", name))
	}
	message := dynamicpb.NewMessage(descriptor)
	for field, value := range fields {
		message.Set(descriptor.Fields().ByName(protoreflect.Name(field)), protoreflect.ValueOf(value))
	}
	return message
}

// Call makes a unary call.
func (c *Client) Call(
	ctx context.Context,
	path string,
	request *dynamicpb.Message,
	replyType string,
	options ...grpc.CallOption,
) (*dynamicpb.Message, error) {
	reply := c.Message(replyType, nil)
	err := c.conn.Invoke(ctx, path, request, reply, options...)
	return reply, err
}

// Stream opens a streaming call.
func (c *Client) Stream(
	ctx context.Context,
	path string,
	desc *grpc.StreamDesc,
) (grpc.ClientStream, error) {
	return c.conn.NewStream(ctx, desc, path)
}

// Get reads a field.
func Get(message *dynamicpb.Message, field string) protoreflect.Value {
	return message.Get(message.Descriptor().Fields().ByName(protoreflect.Name(field)))
}

// Echo sends a payload and returns what came back.
func (c *Client) Echo(ctx context.Context, payload []byte) ([]byte, error) {
	reply, err := c.Call(ctx, "/peregrine.conformance.v1.Probe/Echo",
		c.Message("peregrine.conformance.v1.EchoRequest", Fields{"payload": payload}),
		"peregrine.conformance.v1.EchoResponse")
	if err != nil {
		return nil, err
	}
	return Get(reply, "payload").Bytes(), nil
}
