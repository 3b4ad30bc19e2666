package scene

import "testing"

// TestNamesAreSorted: All is sorted by name, so that Get finds each.
func TestNamesAreSorted(t *testing.T) {
	all := All()
	for i, s := range all {
		if i > 0 && all[i-1].Name >= s.Name {
			t.Errorf("%s is after %s", s.Name, all[i-1].Name)
		}
		if got, ok := Get(s.Name); !ok || got.Name != s.Name {
			t.Errorf("Get does not find %s", s.Name)
		}
	}
}
