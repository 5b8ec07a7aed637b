package main

import (
	"encoding/binary"
	"hash/crc32"
)

// What messages hold, worked out as the server of the soak does.

// payload looks random and depends on the seed alone.
func payload(seed int64, size int) []byte {
	bytes := make([]byte, size)
	golden := uint64(0x9E3779B97F4A7C15)
	state := uint64(seed)*golden + 1
	for i := range bytes {
		if i&7 == 0 {
			state ^= state << 13
			state ^= state >> 7
			state ^= state << 17
		}
		bytes[i] = byte(state >> (uint(i&7) * 8))
	}
	return bytes
}

func echoOf(request []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(request)), request...)
}

func sumOf(requests [][]byte) []byte {
	sum := crc32.NewIEEE()
	for _, one := range requests {
		sum.Write(one)
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(len(requests)))
	return binary.BigEndian.AppendUint32(b, sum.Sum32())
}

type download struct {
	count, size int
	seed        int64
}

func (d download) request() []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(d.count))
	b = binary.BigEndian.AppendUint32(b, uint32(d.size))
	return binary.BigEndian.AppendUint64(b, uint64(d.seed))
}

func (d download) message(number int) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(number)), payload(d.seed+int64(number), d.size)...)
}
