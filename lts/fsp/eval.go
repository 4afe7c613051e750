package fsp

import (
	"context"
	"strconv"

	"magus/lts"
)

// Values, expressions, labels. A value is a number or a label; names of actions are text in which indices
// stand behind points, so in[3] is in.3.

// A value is a number, or the text of a label.
type value struct {
	isLabel bool
	n       int64
	text    string
}

func number(n int64) value { return value{n: n} }

// labelled is the value of a label's text: 3 is the number, whoever writes it.
func labelled(text string) value {
	if n, err := strconv.ParseInt(text, 10, 32); err == nil && strconv.FormatInt(n, 10) == text {
		return number(n)
	}
	return value{isLabel: true, text: text}
}

func (v value) String() string {
	if v.isLabel {
		return v.text
	}
	return strconv.FormatInt(v.n, 10)
}

// An env is what names mean: the innermost first.
type env struct {
	name string
	v    value
	up   *env
}

func (e *env) bind(name string, v value) *env { return &env{name, v, e} }

func (e *env) lookup(name string) (value, bool) {
	for ; e != nil; e = e.up {
		if e.name == name {
			return e.v, true
		}
	}
	return value{}, false
}

// maxWork bounds what is written out: names, states and transitions of single processes. It is far above
// what an LTS of this size can be used for.
const maxWork = 1 << 22

// A builder is one construction of LTSs from a file.
type builder struct {
	*File
	ctx   context.Context
	lim   lts.Limits
	table *lts.Actions
	tick  lts.Action // what END does while processes are built; in no LTS that is given away

	values  map[string]value    // of constants, as far as known; those being computed are in open
	open    map[string]bool     // constants, sets and processes that are being computed, with a mark of their kind
	members map[string][]string // of sets
	built   map[string]*lts.LTS // primitive processes, by name and arguments
	warned  map[int]bool        // places
	depth   int
	work    int
	looked  int // at the context, when this much was done
}

// step counts work, and ends it at a limit.
func (b *builder) step() {
	b.work++
	if b.work-b.looked > 1024 {
		b.looked = b.work
		if err := b.ctx.Err(); err != nil {
			panic(stopped{err})
		}
	}
	if b.work > maxWork {
		panic(stopped{&lts.LimitError{Reason: "more than " + strconv.Itoa(maxWork) +
			" names, states and transitions of single processes"}})
	}
}

// within runs f while a name counts as being computed; a name that needs itself is a mistake.
func (b *builder) within(kind, name string, at int, f func()) {
	key := kind + " " + name
	if b.open[key] {
		b.src.fail(at, "%s is defined by itself", name)
	}
	if b.depth++; b.depth > maxNesting {
		b.src.fail(at, "more than %d definitions within one another", maxNesting)
	}
	b.open[key] = true
	f()
	delete(b.open, key)
	b.depth--
}

// constant is the value of a constant.
func (b *builder) constant(name string, at int) (v value, ok bool) {
	if v, ok = b.values[name]; ok {
		return v, true
	}
	c := b.consts[name]
	if c == nil {
		return v, false
	}
	b.within("constant", name, c.at, func() { v = b.eval(c.value, nil) })
	b.values[name] = v
	return v, true
}

// eval is the value of an expression.
func (b *builder) eval(e *expr, in *env) value {
	b.step()
	switch e.op {
	case "number":
		return number(e.n)
	case "name":
		if v, ok := in.lookup(e.name); ok {
			return v
		}
		if v, ok := b.constant(e.name, e.at); ok {
			return v
		}
		b.src.fail(e.at, "%s is no variable that is bound here, no parameter and no constant", e.name)
	case "label":
		var all []string
		b.expand(e.lab, in, func(text string, _ *env) { all = append(all, text) })
		if len(all) != 1 {
			b.src.fail(e.at, "a value is one label, not %d", len(all))
		}
		return labelled(all[0])
	case "count":
		return number(int64(len(b.elements(e.set, in))))
	case "select":
		all, i := b.elements(e.set, in), b.number(e.args[0], in)
		if i < 0 || i >= int64(len(all)) {
			b.src.fail(e.at, "the set has %d elements, and none has the number %d", len(all), i)
		}
		return labelled(all[i])
	case "==", "!=":
		same := b.eval(e.args[0], in) == b.eval(e.args[1], in)
		return truth(same == (e.op == "=="))
	case "||":
		return truth(b.holds(e.args[0], in) || b.holds(e.args[1], in))
	case "&&":
		return truth(b.holds(e.args[0], in) && b.holds(e.args[1], in))
	}
	x := b.number(e.args[0], in)
	if len(e.args) == 1 {
		return unary(e.op, x)
	}
	return number(b.arithmetic(e, x, b.number(e.args[1], in)))
}

