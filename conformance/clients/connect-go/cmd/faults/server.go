package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The server of the soak, in a process of its own.
type server struct {
	command       *exec.Cmd
	in            io.WriteCloser
	out           *bufio.Scanner
	plain, secure string
}

func start(arguments []string) (*server, error) {
	s := &server{command: exec.Command(arguments[0], arguments[1:]...)}
	s.command.Stderr = os.Stderr
	var err error
	if s.in, err = s.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewScanner(out)
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	for s.out.Scan() {
		if port, ok := strings.CutPrefix(s.out.Text(), "tls port "); ok {
			s.secure = "127.0.0.1:" + port
		}
		if port, ok := strings.CutPrefix(s.out.Text(), "port "); ok {
			s.plain = "127.0.0.1:" + port
			return s, nil
		}
	}
	return nil, fmt.Errorf("the server did not start")
}

// State of the server, after a collection.
type state struct {
	started, open, connections, threads int
	heapBytes, rssKiB                   int64
	files                               []string
}

func (s *server) state() state {
	fmt.Fprintln(s.in, "state")
	s.out.Scan()
	fields := strings.Fields(s.out.Text())
	number := func(i int) int {
		if i >= len(fields) {
			return -1
		}
		n, _ := strconv.Atoi(fields[i])
		return n
	}
	return state{number(0), number(1), number(3), number(4), int64(number(5)), s.rssKiB(), s.files()}
}

// files are those that stay open: the JVM looks into some of /proc and /sys now and then.
func (s *server) files() []string {
	first := s.filesNow()
	time.Sleep(100 * time.Millisecond)
	return slices.DeleteFunc(s.filesNow(), func(name string) bool { return !slices.Contains(first, name) })
}

// filesNow are numbers of descriptors and what they stand for.
func (s *server) filesNow() []string {
	folder := fmt.Sprintf("/proc/%d/fd", s.command.Process.Pid)
	entries, _ := os.ReadDir(folder)
	var names []string
	for _, entry := range entries {
		if target, err := os.Readlink(filepath.Join(folder, entry.Name())); err == nil {
			names = append(names, entry.Name()+" "+target)
		}
	}
	return names
}

// rssKiB is what the process has in memory.
func (s *server) rssKiB() int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.command.Process.Pid))
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return -1
	}
	kib, _ := strconv.ParseInt(fields[0], 10, 64)
	return kib
}

// idle waits until nothing is open.
func (s *server) idle(most time.Duration) state {
	end := time.Now().Add(most)
	now := s.state()
	for (now.open != 0 || now.connections != 0) && time.Now().Before(end) {
		time.Sleep(100 * time.Millisecond)
		now = s.state()
	}
	return now
}

func (s *server) stop() error {
	s.in.Close()
	return s.command.Wait()
}
