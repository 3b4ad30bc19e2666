package tilemap

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Limits of a JSON file.
const (
	maxJSONDepth = 256
	maxJSONNodes = 1 << 20 // about 200 bytes each while lists grow
)

// node is a JSON value: its range in the file and its items. An array of numbers, such as layer
// data, is a node without items, because the reader of comma-separated data reads it.
type node struct {
	kind       nodeKind
	line       int32
	start, end int32    // the value's text
	keys       []string // of an object, one for each item
	items      []node
}

type nodeKind uint8

const (
	objectNode nodeKind = iota
	arrayNode
	numbersNode // an array of numbers, or an empty one
	stringNode
	numberNode
	boolNode
	nullNode
)

// jsonFile is a JSON file and its parsed values.
type jsonFile struct {
	name  string
	data  []byte
	pos   int
	line  int
	nodes int
	skip  map[string]bool // keys whose values are left out
}

// parseJSON parses a file, without the values of the keys in skip. The standard library checks that it is valid JSON,
// so the parser checks only the limits and duplicate keys.
func parseJSON(name string, data []byte, skip map[string]bool) (*jsonFile, node, error) {
	data, err := plainText(spot{file: name}, data)
	if err != nil {
		return nil, node{}, err
	}
	j := &jsonFile{name: name, data: data, line: 1, skip: skip}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		at := spot{file: name}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at.line = 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		}
		return nil, node{}, at.errorf("invalid JSON: %w", err)
	}
	n, err := j.value(0)
	return j, n, err
}

// space skips white space and counts lines.
func (j *jsonFile) space() {
	for ; j.pos < len(j.data); j.pos++ {
		switch j.data[j.pos] {
		case '\n':
			j.line++
		case ' ', '\t', '\r':
		default:
			return
		}
	}
}

// value parses the value at pos and moves pos behind it.
func (j *jsonFile) value(depth int) (node, error) {
	j.space()
	n := node{line: int32(j.line), start: int32(j.pos)}
	j.nodes++
	if j.nodes > maxJSONNodes || depth > maxJSONDepth {
		return n, spot{file: j.name, line: j.line}.errorf(
			"more than %d values, or nested more than %d deep", maxJSONNodes, maxJSONDepth)
	}
	var err error
	switch c := j.data[j.pos]; c {
	case '{':
		n.kind = objectNode
		err = j.object(&n, depth)
	case '[':
		n.kind = numbersNode
		if !j.numbers() {
			n.kind = arrayNode
			err = j.array(&n, depth)
		}
	case '"':
		n.kind = stringNode
		j.skipString()
	default:
		switch c {
		case 't', 'f':
			n.kind = boolNode
		case 'n':
			n.kind = nullNode
		default:
			n.kind = numberNode
		}
		for j.pos < len(j.data) && strings.IndexByte(",]} \t\r\n", j.data[j.pos]) < 0 {
			j.pos++
		}
	}
	n.end = int32(j.pos)
	return n, err
}

// numbers moves pos behind the array at pos if all its items are numbers.
func (j *jsonFile) numbers() bool {
	lines := 0
	for i := j.pos + 1; ; i++ {
		switch c := j.data[i]; {
		case c == ']':
			j.pos = i + 1
			j.line += lines
			return true
		case c == '\n':
			lines++
		case c == '[' || c == '{' || c == '"' || c == 't' || c == 'f' || c == 'n':
			return false
		}
	}
}

// skipString moves pos behind the string at pos.
func (j *jsonFile) skipString() {
	for j.pos++; j.data[j.pos] != '"'; j.pos++ {
		if j.data[j.pos] == '\\' {
			j.pos++
		}
	}
	j.pos++
}

// skipped moves pos behind the value at pos and reports true, if that is an array or an object.
func (j *jsonFile) skipped() bool {
	depth := 0
	for j.space(); ; j.space() {
		switch j.data[j.pos] {
		case '"':
			if depth > 0 {
				j.skipString()
				continue
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > 0 {
			j.pos++
			continue
		}
		if c := j.data[j.pos]; c == '}' || c == ']' {
			j.pos++
			return true
		}
		return false
	}
}

// array parses the items of an array.
func (j *jsonFile) array(n *node, depth int) error {
	for j.data[j.pos] != ']' { // at '[', and then at each ','
		j.pos++
		item, err := j.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
		j.space()
	}
	j.pos++
	return nil
}

// object parses the members of an object.
func (j *jsonFile) object(n *node, depth int) error {
	var seen map[string]bool
	j.pos++
	for j.space(); j.data[j.pos] != '}'; j.space() {
		if j.data[j.pos] == ',' {
			j.pos++
			j.space()
		}
		line, start := j.line, j.pos
		j.skipString()
		key := unquote(j.data[start:j.pos])
		if seen == nil {
			seen = make(map[string]bool, 8)
		}
		if seen[key] {
			return spot{file: j.name, line: line}.errorf("the key %s occurs twice", quote(key))
		}
		seen[key] = true
		j.space()
		j.pos++ // the colon
		if j.skip[key] && j.skipped() {
			continue
		}
		item, err := j.value(depth + 1)
		if err != nil {
			return err
		}
		n.keys = append(n.keys, key)
		n.items = append(n.items, item)
	}
	j.pos++
	return nil
}

// unquote returns the value of a valid JSON string.
func unquote(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b[1 : len(b)-1])
	}
	var s string
	_ = json.Unmarshal(b, &s) // checked before
	return s
}

// text returns the text of n in the file.
func (j *jsonFile) text(n *node) string {
	b := j.data[n.start:n.end]
	if n.kind == stringNode {
		return unquote(b)
	}
	return string(b)
}

// list returns the comma-separated numbers of a numbersNode.
func (j *jsonFile) list(n *node) string { return string(j.data[n.start+1 : n.end-1]) }

// get returns the member of an object, or nil if it is missing or null.
func (n *node) get(key string) *node {
	for i, k := range n.keys {
		if k == key && n.items[i].kind != nullNode {
			return &n.items[i]
		}
	}
	return nil
}

// at returns the place of n.
func (n *node) at(s spot) spot { return s.at(int(n.line)) }

// fields returns the scalar members of the object n.
func (j *jsonFile) fields(n *node, at spot) *fields {
	return &fields{at: n.at(at), lookup: func(key string) (string, valueKind, bool) {
		v := n.get(key)
		if v == nil {
			return "", jsonNull, false
		}
		switch v.kind {
		case stringNode:
			return j.text(v), jsonString, true
		case numberNode:
			return j.text(v), jsonNumber, true
		case boolNode:
			return j.text(v), jsonBool, true
		}
		return "", jsonOther, true
	}}
}

// each calls do for every item of the array n[key]. A missing array counts as empty; an item that
// is not an object is an error.
func (n *node) each(key string, at spot, do func(item *node) error) error {
	list := n.get(key)
	if list == nil {
		return nil
	}
	if list.kind != arrayNode && (list.kind != numbersNode || list.end-list.start > 2) {
		return list.at(at).errorf("%s is not an array of objects", key)
	}
	for i := range list.items {
		item := &list.items[i]
		if item.kind != objectNode {
			return item.at(at).errorf("item %s of %s is not an object", strconv.Itoa(i), key)
		}
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}