func truth(is bool) value {
	if is {
		return number(1)
	}
	return number(0)
}

// holds says whether a condition is not 0.
func (b *builder) holds(e *expr, in *env) bool { return b.number(e, in) != 0 }

// number is the value of an expression that has to be a number.
func (b *builder) number(e *expr, in *env) int64 {
	v := b.eval(e, in)
	if v.isLabel {
		b.src.fail(e.at, "expected a number, not the label %s", v.text)
	}
	return v.n
}

func unary(op string, x int64) value {
	switch op {
	case "unary -":
		return number(-x)
	case "unary !":
		return truth(x == 0)
	}
	return number(x)
}

// arithmetic is x op y. Numbers have 32 bits.
func (b *builder) arithmetic(e *expr, x, y int64) int64 {
	if (e.op == "/" || e.op == "%") && y == 0 {
		b.src.fail(e.at, "division by 0")
	}
	if (e.op == "<<" || e.op == ">>") && (y < 0 || y > 31) {
		b.src.fail(e.at, "a number of 32 bits cannot be shifted by %d", y)
	}
	var r int64
	switch e.op {
	case "+":
		r = x + y
	case "-":
		r = x - y
	case "*":
		r = x * y
	case "/":
		r = x / y
	case "%":
		r = x % y
	case "<<":
		r = x << y
	case ">>":
		r = x >> y
	case "&":
		r = x & y
	case "|":
		r = x | y
	case "^":
		r = x ^ y
	case "<":
		r = truth(x < y).n
	case "<=":
		r = truth(x <= y).n
	case ">":
		r = truth(x > y).n
	case ">=":
		r = truth(x >= y).n
	}
	if r != int64(int32(r)) {
		b.src.fail(e.at, "the number %d is too large", r)
	}
	return r
}

// elements are the labels of a set, each once, in the order of the text.
func (b *builder) elements(s *labelSet, in *env) (all []string) {
	b.step()
	if s.name != "" {
		all = b.named(s)
	} else {
		all = b.listed(s, in)
	}
	if s.minus == nil {
		return all
	}
	without := map[string]bool{}
	for _, text := range b.elements(s.minus, in) {
		without[text] = true
	}
	var rest []string
	for _, text := range all {
		if !without[text] {
			rest = append(rest, text)
		}
	}
	return rest
}

func (b *builder) named(s *labelSet) []string {
	if all, ok := b.members[s.name]; ok {
		return all
	}
	def := b.sets[s.name]
	if def == nil {
		b.src.fail(s.at, "there is no set %s", s.name)
	}
	b.within("set", s.name, def.at, func() { b.members[s.name] = b.elements(def.set, nil) })
	return b.members[s.name]
}

func (b *builder) listed(s *labelSet, in *env) (all []string) {
	seen := map[string]bool{}
	for _, l := range s.elems {
		b.expand(l, in, func(text string, _ *env) {
			if !seen[text] {
				seen[text] = true
				all = append(all, text)
			}
		})
	}
	return all
}

// expand gives the texts of a label, each with what its variables are then.
func (b *builder) expand(l label, in *env, yield func(text string, in *env)) {
	b.parts("", l, in, yield)
}

func (b *builder) parts(text string, rest []part, in *env, yield func(text string, in *env)) {
	if len(rest) == 0 {
		yield(text, in)
		return
	}
	b.part(rest[0], in, func(more string, in *env) {
		b.step()
		if text != "" {
			more = text + "." + more
		}
		b.work += len(more) / 64
		if len(more) > maxName {
			b.src.fail(rest[0].at, "this name has more than %d characters", maxName)
		}
		b.parts(more, rest[1:], in, yield)
	})
}

// maxName bounds names.
const maxName = 10_000

// part gives the texts of one part of a label.
func (b *builder) part(p part, in *env, yield func(text string, in *env)) {
	with := func(v value) {
		inner := in
		if p.variable != "" {
			inner = in.bind(p.variable, v)
		}
		yield(v.String(), inner)
	}
	switch {
	case p.kind == partName:
		yield(p.name, in)
	case p.set != nil:
		for _, text := range b.elements(p.set, in) {
			with(labelled(text))
		}
	case p.rangeOf != "":
		r := b.ranges[p.rangeOf]
		if r == nil {
			b.src.fail(p.at, "there is no range %s", p.rangeOf)
		}
		b.between(b.number(r.lo, nil), b.number(r.hi, nil), with)
	case p.hi != nil:
		b.between(b.number(p.lo, in), b.number(p.hi, in), with)
	default:
		with(b.eval(p.lo, in))
	}
}

// between gives the numbers of a range; one that ends before it begins has none.
func (b *builder) between(lo, hi int64, with func(value)) {
	for n := lo; n <= hi; n++ {
		b.step()
		with(number(n))
	}
}
