package httpapi_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// Requests that package net/http answers itself get the same error body as all others,
// with and without TLS, and the log has their request ids.
func TestServe_ProtocolErrors(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, request string
		code          api.Code
		status        int
	}{
		{"malformed request line", "GET\r\n\r\n", api.MalformedRequest, 400},
		{"no host", "GET /healthz HTTP/1.1\r\n\r\n", api.MalformedRequest, 400},
		{"malformed header name", "GET /healthz HTTP/1.1\r\nHost: x\r\na b: c\r\n\r\n", api.MalformedRequest, 400},
		{"two lengths", "POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", api.MalformedRequest, 400},
		{"unknown expectation", "POST /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 0\r\n\r\n", api.ExpectationFailed, 417},
		{"large header", "GET /healthz HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("a", 32<<10) + "\r\n\r\n", api.HeadersTooLarge, 431},
		{"unknown transfer coding", "POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", api.NotImplemented, 501},
		{"bare line feeds", "GET /healthz HTTP/1.1\nHost: x\n\n", api.MalformedRequest, 400},
		{"a bare line feed", "GET /healthz HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", api.MalformedRequest, 400},
		{"a bare line feed at the end", "GET /healthz HTTP/1.1\r\nHost: x\r\n\n", api.MalformedRequest, 400},
		{"a folded line", "GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\r\n\tc\r\n\r\n", api.MalformedRequest, 400},
		{"version", "GET /healthz HTTP/3.0\r\nHost: x\r\n\r\n", api.HTTPVersionNotSupported, 505},
	}
	cert, key, pool := certificate(t)
	conf := &tls.Config{RootCAs: pool}
	for name, cfg := range map[string]httpapi.ServeConfig{"plain": {}, "tls": {CertFile: cert, KeyFile: key}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			cfg.Handler, cfg.Logger = open(t), slog.New(slog.NewJSONHandler(&log, nil))
			addr, stop := serve(t, cfg)
			var ids []string
			for _, c := range cases {
				conn, err := net.Dial("tcp", addr)
				require.NoError(t, err)
				if cfg.CertFile != "" {
					conn = tls.Client(conn, &tls.Config{RootCAs: pool, ServerName: "127.0.0.1"})
				}
				_, err = io.WriteString(conn, c.request)
				require.NoError(t, err, c.name)
				answer, err := io.ReadAll(conn)
				require.NoError(t, err, c.name)
				require.NoError(t, conn.Close())
				ids = append(ids, requireProblem(t, answer, c.status, c.code))
			}
			res, err := (&http.Client{Transport: &http.Transport{TLSClientConfig: conf}}).Get(map[bool]string{true: "https://", false: "http://"}[cfg.CertFile != ""] + addr + "/healthz")
			require.NoError(t, err)
			require.Equal(t, 200, res.StatusCode)
			require.Equal(t, cfg.CertFile != "", res.Header.Get("Strict-Transport-Security") != "")
			require.NoError(t, res.Body.Close())
			require.NoError(t, stop())
			for _, id := range ids {
				require.Contains(t, log.String(), `"requestId":"`+id+`"`)
			}
		})
	}
}

// Only heads are checked, wherever they begin and however they arrive: bodies may have any
// bytes.
func TestServe_StrictHeadsInTurn(t *testing.T) {
	t.Parallel()
	addr, stop := serve(t, httpapi.ServeConfig{Handler: open(t)})
	const body = "{\n \"code\":\n\n\t\"A\" }\n"
	head := func(length int) string {
		return "POST " + base + "/locations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nIdempotency-Key: k\r\nAuthorization: Bearer " + secret +
			fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n", length)
	}
	const get = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, size := range []int{1, 7, 1 << 20} {
		for last, status := range map[string]int{get: 200, "GET /healthz HTTP/1.1\r\nHost: x\r\n A: b\r\n\r\n": 400} {
			conn, err := net.Dial("tcp", addr)
			require.NoError(t, err)
			text := head(len(body)) + body + get + head(0) + last
			for chunk := range slices.Chunk([]byte(text), size) {
				_, err := conn.Write(chunk)
				require.NoError(t, err)
			}
			in := bufio.NewReader(conn)
			for _, want := range []int{400, 200, 400, status} { // the locations lack a name
				res, err := http.ReadResponse(in, nil)
				require.NoError(t, err)
				_, err = io.Copy(io.Discard, res.Body)
				require.NoError(t, err)
				require.Equal(t, want, res.StatusCode)
			}
			require.NoError(t, conn.Close())
		}
	}
	require.NoError(t, stop())
}

// A plain HTTP request to the TLS port gets an error that names the cause.
func TestServe_PlainRequestToTLS(t *testing.T) {
	t.Parallel()
	cert, key, _ := certificate(t)
	addr, stop := serve(t, httpapi.ServeConfig{Handler: open(t), CertFile: cert, KeyFile: key})
	conn := dialAndSend(t, addr, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	answer, err := io.ReadAll(conn)
	require.NoError(t, err)
	requireProblem(t, answer, 400, api.MalformedRequest)
	require.Contains(t, string(answer), "https")
	require.NoError(t, conn.Close())
	require.NoError(t, stop())
}

// requireProblem requires that an answer is an error with a JSON body, and returns its
// request id.
func requireProblem(t *testing.T, answer []byte, status int, code api.Code) string {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(answer)), nil)
	require.NoError(t, err, string(answer))
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, status, res.StatusCode, string(answer))
	require.Equal(t, "application/json", res.Header.Get("Content-Type"))
	require.Equal(t, "no-store", res.Header.Get("Cache-Control"))
	require.Equal(t, "nosniff", res.Header.Get("X-Content-Type-Options"))
	require.NotEmpty(t, res.Header.Get("Date"))
	require.True(t, res.Close)
	var got struct {
		Error struct {
			Code      api.Code `json:"code"`
			Message   string   `json:"message"`
			RequestID string   `json:"requestId"`
		} `json:"error"`
	}
	require.NoError(t, json.Unmarshal(body, &got), string(body))
	require.Equal(t, code, got.Error.Code)
	require.Equal(t, status, code.Status())
	require.NotEmpty(t, got.Error.Message)
	require.Equal(t, res.Header.Get("X-Request-Id"), got.Error.RequestID)
	require.Regexp(t, "^req_", got.Error.RequestID)
	return got.Error.RequestID
}
