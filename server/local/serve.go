package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/archive"
	"bincard/server/ledger/audit"
)

// The header and trailers of a backup: its approximate size, and at the end
// its digest or the error.
const (
	sizeHeader  = "Bincard-Size"
	sumTrailer  = "Bincard-Sum"
	failTrailer = "Bincard-Failure"
)

// Serve answers requests for admin on ln until ctx ends, which cancels those
// in progress. It closes ln.
func Serve(ctx context.Context, ln net.Listener, admin Admin, log *slog.Logger) error {
	srv := &http.Server{Handler: handler(admin), ReadHeaderTimeout: 5 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	shutdownCtx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := srv.Shutdown(shutdownCtx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close()
	}
	return err
}

// A createdKey is a new key with its secret.
type createdKey struct {
	Secret string         `json:"secret"`
	Key    account.APIKey `json:"key"`
}

func handler(admin Admin) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /admin/organizations", answer(func(ctx context.Context, r *http.Request, _ struct{}) ([]api.Organization, error) {
		return admin.Organizations(ctx)
	}))
	mux.HandleFunc("POST /admin/organizations", answer(func(ctx context.Context, r *http.Request, name string) (api.Organization, error) {
		return admin.CreateOrganization(ctx, name)
	}))
	mux.HandleFunc("GET /admin/organizations/{organization}/keys", answer(func(ctx context.Context, r *http.Request, _ struct{}) ([]account.APIKey, error) {
		return admin.Keys(ctx, id(r, "organization"))
	}))
	mux.HandleFunc("POST /admin/keys", answer(func(ctx context.Context, r *http.Request, in account.KeyInput) (out createdKey, err error) {
		out.Secret, out.Key, err = admin.CreateKey(ctx, in)
		return out, err
	}))
	mux.HandleFunc("POST /admin/organizations/{organization}/keys/{key}/revoke", answer(func(ctx context.Context, r *http.Request, _ struct{}) (account.APIKey, error) {
		return admin.RevokeKey(ctx, id(r, "organization"), id(r, "key"))
	}))
	mux.HandleFunc("POST /admin/organizations/{organization}/plans/{environment}", answer(func(ctx context.Context, r *http.Request, limits api.Limits) (api.Plan, error) {
		return admin.SetPlan(ctx, id(r, "organization"), api.Environment(r.PathValue("environment")), limits)
	}))
	mux.HandleFunc("GET /admin/organizations/{organization}/rules/{environment}", answer(func(ctx context.Context, r *http.Request, _ struct{}) (api.Rules, error) {
		return admin.Rules(ctx, id(r, "organization"), api.Environment(r.PathValue("environment")))
	}))
	mux.HandleFunc("POST /admin/organizations/{organization}/rules/{environment}", answer(func(ctx context.Context, r *http.Request, in api.Rules) (api.Rules, error) {
		return admin.SetRules(ctx, id(r, "organization"), api.Environment(r.PathValue("environment")), in)
	}))
	mux.HandleFunc("GET /admin/backup", func(w http.ResponseWriter, r *http.Request) { backup(admin, w, r) })
	mux.HandleFunc("POST /admin/verify", func(w http.ResponseWriter, r *http.Request) { verify(admin, w, r) })
	return mux
}

// id returns an id in the path, zero if malformed.
func id(r *http.Request, name string) api.ID {
	id, _ := uuid.Parse(r.PathValue(name))
	return id
}

// answer returns a handler that decodes an I from the body and encodes an O.
func answer[I, O any](fn func(context.Context, *http.Request, I) (O, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in I
		if r.Method == http.MethodPost && r.ContentLength != 0 {
			if err := json.UnmarshalRead(http.MaxBytesReader(w, r.Body, 1<<20), &in); err != nil {
				fail(w, api.Fail(api.InvalidJSON, nil, "Cannot read the request: %v.", err))
				return
			}
		}
		out, err := fn(r.Context(), r, in)
		if err != nil {
			fail(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.MarshalWrite(w, out) // an error means that the client is gone
	}
}

// A failure is an error as sent over the socket. It includes internal causes.
type failure struct {
	Code    api.Code    `json:"code"`
	Message string      `json:"message"`
	Details api.Details `json:"details,omitempty"`
	Damaged bool        `json:"unsound,omitzero"`
}

func failureOf(err error) *failure {
	var e *api.Error
	if errors.As(err, &e) && e.Err == nil {
		return &failure{Code: e.Code, Message: e.Message, Details: e.Details}
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("the process that has the directory open is shutting down; try again")
	}
	return &failure{Code: api.InternalError, Message: err.Error(), Damaged: archive.IsDamage(err)}
}

// err returns the error, as far as clients distinguish it.
func (f *failure) err() error {
	switch {
	case f.Damaged:
		return &archive.DamageError{Words: f.Message}
	case f.Code == api.InternalError:
		return errors.New(f.Message)
	}
	return &api.Error{Code: f.Code, Message: f.Message, Details: f.Details}
}

func fail(w http.ResponseWriter, err error) {
	f := failureOf(err)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.Code.Status())
	_ = json.MarshalWrite(w, f)
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
