package host_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/offline/edge"
	"bincard/offline/host"
	"bincard/server/api"
)

// A machineClock is a clock without a service.
type machineClock struct{}

func (machineClock) Now() time.Time             { return time.Now() }
func (machineClock) ClockOffset() time.Duration { return 0 }

// A notFound is a service with the documented operations only and no data, so that
// its key is accepted.
type notFound struct{}

func (notFound) Do(_ context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.ID == api.ListInbounds.Spec.ID {
		return &api.Response{Output: &api.List[api.Inbound]{}}, nil
	}
	return nil, api.Fail(api.NotFound, nil, "There is no %s.", req.Spec.Path)
}

// An unreachable service does not answer.
type unreachable struct{}

func (unreachable) Do(context.Context, *api.Request) (*api.Response, error) {
	return nil, &api.Error{Code: api.Unavailable, Message: "No answer.", Err: errors.New("no route")}
}

func upstream(t *testing.T, svc api.Service) host.Upstream {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	return host.Upstream{Dir: dir, URL: "https://stock.example.com", Organization: uuid.New(), Environment: api.Live,
		Service: svc, Clock: machineClock{}, UserAgent: "test", Now: time.Now}
}

// attach joins the node, and leaves it when the test ends.
func attach(t *testing.T, up host.Upstream) *host.Attached {
	t.Helper()
	a, err := host.Attach(t.Context(), up)
	require.NoError(t, err)
	if a.Node != nil {
		t.Cleanup(func() { _ = a.Node.Close() })
	}
	return a
}

func syncState(t *testing.T, svc api.Service) api.Sync {
	t.Helper()
	s, err := api.GetSync.Call(t.Context(), svc, api.SyncInput{})
	require.NoError(t, err)
	return s
}

func TestAttach_TheNextProcessTakesOver(t *testing.T) {
	t.Parallel()
	up := upstream(t, unreachable{})
	first := attach(t, up)
	require.NotNil(t, first.Node.Own())
	require.Contains(t, first.Notes[0], "cannot be reached")
	second, third := attach(t, up), attach(t, up)
	for _, a := range []*host.Attached{second, third} {
		require.Nil(t, a.Node.Own())
		require.Equal(t, up.URL, syncState(t, a.Node).Service)
	}
	require.NoError(t, first.Node.Close())
	require.Equal(t, up.URL, syncState(t, second.Node).Service)
	require.Equal(t, up.URL, syncState(t, third.Node).Service)
	owns := func(a *host.Attached) bool { return a.Node.Own() != nil }
	require.NotEqual(t, owns(second), owns(third), "one of them took over")
	if owns(third) {
		second, third = third, second
	}
	require.NoError(t, second.Node.Close())
	require.Eventually(t, func() bool { return owns(third) }, 10*time.Second, 10*time.Millisecond, "without a request too")
	require.NoError(t, third.Node.Close())
	require.False(t, host.Running(t.Context(), up.Dir))
}

func TestAttach_WithoutKeyNeedsAnOwner(t *testing.T) {
	t.Parallel()
	up := upstream(t, unreachable{})
	keyless := up
	keyless.Service, keyless.Clock = nil, nil
	_, err := host.Attach(t.Context(), keyless)
	require.ErrorContains(t, err, "has no key for the service")
	owner := attach(t, up)
	guest := attach(t, keyless)
	require.Equal(t, up.URL, syncState(t, guest.Node).Service)
	require.NoError(t, guest.Node.Close())
	require.NoError(t, owner.Node.Close())
}

func TestJoinStored(t *testing.T) {
	t.Parallel()
	up := upstream(t, notFound{})
	_, err := host.JoinStored(t.Context(), up.Dir, machineClock{}, "test")
	require.ErrorContains(t, err, "once with a connection")
	up.OnDownload = func() {}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	a, err := host.Attach(ctx, up)
	require.NoError(t, err)
	require.True(t, host.HasJournal(up.Dir))
	access, ok := host.LoadAccess(up.Dir)
	require.True(t, ok)
	require.Equal(t, up.Organization, access.Organization.ID)
	require.NoError(t, a.Node.Close())

	s, err := host.JoinStored(t.Context(), up.Dir, machineClock{}, "test")
	require.NoError(t, err)
	require.Equal(t, up.URL, syncState(t, s).Service)
	require.NoError(t, s.Close())
}

func TestWithDevices(t *testing.T) {
	t.Parallel()
	up := upstream(t, notFound{})
	err := host.WithDevices(t.Context(), up.Dir, machineClock{}, nil)
	require.ErrorContains(t, err, "there is no edge in")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	a, err := host.Attach(ctx, up)
	require.NoError(t, err)
	err = host.WithDevices(t.Context(), up.Dir, machineClock{}, func(at host.Devices) error {
		_, err := at.List(t.Context())
		return err
	})
	require.ErrorContains(t, err, "not a compatible edge", "a node without devices runs there")
	require.NoError(t, a.Node.Close())

	require.NoError(t, host.WithDevices(t.Context(), up.Dir, machineClock{}, func(at host.Devices) error {
		created, err := at.Create(t.Context(), edge.DeviceInput{Label: "scanner-3", Scopes: api.Scopes})
		require.NoError(t, err)
		require.NotEmpty(t, created.Secret)
		_, err = at.Create(t.Context(), edge.DeviceInput{Label: "scanner-4", Location: "NOWHERE", Scopes: api.Scopes})
		require.Error(t, err)
		_, err = at.Revoke(t.Context(), created.Device.ID)
		require.NoError(t, err)
		list, err := at.List(t.Context())
		require.Len(t, list, 1)
		require.NotNil(t, list[0].RevokedAt)
		return err
	}))
}

// childDir makes the test binary lock that directory until it is killed.
const childDir = "HOST_TEST_DIR"

func TestMain(m *testing.M) {
	dir := os.Getenv(childDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	if _, err := host.Lock(dir); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("locked")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends
}

// lockInChild locks a directory in another process, which kill kills.
func lockInChild(t *testing.T, dir string) (pid int, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "serve", "--key=secret")
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	_, err := cmd.StdinPipe()
	require.NoError(t, err)
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(pipe).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "locked", strings.TrimSpace(line))
	return cmd.Process.Pid, func() {
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
	}
}

func TestLock_NamesTheHolderAndEndsWithIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pid, kill := lockInChild(t, dir)
	_, err := host.Lock(dir)
	var locked *host.LockedError
	require.ErrorAs(t, err, &locked)
	require.Equal(t, dir, locked.Dir)
	require.Equal(t, pid, locked.PID)
	require.True(t, strings.HasSuffix(locked.Command, " serve"), locked.Command)
	require.ErrorContains(t, err, "process "+strconv.Itoa(pid))
	require.NotContains(t, err.Error(), "secret")
	kill()

	release, err := host.Lock(dir)
	require.NoError(t, err)
	_, err = host.Lock(dir)
	require.ErrorAs(t, err, &locked)
	require.Equal(t, os.Getpid(), locked.PID)
	require.NoError(t, release())
	release, err = host.Lock(dir)
	require.NoError(t, err)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "owner", "ledger.owner"), []byte("torn"), 0o600))
	_, err = host.Lock(dir)
	require.ErrorContains(t, err, "in use by another program")
	require.NoError(t, release())
}
