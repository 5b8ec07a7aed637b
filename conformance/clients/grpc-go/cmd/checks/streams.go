package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/dynamicpb"

	"peregrine/conformance/grpc-go/probe"
)

const (
	streams          = "/peregrine.conformance.v1.Streams/"
	items            = 500
	itemPayloadBytes = 10_000
	// More than anybody waits for: only a cancel ends it.
	endlessItems = 1 << 30
)

func download(ctx context.Context, client *probe.Client) error {
	received, err := openDownload(ctx, client, probe.Fields{
		"items": int32(items), "payload_bytes": int32(itemPayloadBytes)})
	if err != nil {
		return err
	}
	for i := 0; i < items; i++ {
		if err := nextItem(client, received, i, itemPayloadBytes); err != nil {
			return err
		}
	}
	return expectEnd(received.RecvMsg(client.Message(service+"Item", nil)))
}

func downloadStatus(ctx context.Context, client *probe.Client) error {
	received, err := openDownload(ctx, client, probe.Fields{
		"items": int32(5), "code": int32(codes.FailedPrecondition), "text": awkwardText})
	if err != nil {
		return err
	}
	for i := 0; i < 5; i++ {
		if err := nextItem(client, received, i, 0); err != nil {
			return err
		}
	}
	err = received.RecvMsg(client.Message(service+"Item", nil))
	if text := status.Convert(err).Message(); text != awkwardText {
		return fmt.Errorf("status text %q", text)
	}
	return expect(err, codes.FailedPrecondition)
}

func upload(ctx context.Context, client *probe.Client) error {
	sent, err := client.Stream(ctx, streams+"Upload", &grpc.StreamDesc{ClientStreams: true})
	if err != nil {
		return err
	}
	for i := 0; i < items; i++ {
		if err := sent.SendMsg(item(client, i, itemPayloadBytes)); err != nil {
			return err
		}
	}
	if err := sent.CloseSend(); err != nil {
		return err
	}
	sum := client.Message(service+"UploadResponse", nil)
	if err := sent.RecvMsg(sum); err != nil {
		return err
	}
	count, payloadBytes := probe.Get(sum, "items").Int(), probe.Get(sum, "payload_bytes").Int()
	if count != items || payloadBytes != items*itemPayloadBytes {
		return fmt.Errorf("%d items of %d bytes arrived", count, payloadBytes)
	}
	return nil
}

func chat(ctx context.Context, client *probe.Client) error {
	both, err := client.Stream(ctx, streams+"Chat",
		&grpc.StreamDesc{ClientStreams: true, ServerStreams: true})
	if err != nil {
		return err
	}
	for i := 0; i < items; i++ {
		if err := both.SendMsg(item(client, i, i)); err != nil {
			return err
		}
		if err := nextItem(client, both, i, i); err != nil {
			return err
		}
	}
	if err := both.CloseSend(); err != nil {
		return err
	}
	return expectEnd(both.RecvMsg(client.Message(service+"Item", nil)))
}

func cancelDownload(ctx context.Context, client *probe.Client) error {
	short, cancel := context.WithCancel(ctx)
	defer cancel()
	received, err := openDownload(short, client, probe.Fields{"items": int32(endlessItems)})
	if err != nil {
		return err
	}
	for i := 0; i < 10; i++ {
		if err := nextItem(client, received, i, 0); err != nil {
			return err
		}
	}
	cancel()
	for err == nil {
		err = received.RecvMsg(client.Message(service+"Item", nil))
	}
	if wrong := expect(err, codes.Canceled); wrong != nil {
		return wrong
	}
	return emptyMessage(ctx, client)
}

func openDownload(
	ctx context.Context, client *probe.Client, fields probe.Fields,
) (grpc.ClientStream, error) {
	stream, err := client.Stream(ctx, streams+"Download", &grpc.StreamDesc{ServerStreams: true})
	if err != nil {
		return nil, err
	}
	return stream, errors.Join(
		stream.SendMsg(client.Message(service+"DownloadRequest", fields)), stream.CloseSend())
}

func item(client *probe.Client, number, payloadBytes int) *dynamicpb.Message {
	return client.Message(service+"Item",
		probe.Fields{"number": int32(number), "payload": make([]byte, payloadBytes)})
}

func nextItem(client *probe.Client, from grpc.ClientStream, number, payloadBytes int) error {
	got := client.Message(service+"Item", nil)
	if err := from.RecvMsg(got); err != nil {
		return fmt.Errorf("item %d: %w", number, err)
	}
	found, length := probe.Get(got, "number").Int(), len(probe.Get(got, "payload").Bytes())
	if found != int64(number) || length != payloadBytes {
		return fmt.Errorf("item %d of %d bytes in the place of %d of %d",
			found, length, number, payloadBytes)
	}
	return nil
}

func expectEnd(err error) error {
	if err != io.EOF {
		return fmt.Errorf("wanted the end, got %v", err)
	}
	return nil
}
