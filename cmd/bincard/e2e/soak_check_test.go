package e2e_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// A memorySample is the memory of the service, in MB: all that is resident, and the part
// that does not belong to files.
type memorySample struct{ resident, anonymous int }

// sampleMemory records the memory of the service, on systems that tell it.
func (s *soak) sampleMemory() {
	if s.service.cmd == nil { // a cluster
		return
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.service.cmd.Process.Pid))
	if err != nil {
		return
	}
	read := func(name string) int {
		_, rest, _ := strings.Cut(string(text), name+":")
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			return 0
		}
		kb, _ := strconv.Atoi(fields[0])
		return kb / 1024
	}
	s.memory = append(s.memory, memorySample{read("VmRSS"), read("RssAnon")})
}

// checkMemory requires that the last process did not grow in the second half of its time.
// In the first its caches fill, and the heap is up to five times what it holds. The pages of
// files are the system's to free.
func (s *soak) checkMemory() {
	var quarters [4]memorySample
	if len(s.memory) < 100 {
		return
	}
	for i := range quarters {
		part := s.memory[len(s.memory)*i/4 : len(s.memory)*(i+1)/4]
		median := func(of func(memorySample) int) int {
			all := make([]int, len(part))
			for i, m := range part {
				all[i] = of(m)
			}
			slices.Sort(all)
			return all[len(all)/2]
		}
		quarters[i] = memorySample{median(func(m memorySample) int { return m.resident }), median(func(m memorySample) int { return m.anonymous })}
	}
	s.t.Logf("memory by quarter of the last process, in MB (resident, without files): %v", quarters)
	if third, last := quarters[2].anonymous, quarters[3].anonymous; s.length >= 10*time.Minute && last > third*5/4 {
		s.fault("the service's memory grew from %d to %d MB", third, last)
	}
}

// finish requires that every write was applied once or refused, that all data verifies and
// that nothing else went wrong.
func (s *soak) finish() {
	s.checkMemory()
	for _, x := range s.tenants {
		s.checkWrites(x)
		x.log()
	}
	s.service.end(syscall.SIGTERM)
	out, status := s.tenants[0].on(s.h).run("verify")
	require.Zero(s.t, status, out)
	for i, fault := range s.faults {
		if i == 20 {
			s.t.Errorf("and %d more faults", len(s.faults)-i)
			break
		}
		s.t.Error(fault)
	}
}

// checkWrites compares the answers that an organization's clients had with the changes
// that the service made.
func (s *soak) checkWrites(x *soakTenant) {
	applied := map[string]*api.Change{}
	svc := x.client(s.service.url, x.key)
	for limit, after := int64(500), int64(0); ; {
		page := do(s.t, svc, api.ListChanges, api.ListChangesInput{After: &after, Limit: &limit})
		if len(page.Items) == 0 {
			break
		}
		for i := range page.Items {
			c := &api.Change{Key: page.Items[i].Key, Operation: page.Items[i].Operation}
			for _, m := range page.Items[i].Movements[:min(1, len(page.Items[i].Movements))] {
				c.Movements = []api.Movement{{Quantity: m.Quantity}}
			}
			if applied[c.Key] != nil {
				s.fault("%s is applied twice", c.Key)
			}
			applied[c.Key] = c
		}
		after = page.Items[len(page.Items)-1].Seq
	}
	accepted := 0
	for _, client := range x.clients {
		for n, w := range client.writes {
			c := applied[fmt.Sprintf("%s-%d", client.name, n)]
			switch {
			case !w.accepted && c != nil:
				s.fault("%s-%d was refused and is applied", client.name, n)
			case !w.accepted:
				continue
			case c == nil:
				s.fault("%s-%d was accepted and is lost", client.name, n)
			case c.Operation != w.operation || w.delta != 0 && (len(c.Movements) == 0 || c.Movements[0].Quantity != w.delta):
				s.fault("%s-%d is applied as another operation: %+v", client.name, n, c)
			}
			accepted++
		}
	}
	made := 0
	for key := range applied {
		if strings.HasPrefix(key, "soak-") {
			made++
		}
	}
	if accepted != made {
		s.fault("%d writes were accepted, and %d made", accepted, made)
	}
	s.t.Logf("%d writes accepted, each applied once", accepted)
}

// log reports what the clients of an organization did and how long they waited.
func (x *soakTenant) log() {
	var reads, writes []time.Duration
	for _, c := range x.clients {
		reads, writes = append(reads, c.took.reads...), append(writes, c.took.writes...)
	}
	what := "mixed"
	if x.floods {
		what = "flood"
	}
	x.t.Logf("%s: %d answers (429: %d, 503: %d), %d connections broken in outages; reads %d, p50/p99/max %s; writes %d, p50/p99/max %s", what,
		x.requests.Load(), x.limited.Load(), x.busy.Load(), x.broken.Load(), len(reads), percentiles(reads), len(writes), percentiles(writes))
	if !x.floods && x.limited.Load() > 0 {
		x.t.Errorf("%d requests of an organization that does not flood were answered 429", x.limited.Load())
	}
}

func percentiles(all []time.Duration) string {
	if len(all) == 0 {
		return "-"
	}
	slices.Sort(all)
	at := func(part float64) time.Duration {
		return all[min(len(all)-1, int(part*float64(len(all))))].Round(time.Millisecond)
	}
	return fmt.Sprintf("%v/%v/%v", at(.5), at(.99), at(1))
}
