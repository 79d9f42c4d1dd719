package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"
)

// loads maps a running script to its load.
var loads sync.Map

// A load writes to a service until it is stopped.
type load struct {
	stop  context.CancelFunc
	ended chan error
}

// scriptLoad creates locations in a service until unload: load URL KEY. It returns after
// the first twenty.
func scriptLoad(ts *testscript.TestScript, _ bool, args []string) {
	ctx, cancel := context.WithCancel(context.Background())
	l := &load{stop: cancel, ended: make(chan error, 1)}
	var written atomic.Int64
	started := make(chan struct{})
	url, key := args[0], args[1]
	go func() {
		for i := int64(1); ctx.Err() == nil; i++ {
			body := fmt.Sprintf(`{"code":"load-%d","name":"Load","type":"store"}`, i)
			req, err := http.NewRequest("POST", url+"/locations", strings.NewReader(body))
			if err != nil {
				l.ended <- err
				return
			}
			req.Header.Set("Authorization", "Bearer "+key)
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Idempotency-Key", fmt.Sprintf("load-%d", i))
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				l.ended <- err
				return
			}
			res.Body.Close()
			if res.StatusCode != http.StatusCreated {
				l.ended <- fmt.Errorf("write %d: %s", i, res.Status)
				return
			}
			if written.Add(1) == 20 {
				close(started)
			}
		}
		l.ended <- nil
	}()
	ts.Defer(cancel)
	select {
	case <-started:
	case err := <-l.ended:
		ts.Fatalf("the load ended: %v", err)
	}
	loads.Store(ts, l)
}

// scriptUnload stops the load and fails if a write failed.
func scriptUnload(ts *testscript.TestScript, _ bool, _ []string) {
	l, ok := loads.LoadAndDelete(ts)
	if !ok {
		ts.Fatalf("no load is running")
	}
	l.(*load).stop()
	ts.Check(<-l.(*load).ended)
}
