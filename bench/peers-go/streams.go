package main

import (
	"context"
	"io"

	"google.golang.org/grpc"

	"peregrine.dev/bench/peers-go/streams"
)

// What bench/streams measures.
type streamsServer struct{ streams.UnimplementedStreamsServer }

func (streamsServer) Unary(_ context.Context, in *streams.Payload) (*streams.Payload, error) {
	return in, nil
}

func (streamsServer) Download(in *streams.Order, out grpc.ServerStreamingServer[streams.Payload]) error {
	payload := &streams.Payload{Body: make([]byte, in.GetSize())}
	for range in.GetCount() {
		if err := out.Send(payload); err != nil {
			return err
		}
	}
	return nil
}

func (streamsServer) Upload(in grpc.ClientStreamingServer[streams.Payload, streams.Receipt]) error {
	receipt := &streams.Receipt{}
	for {
		payload, err := in.Recv()
		if err == io.EOF {
			return in.SendAndClose(receipt)
		}
		if err != nil {
			return err
		}
		receipt.Messages++
		receipt.Bytes += uint64(len(payload.GetBody()))
	}
}

func (streamsServer) PingPong(stream grpc.BidiStreamingServer[streams.Payload, streams.Payload]) error {
	for {
		payload, err := stream.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := stream.Send(payload); err != nil {
			return err
		}
	}
}
