package e2e_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/budget"
)

// clientFolder has a program for each language of generated clients, with the versions of
// what generates them.
const clientFolder = "../../../.ci/clients"

// A Go client that oapi-codegen generates from the service's OpenAPI document compiles, and
// the README's first hour works with it.
func TestGeneratedClient_Go(t *testing.T) {
	t.Parallel()
	budget.GeneratedClients.Cases(t)
	h := newMachine(t)
	p := h.copyClient("go")
	if out, err := p.command("go", "mod", "download").CombinedOutput(); err != nil {
		skipOutsideCI(t, "the client generator cannot be downloaded: %s", out)
	}
	p.startFirstHour()
	require.NoError(t, os.Mkdir(filepath.Join(p.dir, "bincard"), 0o700))
	p.run("go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "bincard", "-o", "bincard/client.go", "openapi.yaml")
	require.Equal(t, "done\n", p.run("go", "run", "."))
}

// A TypeScript client that openapi-typescript generates compiles, and the README's first
// hour works with it. The test downloads nothing: .ci/run installs what it needs, and sets
// BINCARD_NO_NPM if it cannot.
func TestGeneratedClient_TypeScript(t *testing.T) {
	t.Parallel()
	budget.GeneratedClients.Cases(t)
	h := newMachine(t)
	if os.Getenv("BINCARD_NO_NPM") != "" {
		t.Skip("the npm registry could not be reached")
	}
	if _, err := exec.LookPath("node"); err != nil {
		skipOutsideCI(t, "node is not installed")
	}
	packages, err := filepath.Abs(filepath.Join(clientFolder, "typescript", "node_modules"))
	require.NoError(t, err)
	if _, err := os.Stat(packages); err != nil {
		skipOutsideCI(t, "the client generator is not installed: run npm ci in .ci/clients/typescript")
	}
	p := h.copyClient("typescript")
	require.NoError(t, os.Symlink(packages, filepath.Join(p.dir, "node_modules")))
	p.startFirstHour()
	p.run("node", "node_modules/openapi-typescript/bin/cli.js", "openapi.yaml", "-o", "bincard.ts")
	p.run("node", "node_modules/typescript/bin/tsc")
	require.Equal(t, "done\n", p.run("node", "out/main.js"))
}

// skipOutsideCI skips a test whose tools are missing. CI installs them.
func skipOutsideCI(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// A clientProgram is a copy of a program that uses a generated client.
type clientProgram struct {
	h   *machine
	dir string
	env []string
}

// copyClient copies the program of a language, without what is installed.
func (h *machine) copyClient(language string) *clientProgram {
	h.t.Helper()
	p := &clientProgram{h: h, dir: h.path(language), env: append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")}
	require.NoError(h.t, os.Mkdir(p.dir, 0o700))
	from := filepath.Join(clientFolder, language)
	files, err := os.ReadDir(from)
	require.NoError(h.t, err)
	for _, f := range files {
		if f.Type().IsRegular() {
			text, err := os.ReadFile(filepath.Join(from, f.Name()))
			require.NoError(h.t, err)
			require.NoError(h.t, os.WriteFile(filepath.Join(p.dir, f.Name()), text, 0o600))
		}
	}
	return p
}

// startFirstHour starts a new service as in the README's first hour, and downloads its
// OpenAPI document.
func (p *clientProgram) startFirstHour() {
	t, data := p.h.t, p.h.path("data")
	result := func(args ...string) (value map[string]any) {
		out, status := p.h.run(args...)
		require.Zero(t, status, out)
		require.NoError(t, json.Unmarshal([]byte(out), &value), out)
		return value
	}
	org := result("org", "create", "--data", data, "--name", "Harbour Goods", "--json")["organizationId"].(string)
	key := result("key", "create", "--data", data, "--org", org, "--env", "test", "--label", "first", "--json")["key"].(string)
	s := p.h.serve(&company{dir: data}, "")
	t.Cleanup(func() {
		s.end(syscall.SIGINT)
		out, status := p.h.run("verify", "--data", data)
		require.Zero(t, status, out)
	})
	p.env = append(p.env, "BINCARD_URL="+s.url, "BINCARD_ORG="+org, "BINCARD_KEY="+key)
	res, err := http.Get(s.url + "/openapi.yaml")
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "openapi.yaml"), text, 0o600))
}

func (p *clientProgram) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	return cmd
}

// run runs a command that must succeed in the folder of the program, and returns what it
// prints.
func (p *clientProgram) run(name string, args ...string) string {
	p.h.t.Helper()
	cmd := p.command(name, args...)
	var failure strings.Builder
	cmd.Stderr = &failure
	out, err := cmd.Output()
	require.NoError(p.h.t, err, "%s %v: %s%s", name, args, out, failure.String())
	return string(out)
}
