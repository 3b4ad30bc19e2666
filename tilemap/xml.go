package tilemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// Limits of an XML file.
const (
	maxXMLDepth = 256
	maxXMLAttrs = 64      // of one element
	maxXMLItems = 1 << 21 // elements and attributes of a file
)

// xmlReader reads an XML file once from start to end, and stores none of it. It expands only the five predefined
// entities and reads no DTD.
type xmlReader struct {
	d     *xml.Decoder
	at    spot   // the file and the line read last
	depth int    // open elements
	items int    // elements and attributes so far
	other string // the declared encoding, if it is not supported
}

// element is a start tag.
type element struct {
	name  string
	attrs []xml.Attr
	at    spot
}

func newXMLReader(file string, data []byte) (*xmlReader, error) {
	r := &xmlReader{at: spot{file: file}}
	data, err := plainText(r.at, data)
	if err != nil {
		return nil, err
	}
	r.d = xml.NewDecoder(bytes.NewReader(data))
	r.d.CharsetReader = func(encoding string, in io.Reader) (io.Reader, error) {
		if !sameAsUTF8(encoding) {
			r.other = encoding
			return nil, errors.ErrUnsupported
		}
		return in, nil
	}
	return r, nil
}

// next returns the next token, or nil at the end of the file.
func (r *xmlReader) next() (xml.Token, error) {
	t, err := r.d.Token()
	line, _ := r.d.InputPos()
	r.at.line = line
	var syntax *xml.SyntaxError
	switch {
	case err == io.EOF:
		return nil, nil
	case r.other != "":
		return nil, r.at.errorf("the text is in %s: save it as UTF-8", quote(r.other))
	case errors.As(err, &syntax):
		return nil, r.at.at(syntax.Line).errorf("invalid XML: %s", syntax.Msg)
	case err != nil:
		return nil, r.at.errorf("invalid XML: %w", err)
	}
	switch t := t.(type) {
	case xml.StartElement:
		r.depth++
		if r.depth > maxXMLDepth {
			return nil, r.at.errorf("elements are nested more than %d deep", maxXMLDepth)
		}
		if r.items += 1 + len(t.Attr); r.items > maxXMLItems {
			return nil, r.at.errorf("more than %d elements and attributes", maxXMLItems)
		}
		if err := r.checkAttrs(t); err != nil {
			return nil, err
		}
	case xml.EndElement:
		r.depth--
	case xml.Directive:
		// Old maps have <!DOCTYPE map SYSTEM "...">, which is not followed. An internal DTD could
		// define entities and is refused.
		if bytes.ContainsAny(t, "[<") {
			return nil, r.at.errorf("a document type definition inside the file is not supported")
		}
	}
	return t, nil
}

// checkAttrs refuses duplicate attributes, which encoding/xml accepts.
func (r *xmlReader) checkAttrs(e xml.StartElement) error {
	if len(e.Attr) > maxXMLAttrs {
		return r.at.errorf("<%s> has more than %d attributes", printableTag(e.Name.Local), maxXMLAttrs)
	}
	for i, a := range e.Attr {
		for _, b := range e.Attr[:i] {
			if a.Name == b.Name {
				return r.at.errorf("<%s> has the attribute %s twice", printableTag(e.Name.Local), quote(a.Name.Local))
			}
		}
	}
	return nil
}

// printableTag shortens a tag for a message.
func printableTag(name string) string {
	if len(name) > maxQuoted {
		return strings.ToValidUTF8(name[:maxQuoted], "") + "..."
	}
	return name
}

// root returns the first start tag of the file, which must be <want>.
func (r *xmlReader) root(want string) (element, error) {
	for {
		t, err := r.next()
		if err != nil {
			return element{}, err
		}
		switch t := t.(type) {
		case nil:
			return element{}, r.at.errorf("the file has no <%s>", want)
		case xml.StartElement:
			if t.Name.Local != want {
				return element{}, r.at.errorf("the file holds a <%s>, not a <%s>",
					printableTag(t.Name.Local), want)
			}
			return element{t.Name.Local, t.Attr, r.at}, nil
		}
	}
}

// end reads to the end of the file. Only comments and white space may follow the root element.
func (r *xmlReader) end() error {
	for {
		t, err := r.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case nil:
			return nil
		case xml.StartElement:
			return r.at.errorf("a second root element, <%s>", printableTag(t.Name.Local))
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return r.at.errorf("text after the root element")
			}
		}
	}
}

// each calls do for every child of the element opened last, and returns at its end. Parts of a
// child that do leaves unread are skipped. Text between the children is added to text, if that is
// not nil.
func (r *xmlReader) each(text *strings.Builder, do func(e element) error) error {
	inside := r.depth
	for {
		t, err := r.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case nil:
			return r.at.errorf("invalid XML: the file ends within an element")
		case xml.CharData:
			if text != nil && r.depth == inside {
				text.Write(t)
			}
		case xml.StartElement:
			if r.depth > inside+1 { // inside of a skipped child
				continue
			}
			if err := do(element{t.Name.Local, t.Attr, r.at}); err != nil {
				return err
			}
		}
		if r.depth < inside {
			return nil
		}
	}
}

// fields returns the attributes of e.
func (e element) fields(at spot) *fields {
	at.line = e.at.line
	return &fields{at: at, lookup: func(key string) (string, valueKind, bool) {
		for _, a := range e.attrs {
			if a.Name.Local == key && a.Name.Space == "" {
				return a.Value, textual, true
			}
		}
		return "", textual, false
	}}
}
