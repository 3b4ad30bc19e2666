//go:build unix

package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"gopkg.in/yaml.v3"
)

func parseYAML(t *testing.T, name string, to any) {
	t.Helper()
	b, err := os.ReadFile("../../deploy/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(b, to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// service is a service of the compose file.
type service struct {
	Image   string
	Command []string
	Depends []string `yaml:"depends_on"`
	Secrets []string
	Volumes []string
}

func composed(t *testing.T) map[string]service {
	t.Helper()
	var file struct {
		Services map[string]service
		Secrets  map[string]any
		Volumes  map[string]any
	}
	parseYAML(t, "compose.yaml", &file)
	for name, s := range file.Services {
		for _, of := range s.Depends {
			if _, ok := file.Services[of]; !ok {
				t.Errorf("%s depends on %s, which is no service", name, of)
			}
		}
		for _, x := range s.Secrets {
			if _, ok := file.Secrets[x]; !ok {
				t.Errorf("%s has the secret %s, which is not there", name, x)
			}
		}
		for _, v := range s.Volumes {
			from, _, _ := strings.Cut(v, ":")
			_, ok := file.Volumes[from]
			if strings.HasPrefix(from, "./") {
				_, err := os.Stat("../../deploy/" + from)
				ok = err == nil
			}
			if !ok {
				t.Errorf("%s has the volume %s, which is not there", name, from)
			}
		}
	}
	return file.Services
}

// The commands of the compose file are valid: this program has their flags and accepts the values, and the servers that
// they name are services of the file.
func TestCompose(t *testing.T) {
	services := composed(t)
	roles, nodes := map[string]int{}, 0
	for name, s := range services {
		if s.Image == "nats:2-alpine" {
			nodes++
		}
		if s.Image != "quarry" {
			continue
		}
		var c commands
		parser, err := kong.New(&c, kong.Vars{"version": "", "layers": ""})
		if err != nil {
			t.Fatal(err)
		}
		context, err := parser.Parse(s.Command)
		if err != nil || context.Command() != "serve" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Serve.Name != name || len(c.Serve.Nats) != 3 || c.Serve.Addr != ":8080" || c.Serve.Keys == "" {
			t.Errorf("%s: %+v", name, c.Serve)
		}
		if c.Serve.Keys != "/run/secrets/keys" || !slices.Contains(s.Secrets, "keys") {
			t.Errorf("%s has no keys", name)
		}
		if address, err := c.Serve.address(); c.Serve.has("host") && (err != nil || address != "http://"+name+":8080") {
			t.Errorf("%s: its address for the others is %q, %v", name, address, err)
		}
		for _, url := range c.Serve.Nats {
			of := strings.TrimSuffix(strings.TrimPrefix(url, "nats://"), ":4222")
			if services[of].Image != "nats:2-alpine" {
				t.Errorf("%s: %s is no NATS server", name, url)
			}
		}
		roles[strings.Join(c.Serve.Role, ",")]++
	}
	if nodes != 3 || roles["host"] != 3 || roles["gateway"] != 2 {
		t.Errorf("%d NATS servers, roles %v", nodes, roles)
	}
	var scrapes struct {
		Jobs []struct {
			Path   string                       `yaml:"metrics_path"`
			Static []struct{ Targets []string } `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	parseYAML(t, "prometheus.yml", &scrapes)
	var targets, want []string
	for _, j := range scrapes.Jobs {
		for _, s := range j.Static {
			targets = append(targets, s.Targets...)
		}
	}
	for name, s := range services {
		if s.Image == "quarry" {
			want = append(want, name+":8080")
		}
	}
	slices.Sort(targets)
	slices.Sort(want)
	if !slices.Equal(targets, want) || scrapes.Jobs[0].Path != "/metrics" {
		t.Errorf("figures are taken from %q, want %q", targets, want)
	}
}

// Every metric of the dashboard is one of the program's, and every one of the program's is in the dashboard.
func TestDashboard(t *testing.T) {
	b, err := os.ReadFile("../../deploy/grafana/quarry.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(b, &board); err != nil || len(board.Panels) < 10 {
		t.Fatalf("%d panels, %v", len(board.Panels), err)
	}
	shown := map[string]bool{}
	metric := regexp.MustCompile(`quarry_[a-z_]+`)
	for _, p := range board.Panels {
		for _, x := range p.Targets {
			for _, name := range metric.FindAllString(x.Expr, -1) {
				shown[name] = true
			}
		}
	}
	_, addr := startServe(t, "--data", t.TempDir())
	r, err := http.Get("http://" + addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if b, err = io.ReadAll(r.Body); err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (quarry_[a-z_]+) `).FindAllStringSubmatch(string(b), -1) {
		told[m[1]] = true
	}
	for name := range shown {
		if !told[name] {
			t.Errorf("the dashboard has %s, which the program does not tell", name)
		}
	}
	for name := range told {
		if !shown[name] {
			t.Errorf("the dashboard does not have %s", name)
		}
	}
}
