package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"connectrpc.com/connect"

	"peregrine/conformance/connect-go/wires"
)

// A call that has not ended after this long never will.
const callTimeout = 30 * time.Second

// errWrong: what came is not what was sent, which no fault of a connection excuses.
var errWrong = errors.New("wrong content")

type client = connect.Client[wires.Raw, wires.Raw]

func size() int {
	switch dice := rand.IntN(100); {
	case dice < 70:
		return rand.IntN(200)
	case dice < 97:
		return rand.IntN(3_000)
	default:
		return rand.IntN(60_000)
	}
}

func raw(b []byte) *wires.Raw { return &wires.Raw{Bytes: b} }

func same(what string, got, wanted []byte) error {
	if bytes.Equal(got, wanted) {
		return nil
	}
	return fmt.Errorf("%w: %s of %d bytes instead of %d", errWrong, what, len(got), len(wanted))
}

func unary(ctx context.Context, c *client) error {
	request := payload(rand.Int64(), size())
	response, err := c.CallUnary(ctx, connect.NewRequest(raw(request)))
	if err != nil {
		return err
	}
	return same("reply", response.Msg.Bytes, echoOf(request))
}

func downloads(ctx context.Context, c *client) error {
	wanted := download{count: rand.IntN(12), size: size(), seed: rand.Int64()}
	stream, err := c.CallServerStream(ctx, connect.NewRequest(raw(wanted.request())))
	if err != nil {
		return err
	}
	defer stream.Close()
	for number := 0; stream.Receive(); number++ {
		if number >= wanted.count {
			return fmt.Errorf("%w: more than %d messages", errWrong, wanted.count)
		}
		if err := same("message", stream.Msg().Bytes, wanted.message(number)); err != nil {
			return err
		}
		if number == wanted.count-1 && stream.Receive() {
			return fmt.Errorf("%w: more than %d messages", errWrong, wanted.count)
		} else if number == wanted.count-1 {
			return stream.Err()
		}
	}
	if stream.Err() == nil && wanted.count > 0 {
		return fmt.Errorf("%w: OK before %d messages", errWrong, wanted.count)
	}
	return stream.Err()
}

func uploads(ctx context.Context, c *client) error {
	stream := c.CallClientStream(ctx)
	var sent [][]byte
	for range rand.IntN(6) {
		message := payload(rand.Int64(), size())
		if stream.Send(raw(message)) != nil {
			break // why, is said by the response
		}
		sent = append(sent, message)
	}
	response, err := stream.CloseAndReceive()
	if err != nil {
		return err
	}
	return same("sum", response.Msg.Bytes, sumOf(sent))
}

// chats sends and receives in turn, and now and then some messages ahead.
func chats(ctx context.Context, c *client) error {
	stream := c.CallBidiStream(ctx)
	defer stream.CloseResponse()
	// Whatever the outcome: net/http waits for the end of the request, even of a cancelled call.
	defer stream.CloseRequest()
	var unanswered [][]byte
	for range rand.IntN(6) {
		for range 1 + rand.IntN(2) {
			message := payload(rand.Int64(), size())
			if err := stream.Send(raw(message)); err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			unanswered = append(unanswered, message)
		}
		response, err := stream.Receive()
		if err != nil {
			return ended(err)
		}
		if err := same("echo", response.Bytes, echoOf(unanswered[0])); err != nil {
			return err
		}
		unanswered = unanswered[1:]
	}
	if err := stream.CloseRequest(); err != nil {
		return err
	}
	for {
		response, err := stream.Receive()
		if errors.Is(err, io.EOF) && len(unanswered) == 0 {
			return nil
		}
		if err != nil {
			return ended(err)
		}
		if len(unanswered) == 0 {
			return fmt.Errorf("%w: an echo too many", errWrong)
		}
		if err := same("echo", response.Bytes, echoOf(unanswered[0])); err != nil {
			return err
		}
		unanswered = unanswered[1:]
	}
}

// ended: the good end of a stream is wrong while answers are missing.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: OK before the last echo", errWrong)
	}
	return err
}
