// grpc-go with the benchmarks' services: grpc-go PORT.
package main

import (
	"context"
	"log"
	"net"
	"os"

	"google.golang.org/grpc"

	"peregrine.dev/bench/peers-go/helloworld"
	v1 "peregrine.dev/bench/peers-go/helloworld/v1"
	"peregrine.dev/bench/peers-go/streams"
)

// Above the 10 MB that bench/streams sends.
const maxMessageBytes = 16 << 20

type greeterV1 struct{ v1.UnimplementedGreeterServer }

func (greeterV1) Hello(_ context.Context, in *v1.HelloRequest) (*v1.HelloResponse, error) {
	return &v1.HelloResponse{Message: "Hello `" + in.GetName() + "` 👋"}, nil
}

type greeter struct {
	helloworld.UnimplementedGreeterServer
}

func (greeter) SayHello(_ context.Context, in *helloworld.HelloRequest) (*helloworld.HelloReply, error) {
	return &helloworld.HelloReply{Message: "Hello " + in.GetName() + "!"}, nil
}

func main() {
	port := "7000"
	if len(os.Args) > 1 {
		port = os.Args[1]
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessageBytes))
	v1.RegisterGreeterServer(server, greeterV1{})
	helloworld.RegisterGreeterServer(server, greeter{})
	streams.RegisterStreamsServer(server, streamsServer{})
	log.Fatal(server.Serve(listener))
}
