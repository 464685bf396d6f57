// Renders the templates of a chart as Helm does: text/template, the functions of sprig, include,
// toYaml and fail. Prints each rendered document.
//
//	main CHART VALUES.json
//
// VALUES.json has the values that differ from values.yaml, merged into it.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func main() {
	if err := render(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(chart, changesFile string) error {
	values, about := map[string]any{}, map[string]any{}
	changes := map[string]any{}
	if err := readYaml(filepath.Join(chart, "values.yaml"), &values); err != nil {
		return err
	}
	if err := readYaml(filepath.Join(chart, "Chart.yaml"), &about); err != nil {
		return err
	}
	text, err := os.ReadFile(changesFile)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &changes); err != nil {
		return err
	}
	merge(values, changes)
	root := map[string]any{
		"Values":  values,
		"Chart":   map[string]any{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
		"Release": map[string]any{"Name": "test", "Service": "Helm", "Namespace": "default"},
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var out bytes.Buffer
			err := all.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"toYaml": func(value any) (string, error) {
			out, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(out), "\n"), err
		},
		"fail": func(message string) (string, error) { return "", errors.New(message) },
	})
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := all.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	for _, file := range files {
		if filepath.Ext(file) != ".yaml" {
			continue
		}
		var out bytes.Buffer
		if err := all.ExecuteTemplate(&out, filepath.Base(file), root); err != nil {
			return err
		}
		fmt.Printf("---\n%s\n", out.String())
	}
	return nil
}

func readYaml(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(text, into)
}

// merge changes values in place, maps entry by entry, as Helm merges values that are given.
func merge(values, changes map[string]any) {
	for name, change := range changes {
		inner, isMap := change.(map[string]any)
		known, wasMap := values[name].(map[string]any)
		if isMap && wasMap {
			merge(known, inner)
			continue
		}
		values[name] = change
	}
}
