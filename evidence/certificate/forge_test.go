package certificate_test

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/evidence/certificate"
)

// Forgeries of certificates, all of one generator.
//
// Idea: a certificate is data, so it is forged without knowing what it says: each number is another one, each
// truth value is turned round, each text is another text of the same certificate or none, each element of a
// list is left out, stands twice or changes places with the next one, each list is empty, and what is there
// is not. So every field of every kind of certificate is forged.

// A forgery is a certificate with one thing changed.
type forgery struct {
	what string
	cert *certificate.Certificate
}

// forgeries are some of a certificate with one thing changed, at most so many, and each with a file of its own; and
// how many changes there are to choose from.
func forgeries(t *testing.T, rnd *rand.Rand, c *certificate.Certificate, most int) (some []forgery, changes int) {
	t.Helper()
	f := &forger{from: c, texts: textsOf(reflect.ValueOf(c).Elem())}
	f.walk(reflect.ValueOf(c).Elem(), "", func(root reflect.Value) reflect.Value { return root })
	seen := map[string]bool{written(t, c): true}
	for _, k := range rnd.Perm(len(f.all)) {
		if len(some) == most {
			break
		}
		forged := f.forge(f.all[k])
		if text := written(t, forged.cert); text != "" && !seen[text] {
			seen[text] = true
			some = append(some, forged)
		}
	}
	return some, len(f.all)
}

// written is the file of a certificate; "" if it has none: of an operator that there is not, say.
func written(t *testing.T, c *certificate.Certificate) (text string) {
	t.Helper()
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	var b strings.Builder
	require.NoError(t, certificate.Write(&b, &certificate.Document{Certificates: []*certificate.Certificate{c}}))
	return b.String()
}

// A forger knows all changes of one thing in a certificate, in the order of its fields. A certificate is copied for
// those that are tried.
type forger struct {
	from  *certificate.Certificate
	texts []string
	all   []alteration
}

// An alteration changes a part.
type alteration struct {
	what   string
	part   at
	change func(reflect.Value)
}

// at leads from a certificate to a part of it.
type at func(root reflect.Value) reflect.Value

func (f *forger) add(what string, part at, change func(reflect.Value)) {
	f.all = append(f.all, alteration{what, part, change})
}

// forge is the certificate with a part changed.
func (f *forger) forge(a alteration) forgery {
	c := copied(reflect.ValueOf(f.from)).Interface().(*certificate.Certificate)
	a.change(a.part(reflect.ValueOf(c).Elem()))
	return forgery{a.what, c}
}

// walk forges a part and what is in it.
func (f *forger) walk(v reflect.Value, path string, part at) {
	set := func(what string, to any) {
		f.add(path+" "+what, part, func(v reflect.Value) { v.Set(reflect.ValueOf(to).Convert(v.Type())) })
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int64, reflect.Int32:
		for _, n := range []int64{v.Int() + 1, v.Int() - 1, 0, v.Int() + 7} {
			set(fmt.Sprint(n), n)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint32, reflect.Uint64:
		for _, n := range []uint64{v.Uint() + 1, v.Uint() ^ 2, 0} {
			set(fmt.Sprint(n), n)
		}
	case reflect.Bool:
		set("turned", !v.Bool())
	case reflect.String:
		for _, s := range f.others(v.String()) {
			set(fmt.Sprintf("%q", s), s)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			f.add(path+" nil", part, func(v reflect.Value) { v.SetZero() })
			f.walk(v.Elem(), path, func(root reflect.Value) reflect.Value { return part(root).Elem() })
		}
	case reflect.Slice:
		f.list(v, path, part)
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				f.walk(v.Field(i), path+"."+field.Name, func(root reflect.Value) reflect.Value { return part(root).Field(i) })
			}
		}
	}
}

// list forges a list and what is in it.
func (f *forger) list(v reflect.Value, path string, part at) {
	if v.Len() > 0 {
		f.add(path+" empty", part, func(v reflect.Value) { v.SetZero() })
	}
	for i := range v.Len() {
		here := fmt.Sprintf("%s[%d]", path, i)
		f.add(here+" left out", part, func(v reflect.Value) {
			v.Set(reflect.AppendSlice(v.Slice3(0, i, i), v.Slice(i+1, v.Len())))
		})
		f.add(here+" twice", part, func(v reflect.Value) {
			v.Set(reflect.AppendSlice(v.Slice3(0, i+1, i+1), v.Slice(i, v.Len())))
		})
		if i+1 < v.Len() {
			f.add(here+" exchanged", part, func(v reflect.Value) { reflect.Swapper(v.Interface())(i, i+1) })
		}
		f.walk(v.Index(i), here, func(root reflect.Value) reflect.Value { return part(root).Index(i) })
	}
}

// others are texts to put in the place of one: those next to it in the certificate's order, of vectors of
// conditions each with another sign, and none.
func (f *forger) others(s string) []string {
	all := []string{"", s + "x"}
	k := slices.Index(f.texts, s)
	all = append(all, f.texts[(k+1)%len(f.texts)], f.texts[(k+len(f.texts)-1)%len(f.texts)])
	for i := range s {
		for _, sign := range "01-" {
			if c := s[i]; c == '0' || c == '1' || c == '-' {
				all = append(all, s[:i]+string(sign)+s[i+1:])
			}
		}
	}
	return all
}

// textsOf are the texts in a value, each once, in order.
func textsOf(v reflect.Value) (all []string) {
	add := func(more []string) {
		for _, s := range more {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	switch v.Kind() {
	case reflect.String:
		return []string{v.String()}
	case reflect.Pointer:
		if !v.IsNil() {
			return textsOf(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			add(textsOf(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				add(textsOf(v.Field(i)))
			}
		}
	}
	slices.Sort(all)
	return all
}

// copied is a value that shares nothing with another one.
func copied(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(copied(v.Elem()))
		return p
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			s.Index(i).Set(copied(v.Index(i)))
		}
		return s
	case reflect.Struct:
		s := reflect.New(v.Type()).Elem()
		s.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.Field(i).Set(copied(v.Field(i)))
			}
		}
		return s
	}
	return v
}
