// Attacks a server at full speed, one attack after the other, while healthy clients call it,
// and judges what becomes of the attacker, of the healthy calls and of the server's memory.
//
// Every attack runs in a process of its own, which yields the processor to the others: a real
// attacker brings its own. Prints one line for each check, and a table in Markdown to -table.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	plain := flag.String("plain", "", "host:port")
	secure := flag.String("secure", "", "host:port with TLS")
	pid := flag.Int("pid", 0, "of the server")
	full := flag.Bool("full", false, "long and strict")
	only := flag.String("only", "", "regular expression for names and groups of attacks")
	except := flag.String("except", "^$", "the same, for those to leave out")
	table := flag.String("table", "", "file for the table")
	heapMiB := flag.Int64("heap", 256, "-Xmx of the server, in MiB")
	play := flag.Int("play", -1, "")
	overTLS := flag.Bool("tls", false, "")
	seconds := flag.Float64("seconds", 0, "")
	flag.Parse()
	if *play >= 0 {
		attackAlone(attacks()[*play], *plain, *overTLS, *full, *seconds)
		return
	}
	run := &campaign{plain: *plain, secure: *secure, full: *full, target: target{pid: *pid}, heapMiB: *heapMiB,
		only: regexp.MustCompile(*only), except: regexp.MustCompile(*except)}
	run.run()
	if *table != "" {
		os.WriteFile(*table, []byte(run.table()), 0o644)
	}
	fmt.Printf("%d passed, %d failed\n", run.passed, run.failed)
	if run.failed > 0 || run.passed == 0 {
		os.Exit(1)
	}
}

func attackAlone(one attack, address string, overTLS, full bool, seconds float64) {
	a := &assault{address: address, tls: overTLS, protocol: one.protocol, full: full,
		length: time.Duration(seconds * float64(time.Second))}
	a.until = time.Now().Add(a.length)
	a.report.Ends = map[string]int{}
	one.play(a)
	json.NewEncoder(os.Stdout).Encode(a.report)
}

// A campaign is all attacks on one server.
type campaign struct {
	plain, secure string
	full          bool
	only, except  *regexp.Regexp
	heapMiB       int64
	target        target
	healthy       healthy
	quiet         []float64 // p99 of healthy calls without an attack, each of one pause
	quietCPU      []float64 // of the server meanwhile, in seconds of a second
	rows          []row
	passed        int
	failed        int
}

// A row is what one attack has shown.
type row struct {
	attack   attack
	index    int
	tls      bool
	report   report
	seconds  float64
	cpu      float64 // seconds, for the attack alone
	p99      float64 // µs
	rssMiB   int64
	heapMiB  int64
	problems []string
}

// What the server may use beside its heap: code, classes, stacks, buffers.
const besideHeapMiB = 192

// CI's machines do many things at once: there only what is far too slow is a failure.
const shortMostMicros = 500_000

// One in three is no promise for times that the scheduler alone makes: this much is always fine.
const leastMicros = 3_000

func (c *campaign) wants(one attack) bool {
	name := one.name + " " + one.group
	return c.only.MatchString(name) && !c.except.MatchString(name) && (c.full || !one.fullOnly)
}

func (c *campaign) run() {
	go c.target.watch()
	c.healthy.start(c.plain, c.secure)
	time.Sleep(c.pick(2*time.Second, 5*time.Second))
	c.healthy.take()
	all := attacks()
	for i := 0; i < len(all); i++ {
		one := all[i]
		if !c.wants(one) || c.gone() {
			continue
		}
		if one.group == "slow" {
			// Their time goes by in waiting: all at once.
			var rows []*row
			for ; i < len(all) && all[i].group == "slow"; i++ {
				if c.wants(all[i]) {
					rows = append(rows, &row{attack: all[i], index: i, tls: false})
				}
			}
			i--
			c.judge(rows)
			continue
		}
		c.judge([]*row{{attack: one, index: i}})
		if one.secure {
			c.judge([]*row{{attack: one, index: i, tls: true}})
		}
	}
	c.memory()
	fmt.Printf("without an attack: p99 %.2f ms, %.0f %% of a core\n", median(c.quiet)/1000, 100*median(c.quietCPU))
}

