package source

// Macros that GCC 12 defines beside those that types, widths and standards ask for (headers.go): limits, widths and
// names of types, properties of floating point, what is lock-free. A program whose conditions ask for them is another
// one without them. Left out are those that promise what is not read: __int128, decimal and extended floating point,
// vector instructions, position-independent code.
//
// Source: gcc -dM -E for both data models, compared by a test where there is a GCC 12.

import (
	"fmt"
	"strings"

	"magus/cfa"
)

// furtherMacros has a macro in each line: its name, its value, and the value for ILP32 if it is another one.
const furtherMacros = `
__ATOMIC_ACQUIRE | 2
__ATOMIC_ACQ_REL | 4
__ATOMIC_CONSUME | 1
__ATOMIC_HLE_ACQUIRE | 65536
__ATOMIC_HLE_RELEASE | 131072
__ATOMIC_RELAXED | 0
__ATOMIC_RELEASE | 3
__ATOMIC_SEQ_CST | 5
__BIGGEST_ALIGNMENT__ | 16
__DBL_DECIMAL_DIG__ | 17
__DBL_DENORM_MIN__ | ((double)4.94065645841246544176568792868221372e-324L)
__DBL_DIG__ | 15
__DBL_EPSILON__ | ((double)2.22044604925031308084726333618164062e-16L)
__DBL_HAS_DENORM__ | 1
__DBL_HAS_INFINITY__ | 1
__DBL_HAS_QUIET_NAN__ | 1
__DBL_IS_IEC_60559__ | 2
__DBL_MANT_DIG__ | 53
__DBL_MAX_10_EXP__ | 308
__DBL_MAX_EXP__ | 1024
__DBL_MAX__ | ((double)1.79769313486231570814527423731704357e+308L)
__DBL_MIN_10_EXP__ | (-307)
__DBL_MIN_EXP__ | (-1021)
__DBL_MIN__ | ((double)2.22507385850720138309023271733240406e-308L)
__DBL_NORM_MAX__ | ((double)1.79769313486231570814527423731704357e+308L)
__DECIMAL_BID_FORMAT__ | 1
__DECIMAL_DIG__ | 21
__DEC_EVAL_METHOD__ | 2
__FINITE_MATH_ONLY__ | 0
__FLOAT_WORD_ORDER__ | __ORDER_LITTLE_ENDIAN__
__FLT_DECIMAL_DIG__ | 9
__FLT_DENORM_MIN__ | 1.40129846432481707092372958328991613e-45F
__FLT_DIG__ | 6
__FLT_EPSILON__ | 1.19209289550781250000000000000000000e-7F
__FLT_EVAL_METHOD_TS_18661_3__ | 0
__FLT_HAS_DENORM__ | 1
__FLT_HAS_INFINITY__ | 1
__FLT_HAS_QUIET_NAN__ | 1
__FLT_IS_IEC_60559__ | 2
__FLT_MANT_DIG__ | 24
__FLT_MAX_10_EXP__ | 38
__FLT_MAX_EXP__ | 128
__FLT_MAX__ | 3.40282346638528859811704183484516925e+38F
__FLT_MIN_10_EXP__ | (-37)
__FLT_MIN_EXP__ | (-125)
__FLT_MIN__ | 1.17549435082228750796873653722224568e-38F
__FLT_NORM_MAX__ | 3.40282346638528859811704183484516925e+38F
__FLT_RADIX__ | 2
__GCC_ASM_FLAG_OUTPUTS__ | 1
__GCC_ATOMIC_BOOL_LOCK_FREE | 2
__GCC_ATOMIC_CHAR16_T_LOCK_FREE | 2
__GCC_ATOMIC_CHAR32_T_LOCK_FREE | 2
__GCC_ATOMIC_CHAR_LOCK_FREE | 2
__GCC_ATOMIC_INT_LOCK_FREE | 2
__GCC_ATOMIC_LLONG_LOCK_FREE | 2
__GCC_ATOMIC_LONG_LOCK_FREE | 2
__GCC_ATOMIC_POINTER_LOCK_FREE | 2
__GCC_ATOMIC_SHORT_LOCK_FREE | 2
__GCC_ATOMIC_TEST_AND_SET_TRUEVAL | 1
__GCC_ATOMIC_WCHAR_T_LOCK_FREE | 2
__GCC_CONSTRUCTIVE_SIZE | 64
__GCC_DESTRUCTIVE_SIZE | 64
__GCC_HAVE_SYNC_COMPARE_AND_SWAP_1 | 1
__GCC_HAVE_SYNC_COMPARE_AND_SWAP_2 | 1
__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4 | 1
__GCC_HAVE_SYNC_COMPARE_AND_SWAP_8 | 1
__GCC_IEC_559 | 2
__GCC_IEC_559_COMPLEX | 2
__GNUC_EXECUTION_CHARSET_NAME | "UTF-8"
__GNUC_WIDE_EXECUTION_CHARSET_NAME | "UTF-32LE"
__GXX_ABI_VERSION | 1017
__HAVE_SPECULATION_SAFE_VALUE | 1
__INT16_C(c) | c
__INT16_MAX__ | 0x7fff
__INT32_C(c) | c
__INT32_MAX__ | 0x7fffffff
__INT64_C(c) | c ## L | c ## LL
__INT64_MAX__ | 0x7fffffffffffffffL | 0x7fffffffffffffffLL
__INT8_C(c) | c
__INT8_MAX__ | 0x7f
__INTMAX_C(c) | c ## L | c ## LL
__INTMAX_MAX__ | 0x7fffffffffffffffL | 0x7fffffffffffffffLL
__INTMAX_WIDTH__ | 64
__INTPTR_MAX__ | 0x7fffffffffffffffL | 0x7fffffff
__INTPTR_WIDTH__ | 64 | 32
__INT_FAST16_MAX__ | 0x7fffffffffffffffL | 0x7fffffff
__INT_FAST16_TYPE__ | long int | int
__INT_FAST16_WIDTH__ | 64 | 32
__INT_FAST32_MAX__ | 0x7fffffffffffffffL | 0x7fffffff
__INT_FAST32_TYPE__ | long int | int
__INT_FAST32_WIDTH__ | 64 | 32
__INT_FAST64_MAX__ | 0x7fffffffffffffffL | 0x7fffffffffffffffLL
__INT_FAST64_TYPE__ | long int | long long int
__INT_FAST64_WIDTH__ | 64
__INT_FAST8_MAX__ | 0x7f
__INT_FAST8_TYPE__ | signed char
__INT_FAST8_WIDTH__ | 8
__INT_LEAST16_MAX__ | 0x7fff
__INT_LEAST16_TYPE__ | short int
__INT_LEAST16_WIDTH__ | 16
__INT_LEAST32_MAX__ | 0x7fffffff
__INT_LEAST32_TYPE__ | int
__INT_LEAST32_WIDTH__ | 32
__INT_LEAST64_MAX__ | 0x7fffffffffffffffL | 0x7fffffffffffffffLL
__INT_LEAST64_TYPE__ | long int | long long int
__INT_LEAST64_WIDTH__ | 64
__INT_LEAST8_MAX__ | 0x7f
__INT_LEAST8_TYPE__ | signed char
__INT_LEAST8_WIDTH__ | 8
__INT_WIDTH__ | 32
__LDBL_DECIMAL_DIG__ | 21
__LDBL_DENORM_MIN__ | 3.64519953188247460252840593361941982e-4951L
__LDBL_DIG__ | 18
__LDBL_EPSILON__ | 1.08420217248550443400745280086994171e-19L
__LDBL_HAS_DENORM__ | 1
__LDBL_HAS_INFINITY__ | 1
__LDBL_HAS_QUIET_NAN__ | 1
__LDBL_IS_IEC_60559__ | 2
__LDBL_MANT_DIG__ | 64
__LDBL_MAX_10_EXP__ | 4932
__LDBL_MAX_EXP__ | 16384
__LDBL_MAX__ | 1.18973149535723176502126385303097021e+4932L
__LDBL_MIN_10_EXP__ | (-4931)
__LDBL_MIN_EXP__ | (-16381)
__LDBL_MIN__ | 3.36210314311209350626267781732175260e-4932L
__LDBL_NORM_MAX__ | 1.18973149535723176502126385303097021e+4932L
__LONG_LONG_WIDTH__ | 64
__LONG_WIDTH__ | 64 | 32
__PRAGMA_REDEFINE_EXTNAME | 1
__PTRDIFF_MAX__ | 0x7fffffffffffffffL | 0x7fffffff
__PTRDIFF_WIDTH__ | 64 | 32
__SCHAR_WIDTH__ | 8
__SHRT_WIDTH__ | 16
__SIG_ATOMIC_MAX__ | 0x7fffffff
__SIG_ATOMIC_MIN__ | (-__SIG_ATOMIC_MAX__ - 1)
__SIG_ATOMIC_TYPE__ | int
__SIG_ATOMIC_WIDTH__ | 32
__SIZE_MAX__ | 0xffffffffffffffffUL | 0xffffffffU
__SIZE_WIDTH__ | 64 | 32
__STDC_IEC_559_COMPLEX__ | 1
__STDC_IEC_559__ | 1
__STDC_IEC_60559_BFP__ | 201404L
__STDC_IEC_60559_COMPLEX__ | 201404L
__STDC_ISO_10646__ | 201706L
__STDC_UTF_16__ | 1
__STDC_UTF_32__ | 1
__UINT16_C(c) | c
__UINT16_MAX__ | 0xffff
__UINT32_C(c) | c ## U
__UINT32_MAX__ | 0xffffffffU
__UINT64_C(c) | c ## UL | c ## ULL
__UINT64_MAX__ | 0xffffffffffffffffUL | 0xffffffffffffffffULL
__UINT8_C(c) | c
__UINT8_MAX__ | 0xff
__UINTMAX_C(c) | c ## UL | c ## ULL
__UINTMAX_MAX__ | 0xffffffffffffffffUL | 0xffffffffffffffffULL
__UINTPTR_MAX__ | 0xffffffffffffffffUL | 0xffffffffU
__UINT_FAST16_MAX__ | 0xffffffffffffffffUL | 0xffffffffU
__UINT_FAST16_TYPE__ | long unsigned int | unsigned int
__UINT_FAST32_MAX__ | 0xffffffffffffffffUL | 0xffffffffU
__UINT_FAST32_TYPE__ | long unsigned int | unsigned int
__UINT_FAST64_MAX__ | 0xffffffffffffffffUL | 0xffffffffffffffffULL
__UINT_FAST64_TYPE__ | long unsigned int | long long unsigned int
__UINT_FAST8_MAX__ | 0xff
__UINT_FAST8_TYPE__ | unsigned char
__UINT_LEAST16_MAX__ | 0xffff
__UINT_LEAST16_TYPE__ | short unsigned int
__UINT_LEAST32_MAX__ | 0xffffffffU
__UINT_LEAST32_TYPE__ | unsigned int
__UINT_LEAST64_MAX__ | 0xffffffffffffffffUL | 0xffffffffffffffffULL
__UINT_LEAST64_TYPE__ | long unsigned int | long long unsigned int
__UINT_LEAST8_MAX__ | 0xff
__UINT_LEAST8_TYPE__ | unsigned char
__VERSION__ | "12.2.0"
__WCHAR_MAX__ | 0x7fffffff | 0x7fffffffL
__WCHAR_MIN__ | (-__WCHAR_MAX__ - 1)
__WCHAR_WIDTH__ | 32
__WINT_MAX__ | 0xffffffffU
__WINT_MIN__ | 0U
__WINT_WIDTH__ | 32
`

// further are the definitions of furtherMacros.
func further(m cfa.DataModel) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(furtherMacros)) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		value := fields[1]
		if m == cfa.ILP32 {
			value = fields[len(fields)-1]
		}
		fmt.Fprintf(&b, "#define %s %s\n", fields[0], value)
	}
	return b.String()
}
