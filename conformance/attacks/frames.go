package main

import (
	"encoding/binary"
	"strings"
)

// RFC 9113, 6: frame types, and the flags the attacks need.
const (
	typeData         = 0
	typeHeaders      = 1
	typePriority     = 2
	typeReset        = 3
	typeSettings     = 4
	typePing         = 6
	typeGoAway       = 7
	typeWindowUpdate = 8
	typeContinuation = 9
	typeUnknown      = 0x77

	flagEndStream  = 1
	flagAck        = 1
	flagEndHeaders = 4
	flagPadded     = 8

	settingTableSize  = 1
	settingWindowSize = 4

	frameHeaderBytes = 9
	maxFrameBytes    = 16384
	preface          = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
)

// Bytes about to be sent.
type buffer struct {
	bytes []byte
}

func (b *buffer) frame(kind, flags byte, stream uint32, payload []byte) *buffer {
	n := len(payload)
	b.bytes = append(b.bytes, byte(n>>16), byte(n>>8), byte(n), kind, flags)
	b.bytes = binary.BigEndian.AppendUint32(b.bytes, stream)
	b.bytes = append(b.bytes, payload...)
	return b
}

func (b *buffer) uint32Frame(kind byte, stream, value uint32) *buffer {
	return b.frame(kind, 0, stream, binary.BigEndian.AppendUint32(nil, value))
}

// settings: pairs of identifier and value.
func settings(pairs ...uint32) []byte {
	var payload []byte
	for i := 0; i+1 < len(pairs); i += 2 {
		payload = binary.BigEndian.AppendUint16(payload, uint16(pairs[i]))
		payload = binary.BigEndian.AppendUint32(payload, pairs[i+1])
	}
	return payload
}

// hpackInt appends an integer with a prefix of so many bits (RFC 7541, 5.1).
func hpackInt(to []byte, first byte, bits uint, value int) []byte {
	most := 1<<bits - 1
	if value < most {
		return append(to, first|byte(value))
	}
	to = append(to, first|byte(most))
	for value -= most; value >= 128; value >>= 7 {
		to = append(to, byte(value)|128)
	}
	return append(to, byte(value))
}

// literal appends a field: RFC 7541, 6.2.2 (first 0) or 6.2.1 (first 0x40, indexed).
func literal(to []byte, first byte, name, value string) []byte {
	to = append(to, first)
	to = append(hpackInt(to, 0, 7, len(name)), name...)
	return append(hpackInt(to, 0, 7, len(value)), value...)
}

// block encodes a request's head; fields are pairs.
func block(path string, fields ...string) []byte {
	var b []byte
	all := append([]string{":method", "POST", ":scheme", "http", ":path", path,
		":authority", "attacks"}, fields...)
	for i := 0; i+1 < len(all); i += 2 {
		b = literal(b, 0, all[i], all[i+1])
	}
	return b
}

func grpcBlock(method string, fields ...string) []byte {
	return block("/"+method, append([]string{"content-type", "application/grpc", "te", "trailers"}, fields...)...)
}

// message puts gRPC's prefix before a message.
func message(flags byte, content []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{flags}, uint32(len(content))), content...)
}

// field1 is a protobuf message whose field 1 holds bytes.
func field1(content []byte) []byte {
	return append(binary.AppendUvarint([]byte{0x0a}, uint64(len(content))), content...)
}

// number1 is a protobuf message whose field 1 holds a number.
func number1(value uint64) []byte {
	return binary.AppendUvarint([]byte{0x08}, value)
}

// split cuts content into DATA frames.
func (b *buffer) data(stream uint32, content []byte, end bool) *buffer {
	for {
		n := min(len(content), maxFrameBytes)
		var flags byte
		if end && n == len(content) {
			flags = flagEndStream
		}
		b.frame(typeData, flags, stream, content[:n])
		content = content[n:]
		if len(content) == 0 {
			return b
		}
	}
}

const (
	echoMethod  = "peregrine.conformance.v1.Probe/Echo"
	bigMethod   = "peregrine.conformance.v1.Probe/Big"
	sleepMethod = "peregrine.conformance.v1.Probe/Sleep"
	chatMethod  = "peregrine.conformance.v1.Streams/Chat"
	shapeMethod = "peregrine.conformance.v1.Shapes/Mirror"
)

func repeat(s string, n int) string { return strings.Repeat(s, n) }
