// Systems type-checks the program for each system given as os/arch. It finds the errors
// that a build would find, except those of linking, in a tenth of the time. A system that
// the tests run on, or that differs from it only in its processor, needs no check.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A listedPackage is a package as "go list -json" prints it.
type listedPackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
	Standard   bool
	Module     *struct {
		Main      bool
		GoVersion string
	}
}

func main() {
	failed := false
	for _, system := range os.Args[1:] {
		fmt.Println("type-check", system)
		if err := check(system); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", system, err)
			failed = true
		}
	}

	if failed {
		os.Exit(1)
	}
}

func check(system string) error {
	goos, goarch, ok := strings.Cut(system, "/")
	if !ok {
		return errors.New("name the system as os/arch")
	}

	packages, err := list(goos, goarch)
	if err != nil {
		return err
	}

	files := token.NewFileSet()
	done := map[string]*types.Package{"unsafe": types.Unsafe}
	var faults []error
	for _, p := range packages { // in dependency order
		if p.ImportPath == "unsafe" {
			continue
		}

		inProject := p.Module != nil && p.Module.Main
		config := types.Config{Sizes: types.SizesFor("gc", goarch), FakeImportC: true, IgnoreFuncBodies: !inProject,
			Importer: importer(func(path string) (*types.Package, error) {
				if mapped := p.ImportMap[path]; mapped != "" {
					path = mapped
				}
				if done[path] == nil {
					return nil, fmt.Errorf("package %s is not listed", path)
				}
				return done[path], nil
			}),
			Error: func(err error) {
				if inProject {
					faults = append(faults, err)
				}
			}}

		if p.Module != nil && p.Module.GoVersion != "" {
			config.GoVersion = "go" + p.Module.GoVersion
		}

		var syntax []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			syntax = append(syntax, f)
		}

		done[p.ImportPath], _ = config.Check(p.ImportPath, files, syntax, nil) // collected in faults
	}

	return errors.Join(faults...)
}

func list(goos, goarch string) (packages []*listedPackage, err error) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,Standard,Module", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}

	for d := json.NewDecoder(out); ; {
		var p listedPackage
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}

		packages = append(packages, &p)
	}

	return packages, cmd.Wait()
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }
