package job

// Digests of what a session works on.
//
// Idea: two sessions that work on equal data take equal steps. What the loop works on, once a component is lowered and
// bound, is its control graph with the component, the automaton and the terms of its pool, and the specification; it
// asks the program for nothing more but to lower the component once more, and for the names of values in a run that
// it shows (what comes of the first is digested too, and the second is never taken over from another program).
// So the digest is of all these data, each field that there is, exported or not, found by reflection: what is added to
// them later counts without anybody thinking of it. Places count too, for remarks and names of objects have them.
// Terms are named by their numbers, and the pool's terms come in that order. Functions have no digest: data with
// one are not digested at all, but for the names of states and of constants, which come from the same data.
//
// Cost: linear in the data, about as much as a tenth of what lowering takes.

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"magus/cfa"
	"magus/engine/cegar"
	"magus/smt/expr"
)

// modelDigest is the digest of what a session works on. The error says what it has that has no digest.
func modelDigest(v cegar.View) (string, error) {
	if len(v.Components) != 1 {
		return "", fmt.Errorf("%d components", len(v.Components))
	}
	c := v.Components[0]
	return dataDigest(c.CFA.Pool, c.Graph, c.Env, v.Spec)
}

// automatonDigest is the digest of an automaton.
func automatonDigest(c *cfa.CFA) (string, error) { return dataDigest(c.Pool, c) }

// dataDigest is the digest of data whose terms are of a pool, which may be nil if there are none.
func dataDigest(pool *expr.Pool, data ...any) (sum string, err error) {
	hash := sha256.New()
	d := &digester{out: bufio.NewWriter(hash), seen: map[visited]uint64{}, pool: reflect.ValueOf(pool).Pointer()}
	if pool != nil {
		d.terms = map[uintptr]bool{}
		for _, e := range pool.Terms() {
			d.terms[reflect.ValueOf(e).Pointer()] = true
			d.term(e)
		}
	}
	for _, x := range data {
		d.value(reflect.ValueOf(x))
	}
	if d.err == nil {
		d.err = d.out.Flush()
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), d.err
}

// A digester writes values so that different ones are written differently.
type digester struct {
	out   *bufio.Writer
	seen  map[visited]uint64 // what pointers lead to, by the order in which it was met
	pool  uintptr
	terms map[uintptr]bool // of the pool
	err   error
	buf   [8]byte
}

type visited struct {
	at uintptr
	of reflect.Type
}

var (
	poolType = reflect.TypeFor[*expr.Pool]()
	termType = reflect.TypeFor[*expr.Expr]()
)

// named are functions that only give names.
var named = []string{"lts.LTS.name", "lts.Builder.name"}

func (d *digester) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

func (d *digester) number(n uint64) {
	binary.LittleEndian.PutUint64(d.buf[:], n)
	_, _ = d.out.Write(d.buf[:]) // the hash has no errors
}

func (d *digester) text(s string) {
	d.number(uint64(len(s)))
	_, _ = d.out.WriteString(s)
}

// term writes a term of the pool; its operands come before it.
func (d *digester) term(e *expr.Expr) {
	d.number(uint64(e.ID()))
	d.number(uint64(e.Op()))
	d.value(reflect.ValueOf(e.Type()))
	d.number(e.Value())
	d.text(e.Name())
	d.number(uint64(len(e.Args())))
	for _, a := range e.Args() {
		d.number(uint64(a.ID()))
	}
}

// value writes any value.
func (d *digester) value(v reflect.Value) {
	if d.err != nil {
		return
	}
	if !v.IsValid() { // a nil interface
		d.number(0)
		return
	}
	d.number(uint64(v.Kind()))
	switch v.Kind() {
	case reflect.Bool:
		d.number(map[bool]uint64{true: 1}[v.Bool()])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		d.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		d.number(math.Float64bits(v.Float()))
	case reflect.String:
		d.text(v.String())
	case reflect.Slice, reflect.Array:
		d.sequence(v)
	case reflect.Struct:
		d.structure(v)
	case reflect.Pointer:
		d.pointer(v)
	case reflect.Map:
		d.mapping(v)
	case reflect.Interface:
		if v.IsNil() {
			d.number(0)
			return
		}
		d.text(v.Elem().Type().String())
		d.value(v.Elem())
	default:
		if v.Kind() != reflect.Func || !v.IsNil() {
			d.fail("a %v has no digest", v.Type())
		}
	}
}

func (d *digester) sequence(v reflect.Value) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		d.number(math.MaxUint64)
		return
	}
	d.number(uint64(v.Len()))
	for i := range v.Len() {
		d.value(v.Index(i))
	}
}

func (d *digester) structure(v reflect.Value) {
	t := v.Type()
	if t.PkgPath() == "sync" {
		return
	}
	d.text(t.String())
	for i := range v.NumField() {
		if !slices.Contains(named, t.String()+"."+t.Field(i).Name) {
			d.value(v.Field(i))
		}
	}
}

func (d *digester) pointer(v reflect.Value) {
	if v.IsNil() {
		d.number(0)
		return
	}
	switch v.Type() {
	case poolType:
		if v.Pointer() != d.pool {
			d.fail("a second pool")
		}
		return
	case termType:
		if !d.terms[v.Pointer()] {
			d.fail("a term of another pool")
		}
		d.number(1 + v.Elem().FieldByName("id").Uint())
		return
	}
	at := visited{v.Pointer(), v.Type()}
	n, ok := d.seen[at]
	if !ok {
		n = uint64(len(d.seen)) + 1
		d.seen[at] = n
	}
	d.number(n)
	if !ok {
		d.value(v.Elem())
	}
}

// mapping writes a map in the order of its keys, which are numbers, texts, terms, or made of such.
func (d *digester) mapping(v reflect.Value) {
	if v.IsNil() {
		d.number(math.MaxUint64)
		return
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, d.compare)
	d.number(uint64(len(keys)))
	for _, k := range keys {
		d.value(k)
		d.value(v.MapIndex(k))
	}
}

func (d *digester) compare(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.Kind() == reflect.String:
		return strings.Compare(a.String(), b.String())
	case a.Type() == termType && !a.IsNil() && !b.IsNil():
		return cmp.Compare(a.Elem().FieldByName("id").Uint(), b.Elem().FieldByName("id").Uint())
	case a.Kind() == reflect.Array || a.Kind() == reflect.Struct:
		for i := range parts(a) {
			if c := d.compare(part(a, i), part(b, i)); c != 0 {
				return c
			}
		}
		return 0
	case a.Kind() == reflect.Bool:
		return cmp.Compare(fmt.Sprint(a.Bool()), fmt.Sprint(b.Bool()))
	}
	d.fail("keys of type %v have no order", a.Type())
	return 0
}

// parts is how many fields or elements a value has, part is one of them.
func parts(v reflect.Value) int {
	if v.Kind() == reflect.Array {
		return v.Len()
	}
	return v.NumField()
}

func part(v reflect.Value, i int) reflect.Value {
	if v.Kind() == reflect.Array {
		return v.Index(i)
	}
	return v.Field(i)
}
