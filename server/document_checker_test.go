package server_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"bincard/server/httpapi/openapi/gen"
)

// A documentChecker is a transport that checks every exchange against the
// OpenAPI document, which it reads with an independent library.
type documentChecker struct {
	doc   map[string]any
	mux   *http.ServeMux // the paths of the document
	mu    sync.Mutex
	known map[string]*jsonschema.Schema
	c     *jsonschema.Compiler
	done  map[string]bool   // codes answered so far
	first map[string][]byte // answers to writes, by environment, address and key
}

var newDocumentChecker = sync.OnceValues(func() (*documentChecker, error) {
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(gen.JSON(gen.Document())))
	if err != nil {
		return nil, err
	}
	w := &documentChecker{doc: read.(map[string]any), mux: http.NewServeMux(), known: map[string]*jsonschema.Schema{},
		c: jsonschema.NewCompiler(), done: map[string]bool{}, first: map[string][]byte{}}
	w.c.DefaultDraft(jsonschema.Draft2020)
	w.c.AssertFormat()
	strict(w.doc["components"])
	for path, item := range w.doc["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			if method == "get" || method == "post" || method == "patch" {
				w.mux.Handle(strings.ToUpper(method)+" "+path, http.NotFoundHandler())
			}
		}
	}
	return w, w.c.AddResource("openapi.json", w.doc)
})

// strict forbids members that the document does not name. Clients must ignore
// unknown members, but this service must not send any. The details of errors
// are free.
func strict(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["properties"]; ok && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		for name, x := range v {
			if name != "details" {
				strict(x)
			}
		}
	case []any:
		for _, x := range v {
			strict(x)
		}
	}
}

// wrap returns a transport with the checker on it.
func (w *documentChecker) wrap(t testing.TB, base http.RoundTripper) http.RoundTripper {
	return checkedTransport{w, t, base}
}

type checkedTransport struct {
	*documentChecker
	t    testing.TB
	base http.RoundTripper
}

func (x checkedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	if r.Body != nil {
		var err error
		if sent, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		again := r.Clone(r.Context())
		again.Body = io.NopCloser(bytes.NewReader(sent))
		r = again
	}
	res, err := x.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	got, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(got))
	if err := x.checkExchange(r, sent, res, got); err != nil {
		x.t.Errorf("%s %s answered %d, which the document does not allow: %v\n%s", r.Method, r.URL, res.StatusCode, err, got)
	}
	return res, nil
}

// checkExchange checks one exchange.
func (w *documentChecker) checkExchange(r *http.Request, sent []byte, res *http.Response, got []byte) error {
	_, pattern := w.mux.Handler(r)
	if pattern == "" {
		return fmt.Errorf("no such path")
	}
	method, path, _ := strings.Cut(pattern, " ")
	at := "#/paths/" + escape(path) + "/" + strings.ToLower(method)
	op := w.at(at)
	answer, where := w.follow(at + "/responses/" + strconv.Itoa(res.StatusCode))
	if answer == nil {
		return fmt.Errorf("%s has no answer with this status", op["operationId"])
	}
	if id := res.Header.Get("X-Request-Id"); id == "" {
		return fmt.Errorf("the header X-Request-Id is missing")
	}
	for name := range res.Header {
		if strings.HasPrefix(name, "Idempotent") || strings.HasPrefix(name, "Bincard") {
			if headers, _ := answer["headers"].(map[string]any); headers[name] == nil {
				return fmt.Errorf("the header %s is not described", name)
			}
		}
	}
	media, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	if media != "application/json" {
		got = []byte(`"text"`) // the document describes it as a string
	}
	if err := w.valid(where+"/content/"+escape(media)+"/schema", got); err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		w.note(got)
		return nil
	}
	if err := w.checkReplay(r, res, got); err != nil {
		return err
	}
	return w.checkAccepted(at, op, r, sent)
}

// checkReplay requires that a replayed answer equals the first one, except for
// the secret of a key, which is returned once.
func (w *documentChecker) checkReplay(r *http.Request, res *http.Response, got []byte) error {
	if r.Method == http.MethodGet || strings.HasSuffix(r.URL.Path, "/keys") {
		return nil
	}
	env, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer bc_"), "_")
	key := env + " " + r.URL.String() + " " + header(r, "Idempotency-Key")
	w.mu.Lock()
	defer w.mu.Unlock()
	if res.Header.Get("Idempotent-Replayed") == "" {
		w.first[key] = got
		return nil
	}
	if first, known := w.first[key]; known && !bytes.Equal(first, got) {
		return fmt.Errorf("the first answer was %s", first)
	}
	return nil
}

// note records the code of an error.
func (w *documentChecker) note(got []byte) {
	var body struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(got, &body) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done[body.Error.Code] = true
}

// answered reports whether a code was answered.
func (w *documentChecker) answered(code string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done[code]
}

// checkAccepted requires that a request that the service accepted is valid by
// the document.
func (w *documentChecker) checkAccepted(at string, op map[string]any, r *http.Request, sent []byte) error {
	if body, _ := op["requestBody"].(map[string]any); body == nil && len(bytes.TrimSpace(sent)) > 2 {
		return fmt.Errorf("the document has no body: %s", sent)
	} else if len(sent) > 0 && body != nil {
		if err := w.valid(at+"/requestBody/content/application~1json/schema", withoutEmpty(sent)); err != nil {
			return fmt.Errorf("the request %s: %w", sent, err)
		}
	} else if body != nil && body["required"] == true {
		return fmt.Errorf("the body is required and was not sent")
	}
	query := r.URL.Query()
	parameters, _ := op["parameters"].([]any)
	for i := range parameters {
		p, where := w.follow(at + "/parameters/" + strconv.Itoa(i))
		name := fmt.Sprint(p["name"])
		switch {
		case p["in"] == "header" && p["required"] == true && header(r, name) == "":
			return fmt.Errorf("the header %s is required and was not sent", name)
		case p["in"] == "query" && query.Has(name):
			if err := w.valid(where+"/schema", literal(p, query.Get(name))); err != nil {
				return fmt.Errorf("the parameter %s: %w", name, err)
			}
			query.Del(name)
		case p["in"] == "query" && p["required"] == true:
			return fmt.Errorf("the parameter %s is required and was not sent", name)
		}
	}
	if len(query) > 0 {
		return fmt.Errorf("the document has no parameters %v", query)
	}
	return nil
}