// gone: nothing more can be learnt from a server that has ended.
func (c *campaign) gone() bool {
	_, err := c.target.cpu()
	return err != nil
}

func (c *campaign) pick(short, full time.Duration) time.Duration {
	if c.full {
		return full
	}
	return short
}

// judge runs attacks at the same time; what fails is tried once more.
func (c *campaign) judge(rows []*row) {
	c.attack(rows)
	for _, one := range rows {
		if len(one.problems) > 0 && !c.gone() {
			fmt.Printf("once more %s: %s\n", one.title(), strings.Join(one.problems, "; "))
			again := []*row{{attack: one.attack, index: one.index, tls: one.tls}}
			c.attack(again)
			*one = *again[0]
		}
		c.rows = append(c.rows, *one)
		if len(one.problems) == 0 {
			c.passed++
			fmt.Println("ok attack", one.line())
		} else {
			c.failed++
			fmt.Printf("not ok attack %s: %s\n", one.line(), strings.Join(one.problems, "; "))
		}
	}
}

func (r *row) title() string {
	if r.tls {
		return r.attack.name + ", TLS"
	}
	return r.attack.name
}

func (c *campaign) attack(rows []*row) {
	rounds := 1
	seconds := 0.4
	if c.full {
		rounds, seconds = 3, 1.2
	}
	if rows[0].attack.group == "slow" {
		rounds = 1
	}
	var p99s []float64
	for range rounds {
		c.pause(c.pick(150*time.Millisecond, 700*time.Millisecond))
		p99s = append(p99s, c.round(rows, max(seconds, rows[0].attack.seconds)))
	}
	for _, one := range rows {
		one.p99 = median(p99s)
		c.check(one)
	}
}

// pause measures what is usual.
func (c *campaign) pause(length time.Duration) {
	time.Sleep(50 * time.Millisecond) // connections of the last attack are being forgotten
	c.healthy.take()
	before, _ := c.target.cpu()
	time.Sleep(length)
	after, _ := c.target.cpu()
	micros, _, _ := c.healthy.take()
	c.quiet = append(c.quiet, quantile(micros, 0.99))
	c.quietCPU = append(c.quietCPU, (after-before).Seconds()/length.Seconds())
}

// round plays each once, and returns p99 of the healthy calls.
func (c *campaign) round(rows []*row, seconds float64) float64 {
	c.target.rssPeak.Store(0)
	before, _ := c.target.cpu()
	start := time.Now()
	reports := make([]report, len(rows))
	done := make(chan struct{})
	for i, one := range rows {
		go func() {
			reports[i] = c.child(one, seconds)
			done <- struct{}{}
		}()
	}
	for range rows {
		<-done
	}
	took := time.Since(start).Seconds()
	after, err := c.target.cpu()
	micros, failed, fault := c.healthy.take()
	for i, one := range rows {
		one.add(reports[i])
		one.seconds += took
		one.cpu += max(0, (after-before).Seconds()-median(c.quietCPU)*took)
		one.rssMiB = max(one.rssMiB, c.target.rssPeak.Load()>>20)
		if failed > 0 {
			one.problems = append(one.problems, fmt.Sprintf("%d healthy calls failed, e.g. %s", failed, fault))
		}
		if err != nil {
			one.problems = append(one.problems, "the server is gone")
		}
	}
	return quantile(micros, 0.99)
}

func (c *campaign) child(one *row, seconds float64) (r report) {
	address := c.plain
	if one.tls || one.attack.rawTLS {
		address = c.secure
	}
	// An attacker has a machine of its own: here it must not take the CPU from who is ready to run.
	command := exec.Command("chrt", "--idle", "0", os.Args[0], "-play", fmt.Sprint(one.index), "-plain", address,
		fmt.Sprintf("-tls=%v", one.tls), fmt.Sprintf("-full=%v", c.full), "-seconds", fmt.Sprint(seconds))
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		r.Faults = append(r.Faults, "the attacker broke off: "+err.Error())
	}
	return r
}

