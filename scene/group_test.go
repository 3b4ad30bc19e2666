package scene

import "testing"

// Each scene is in one group.
func TestGroups(t *testing.T) {
	times := map[string]int{}
	for _, g := range Groups() {
		for _, name := range g.Scenes {
			if times[name]++; times[name] > 1 {
				t.Errorf("%s is in the groups %d times", name, times[name])
			}
			if _, ok := Get(name); !ok {
				t.Errorf("group %s: there is no scene %s", g.Name, name)
			}
		}
	}
	for _, sc := range All() {
		if times[sc.Name] == 0 {
			t.Errorf("%s is in no group", sc.Name)
		}
	}
}