// withoutEmpty returns an object without its empty texts, which the service reads as omitted.
func withoutEmpty(sent []byte) []byte {
	var members map[string]jsontext.Value
	if json.Unmarshal(sent, &members) != nil || members == nil {
		return sent
	}
	maps.DeleteFunc(members, func(_ string, value jsontext.Value) bool { return string(value) == `""` })
	out, err := json.Marshal(members)
	if err != nil {
		return sent
	}
	return out
}

// header returns a header regardless of its spelling.
func header(r *http.Request, name string) string {
	for n, v := range r.Header {
		if strings.EqualFold(n, name) {
			return v[0]
		}
	}
	return ""
}

// literal returns the text of a parameter as JSON of its type.
func literal(p map[string]any, text string) []byte {
	schema, _ := p["schema"].(map[string]any)
	if t := schema["type"]; t == "integer" || t == "boolean" {
		return []byte(text)
	}
	return []byte(strconv.Quote(text))
}

// valid validates a JSON text against the schema at a pointer.
func (w *documentChecker) valid(at string, text []byte) error {
	w.mu.Lock()
	schema := w.known[at]
	if schema == nil {
		var err error
		if schema, err = w.c.Compile("openapi.json" + at); err != nil {
			w.mu.Unlock()
			return err
		}
		w.known[at] = schema
	}
	w.mu.Unlock()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

func escape(s string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(s) }

// at returns the object at a pointer, or nil.
func (w *documentChecker) at(pointer string) map[string]any {
	var v any = w.doc
	for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "#/"), "/") {
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			i, _ := strconv.Atoi(name)
			v = x[i]
		default:
			return nil
		}
	}
	m, _ := v.(map[string]any)
	return m
}

// follow returns the object at a pointer, or the one that it refers to, and
// its pointer.
func (w *documentChecker) follow(pointer string) (map[string]any, string) {
	m := w.at(pointer)
	if to, ok := m["$ref"].(string); ok {
		return w.at(to), to
	}
	return m, pointer
}

// The checker must find errors, or it proves nothing.
func TestDocumentChecker_FindsErrors(t *testing.T) {
	t.Parallel()
	w, err := newDocumentChecker()
	require.NoError(t, err)
	const location = `{"id":"0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e","organizationId":"0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e",
		"environment":"live","code":"A","name":"A","type":"warehouse","createdAt":"2026-03-31T14:00:00Z","updatedAt":"2026-03-31T14:00:00Z"}`
	const body = `{"code":"A","name":"A","type":"warehouse"}`
	const path = "/v1/organizations/0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e/locations"
	replayed := false
	try := func(path, body string, status int, media, id, key, answer string) error {
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://x"+path, nil)
		require.NoError(t, err)
		r.Header.Set("Idempotency-Key", key)
		res := &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {media}, "X-Request-Id": {id}}}
		if replayed {
			res.Header["Idempotent-Replayed"] = []string{"true"}
		}
		return w.checkExchange(r, []byte(body), res, []byte(answer))
	}
	const media = "application/json"
	require.NoError(t, try(path, body, 201, media, "r", "k", location))
	require.Error(t, try(path+"x", body, 201, media, "r", "k", location), "path")
	require.Error(t, try(path, body, 200, media, "r", "k", location), "status")
	require.Error(t, try(path, body, 201, "text/plain", "r", "k", location), "media type")
	require.Error(t, try(path, body, 201, media, "", "k", location), "request id")
	require.Error(t, try(path, body, 201, media, "r", "", location), "idempotency key")
	require.Error(t, try(path+"?x=1", body, 201, media, "r", "k", location), "parameter")
	require.Error(t, try(path, strings.Replace(body, "warehouse", "shed", 1), 201, media, "r", "k", location), "request")
	for _, change := range [][2]string{{`"live"`, `"dev"`}, {`"code":"A",`, ``}, {`"code"`, `"x":1,"code"`}, {`"A"`, `1`}, {"0198c5e2", "0198c5eZ"}, {"2026-03-31T", ""}} {
		require.Error(t, try(path, body, 201, media, "r", "k", strings.Replace(location, change[0], change[1], 1)), "%v", change)
	}
	require.NoError(t, try(path, body, 201, media, "r", "k2", location))
	again := strings.Replace(location, `"name":"A"`, `"name":"B"`, 1)
	replayed = true
	require.NoError(t, try(path, body, 201, media, "r", "k2", location))
	require.ErrorContains(t, try(path, body, 201, media, "r", "k2", again), "the first answer")
	replayed = false
	require.Error(t, try(path, body, 409, media, "r", "k", `{"error":{"code":"NOT_FOUND","message":"m","requestId":"r"}}`), "a code of another status")
	require.NoError(t, try(path, body, 409, media, "r", "k", `{"error":{"code":"ALREADY_EXISTS","message":"m","requestId":"r","details":{"code":"A"}}}`))
}