func (r *row) add(seen report) {
	r.report.Bytes += seen.Bytes
	r.report.Connections += seen.Connections
	if r.report.Ends == nil {
		r.report.Ends = map[string]int{}
	}
	for how, n := range seen.Ends {
		r.report.Ends[how] += n
	}
	if seen.Words != "" {
		r.report.Words = seen.Words
	}
	r.report.Faults = append(r.report.Faults, seen.Faults...)
}

func (c *campaign) check(r *row) {
	for how, n := range r.report.Ends {
		if !slices.Contains(r.attack.ends, how) {
			r.problems = append(r.problems, fmt.Sprintf("%d times %s", n, how))
		}
	}
	if len(r.report.Ends) == 0 {
		r.problems = append(r.problems, "no end was seen")
	}
	for _, fault := range r.report.Faults {
		r.problems = append(r.problems, fault)
	}
	if most := c.heapMiB + besideHeapMiB; r.rssMiB > most {
		r.problems = append(r.problems, fmt.Sprintf("%d MiB resident, above %d", r.rssMiB, most))
	}
	most := float64(shortMostMicros)
	if c.full {
		most = max(leastMicros, 3*median(c.quiet))
		r.heapMiB = c.target.liveHeapBytes() >> 20
	}
	if r.p99 > most && !r.attack.busy {
		r.problems = append(r.problems, fmt.Sprintf("p99 of healthy calls %.1f ms, above %.1f", r.p99/1000, most/1000))
	}
}

// memory: what is left when all is over.
func (c *campaign) memory() {
	time.Sleep(time.Second)
	live := c.target.liveHeapBytes() >> 20
	// Half of the heap: what is left after a collection must leave room to work.
	if live > 0 && live <= c.heapMiB/2 {
		c.passed++
		fmt.Printf("ok attack memory: %d MiB live of %d\n", live, c.heapMiB)
	} else {
		c.failed++
		fmt.Printf("not ok attack memory: %d MiB live of %d\n", live, c.heapMiB)
	}
}

func (r *row) ends() string {
	var parts []string
	for _, how := range []string{cut, held, refused, bounded, taken} {
		if n := r.report.Ends[how]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, how))
		}
	}
	return strings.Join(parts, ", ")
}

func (r *row) nanosPerByte() string {
	if r.report.Bytes == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", r.cpu*1e9/float64(r.report.Bytes))
}

func (r *row) line() string {
	connections := ""
	if r.report.Connections > 0 {
		connections = fmt.Sprintf(" of %d connections", r.report.Connections)
	}
	return fmt.Sprintf("%s: %s%s, %.1f MiB at %.1f MiB/s, %s ns/byte, p99 %.1f ms, RSS %d MiB; %s",
		r.title(), r.ends(), connections, float64(r.report.Bytes)/(1<<20),
		float64(r.report.Bytes)/(1<<20)/r.seconds, r.nanosPerByte(), r.p99/1000, r.rssMiB, r.report.Words)
}

func (c *campaign) table() string {
	var t strings.Builder
	processors := runtime.NumCPU()
	fmt.Fprintf(&t, "On %d processors; healthy calls by four clients, each on a connection of its own (gRPC and Connect, HTTP/2 and HTTP/1.1, plain and TLS). Without an attack, p99 of the healthy calls is %.2f ms, and the server uses %.0f %% of a core.\n\n",
		processors, median(c.quiet)/1000, 100*median(c.quietCPU))
	t.WriteString("| attack | what bounds it | connections and their ends | MiB/s sent | CPU, ns/byte | CPU, % of a core | healthy p99, ms | RSS, MiB | live heap, MiB |\n")
	t.WriteString("|---|---|---|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range c.rows {
		cpu := fmt.Sprintf("%.0f", 100*r.cpu/r.seconds)
		fmt.Fprintf(&t, "| %s | %s | %s | %.1f | %s | %s | %.2f | %d | %d |\n", r.title(), r.attack.bound, r.ends(),
			float64(r.report.Bytes)/(1<<20)/r.seconds, r.nanosPerByte(), cpu, r.p99/1000, r.rssMiB, r.heapMiB)
	}
	return t.String()
}
