package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// The server under attack, as its machine sees it (Linux).
type target struct {
	pid     int
	rssPeak atomic.Int64
}

// The kernel counts CPU time in hundredths of a second.
const tick = 10 * time.Millisecond

func (t *target) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+2:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick, nil
}

func (t *target) rssBytes() int64 {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", t.pid))
	if err != nil {
		return 0
	}
	pages, _ := strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func (t *target) watch() {
	for {
		if now := t.rssBytes(); now > t.rssPeak.Load() {
			t.rssPeak.Store(now)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

var usedKiB = regexp.MustCompile(`generation.* used (\d+)K|garbage-first heap.* used (\d+)K`)

// liveHeapBytes collects, and says what is left; 0 without jcmd.
func (t *target) liveHeapBytes() int64 {
	pid := strconv.Itoa(t.pid)
	if exec.Command("jcmd", pid, "GC.run").Run() != nil {
		return 0
	}
	info, _ := exec.Command("jcmd", pid, "GC.heap_info").Output()
	var sum int64
	for _, match := range usedKiB.FindAllStringSubmatch(string(info), -1) {
		n, _ := strconv.ParseInt(match[1]+match[2], 10, 64)
		sum += n << 10
	}
	return sum
}
