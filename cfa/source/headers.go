package source

// The headers that come with magus, so that it works where no compiler and no
// C library is installed: the declarations of C11's headers and of those of POSIX
// that programs include most, written from what the standards say is in them.
// Constants have the values of Linux; structures have the members that the
// standards name. Nothing in them has a meaning of its own, but that a failing
// assert becomes a call of __assert_fail and that the operations of stdatomic.h
// are the ordinary ones.

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/cfa/source/libc"
)

//go:embed headers
var headerFiles embed.FS

// headerDir is the directory under which diagnostics show our own headers.
const headerDir = "<headers>"

// ownHeader is the text of our own header of that name.
func ownHeader(name string) ([]byte, bool) {
	b, err := headerFiles.ReadFile("headers/" + name)
	return b, err == nil
}

// OwnText is the text of a file that comes with magus, a header or a file of models, by the
// name under which diagnostics show it; false if there is none.
func OwnText(name string) ([]byte, bool) {
	if header, ok := strings.CutPrefix(name, headerDir+"/"); ok {
		return ownHeader(header)
	}
	return libc.File(name)
}

// standards gives the value of __STDC_VERSION__ for the standards of C, without
// c or gnu before them.
func standards(std string) (version string, ok bool) {
	switch std {
	case "89", "90", "iso9899:1990":
		return "", true
	case "iso9899:199409":
		return "199409L", true
	case "99", "9x", "iso9899:1999", "iso9899:199x":
		return "199901L", true
	case "11", "1x", "iso9899:2011":
		return "201112L", true
	case "17", "18", "iso9899:2017", "iso9899:2018":
		return "201710L", true
	case "2x":
		return "202000L", true
	case "23", "iso9899:2024":
		return "202311L", true
	}
	return "", false
}

// standard is the version of a standard, "" for those before the first that has one, and whether it is GNU C's.
func standard(std string) (version string, gnu bool) {
	if std == "" {
		std = "gnu11"
	}
	year, gnu := strings.CutPrefix(std, "gnu")
	version, _ = standards(strings.TrimPrefix(year, "c"))
	return version, gnu
}

// predefined are the macros that a compiler for the data model and the
// standard, "" for gnu11, defines before the first line, in the names of GCC;
// ok is false for a standard that is not known.
func predefined(opt Options, std string) (macros string, ok bool) {
	m := opt.Model
	if std == "" {
		std = "gnu11"
	}
	year, gnu := strings.CutPrefix(std, "gnu")
	version, ok := standards(strings.TrimPrefix(year, "c"))
	if !ok {
		return "", false
	}
	long, ptr, size, i64 := "8", "unsigned long", "8", "long"
	arch := []string{"__x86_64__", "__x86_64", "__amd64__", "__amd64", "__LP64__", "_LP64"}
	if m == cfa.ILP32 {
		long, ptr, size, i64 = "4", "unsigned", "4", "long long"
		arch = []string{"__i386__", "__i386", "__ILP32__", "_ILP32"}
	}
	var b strings.Builder
	def := func(name, value string) { fmt.Fprintf(&b, "#define %s %s\n", name, value) }
	for _, a := range append(arch, "__linux__", "__linux", "__unix__", "__unix", "__gnu_linux__", "__ELF__",
		"__STDC__", "__STDC_HOSTED__", "__GNUC_STDC_INLINE__", "__NO_INLINE__", "__MAGUS__") {
		def(a, "1")
	}
	sptr := strings.Replace(strings.Replace(ptr, "unsigned long", "long", 1), "unsigned", "int", 1)
	for _, d := range [][2]string{
		{"__GNUC__", "12"}, {"__GNUC_MINOR__", "2"}, {"__GNUC_PATCHLEVEL__", "0"},
		{"__CHAR_BIT__", "8"}, {"__SIZEOF_SHORT__", "2"}, {"__SIZEOF_INT__", "4"}, {"__SIZEOF_LONG__",
			long}, {"__SIZEOF_LONG_LONG__", "8"},
		{"__SIZEOF_POINTER__", size}, {"__SIZEOF_SIZE_T__", size}, {"__SIZEOF_PTRDIFF_T__",
			size}, {"__SIZEOF_WCHAR_T__", "4"},
		{"__SIZEOF_FLOAT__", "4"}, {"__SIZEOF_DOUBLE__", "8"}, {"__SIZEOF_WINT_T__", "4"},
		{"__ORDER_LITTLE_ENDIAN__", "1234"}, {"__ORDER_BIG_ENDIAN__", "4321"}, {"__BYTE_ORDER__", "1234"},
		{"__SCHAR_MAX__", "127"}, {"__SHRT_MAX__", "32767"}, {"__INT_MAX__",
			"2147483647"}, {"__LONG_LONG_MAX__", "9223372036854775807LL"},
		{"__SIZE_TYPE__", ptr}, {"__PTRDIFF_TYPE__", sptr}, {"__INTPTR_TYPE__", sptr}, {"__UINTPTR_TYPE__", ptr},
		{"__WCHAR_TYPE__", wcharType(m)}, {"__WINT_TYPE__", "unsigned int"},
		{"__INTMAX_TYPE__", i64 + " int"}, {"__UINTMAX_TYPE__", "unsigned " + i64},
		{"__INT8_TYPE__", "signed char"}, {"__INT16_TYPE__", "short"}, {"__INT32_TYPE__",
			"int"}, {"__INT64_TYPE__", i64 + " int"},
		{"__UINT8_TYPE__", "unsigned char"}, {"__UINT16_TYPE__", "unsigned short"}, {"__UINT32_TYPE__",
			"unsigned int"}, {"__UINT64_TYPE__", "unsigned " + i64},
		{"__CHAR16_TYPE__", "unsigned short"}, {"__CHAR32_TYPE__", "unsigned int"},
		{"__FLT_EVAL_METHOD__", strconv.Itoa(opt.Evaluation)}, {"__USER_LABEL_PREFIX__", ""}, {"__REGISTER_PREFIX__", ""},
	} {
		def(d[0], d[1])
	}
	if version != "" {
		def("__STDC_VERSION__", version)
	}
	if version >= "2020" {
		for _, k := range []string{"alignas _Alignas", "alignof _Alignof", "bool _Bool",
			"static_assert _Static_assert", "thread_local _Thread_local"} {
			def(strings.Fields(k)[0], strings.Fields(k)[1])
		}
	}
	if gnu {
		def("linux", "1")
		def("unix", "1")
	} else {
		def("__STRICT_ANSI__", "1")
	}
	if m == cfa.ILP32 {
		def("__LONG_MAX__", "2147483647L")
	} else {
		def("__LONG_MAX__", "9223372036854775807L")
	}
	def("__SIZEOF_LONG_DOUBLE__", strconv.FormatInt(m.LongDoubleSize(opt.LongDouble), 10))
	return b.String() + further(m, opt.LongDouble), true
}

func wcharType(m cfa.DataModel) string {
	if m == cfa.ILP32 {
		return "long"
	}
	return "int"
}
