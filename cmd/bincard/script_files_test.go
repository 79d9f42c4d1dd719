package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptDamage copies a file and damages the copy: damage FROM TO half|middle. It cuts
// off the second half, or overwrites the middle.
func scriptDamage(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	switch args[2] {
	case "half":
		data = data[:len(data)/2]
	case "middle":
		copy(data[4*os.Getpagesize():], bytes.Repeat([]byte{0xAA}, len(data)))
	default:
		ts.Fatalf("damage half or middle, not %s", args[2])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o600))
}

// scriptUntil waits until a file or a response matches a pattern: until FILE PATTERN,
// until URL PATTERN KEY.
func scriptUntil(ts *testscript.TestScript, _ bool, args []string) {
	pattern := regexp.MustCompile(args[1])
	poll(ts, fmt.Sprintf("%s does not match %s", args[0], args[1]), func() error {
		text, err := readSource(ts, args)
		if err == nil && !pattern.Match(text) {
			err = errors.New(string(text))
		}
		return err
	})
}

func readSource(ts *testscript.TestScript, args []string) ([]byte, error) {
	if len(args) < 3 {
		return os.ReadFile(ts.MkAbs(args[0]))
	}
	req, err := http.NewRequest("GET", args[0], nil)
	ts.Check(err)
	req.Header.Set("Authorization", "Bearer "+args[2])
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}
