package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/archive"
	"bincard/server/ledger/audit"
	"bincard/server/local"
)

// The header and trailers of a backup: its approximate size, and at the end
// its digest or the error.
const (
	sizeHeader  = "Bincard-Size"
	sumTrailer  = "Bincard-Sum"
	failTrailer = "Bincard-Failure"
)

// An Owner describes the process that has a directory open.
type Owner struct {
	// Shared reports whether it also serves the operations of package api.
	Shared bool `json:"shared"`
	// URL is the address of the service that it runs, or empty if none.
	URL string `json:"url,omitzero"`
}

// Path is where a Handler is served.
const Path = "/admin/"

// Serve serves admin to the processes that connect to dir, until stop is
// called, which cancels the requests in progress. owner describes this process.
func Serve(dir string, admin Admin, owner func() Owner, log *slog.Logger) (stop func()) {
	handler, cancel := Handler(admin, owner)
	end := local.Serve(context.Background(), dir, handler, log)
	return func() { cancel(); end() }
}

// Handler serves admin below Path. cancel cancels the requests in progress.
func Handler(admin Admin, owner func() Owner) (handler http.Handler, cancel func()) {
	ctx, cancel := context.WithCancel(context.Background())
	mux := routes(admin)
	mux.HandleFunc("GET /admin/owner",
		local.Answer(func(*http.Request, struct{}) (Owner, error) { return owner(), nil }))

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner, end := context.WithCancel(r.Context())
		defer end()
		defer context.AfterFunc(ctx, end)()
		mux.ServeHTTP(w, r.WithContext(inner))
	}), cancel
}

// A createdKey is a new key with its secret.
type createdKey struct {
	Secret string         `json:"secret"`
	Key    account.APIKey `json:"key"`
}

// A revocation says what to revoke with a key.
type revocation struct {
	Descendants bool `json:"descendants,omitzero"`
}

func routes(admin Admin) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc(
		"GET /admin/organizations",
		local.Answer(func(r *http.Request, _ struct{}) ([]api.Organization, error) {
			return admin.Organizations(r.Context())
		}),
	)

	mux.HandleFunc(
		"POST /admin/organizations",
		local.Answer(func(r *http.Request, name string) (api.Organization, error) {
			return admin.CreateOrganization(r.Context(), name)
		}),
	)

	mux.HandleFunc(
		"GET /admin/organizations/{organization}/keys",
		local.Answer(func(r *http.Request, _ struct{}) ([]account.APIKey, error) {
			return admin.Keys(r.Context(), id(r, "organization"))
		}),
	)

	mux.HandleFunc(
		"POST /admin/keys",
		local.Answer(func(r *http.Request, in account.KeyInput) (out createdKey, err error) {
			out.Secret, out.Key, err = admin.CreateKey(r.Context(), in)
			return out, err
		}),
	)

	mux.HandleFunc(
		"POST /admin/organizations/{organization}/keys/{key}/revoke",
		local.Answer(func(r *http.Request, in revocation) (account.Revocation, error) {
			return admin.RevokeKey(r.Context(), id(r, "organization"), id(r, "key"), in.Descendants)
		}),
	)

	mux.HandleFunc(
		"POST /admin/organizations/{organization}/plans/{environment}",
		local.Answer(func(r *http.Request, limits api.Limits) (api.Plan, error) {
			return admin.SetPlan(r.Context(), id(r, "organization"), api.Environment(r.PathValue("environment")),
				limits)
		}),
	)

	mux.HandleFunc(
		"GET /admin/organizations/{organization}/rules/{environment}",
		local.Answer(func(r *http.Request, _ struct{}) (api.Rules, error) {
			return admin.Rules(r.Context(), id(r, "organization"), api.Environment(r.PathValue("environment")))
		}),
	)

	mux.HandleFunc(
		"POST /admin/organizations/{organization}/rules/{environment}",
		local.Answer(func(r *http.Request, in api.Rules) (api.Rules, error) {
			return admin.SetRules(r.Context(), id(r, "organization"), api.Environment(r.PathValue("environment")), in)
		}),
	)

	mux.HandleFunc("GET /admin/heads/{seq}", local.Answer(func(r *http.Request, _ struct{}) ([]audit.Head, error) {
		seq, _ := strconv.ParseInt(r.PathValue("seq"), 10, 64) // no entry has number 0
		return admin.HeadsAt(r.Context(), seq)
	}))
	mux.HandleFunc("GET /admin/backup", func(w http.ResponseWriter, r *http.Request) { backup(admin, w, r) })
	mux.HandleFunc("POST /admin/verify", func(w http.ResponseWriter, r *http.Request) { verify(admin, w, r) })

	return mux
}

// id returns an id in the path, or zero if malformed.
func id(r *http.Request, name string) api.ID {
	id, _ := uuid.Parse(r.PathValue(name))
	return id
}

// backup streams a backup, followed by its digest.
func backup(admin Admin, w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Trailer", sumTrailer+", "+failTrailer)
	sum := sha256.New()
	err := admin.Backup(r.Context(), io.MultiWriter(w, sum), func(p archive.Progress) {
		if p.Total > 0 && h.Get(sizeHeader) == "" {
			h.Set(sizeHeader, strconv.FormatInt(p.Total, 10))
		}
	})
	if err != nil {
		text, _ := json.Marshal(failureOf(err)) // texts always marshal
		h.Set(failTrailer, string(text))
		return
	}

	h.Set(sumTrailer, hex.EncodeToString(sum.Sum(nil)))
}

func verify(admin Admin, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	flush := http.NewResponseController(w).Flush
	WriteProgress(w, flush, func(progress archive.ProgressFunc) (*audit.Result, error) {
		return admin.Verify(r.Context(), true, progress)
	})
}
