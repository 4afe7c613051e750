package magus_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/source"
	"magus/cfa/source/builtin"
	"magus/internal/sample"
)

// builtinCases are declarations and statements, and what holds behind them.
var builtinCases = []struct{ setup, holds string }{
	{`double d = 1;`, `__builtin_isfinite(d) && !__builtin_isnan(d) && !__builtin_signbit(d) && !__builtin_isnanf(1.0f)`},
	{`double d = 1;`, `__builtin_isgreater(d, 0.5) && __builtin_fpclassify(0, 1, 4, 3, 2, d) == 4 && ` +
		`!__builtin_isinf_sign(d)`},
	{`double d = __builtin_inf() + __builtin_huge_val();`, `d > 1e300 && !(__builtin_nan("") > 0)`},
	{`double d = -1.5;`, `__builtin_fabs(d) == 1.5 && __builtin_trunc(d) == -1 && __builtin_fmin(d, 2) ` +
		`== d && __builtin_fma(d, 2, 1) == -2`},
	{`float f = -1.5f;`, `__builtin_fabsf(f) == 1.5f && __builtin_truncf(f) == -1 && __builtin_fmaxf(f, 2) ` +
		`== 2 && __builtin_fmaf(f, 2, 1) == -2`},
	{`_Float16 h = -1.5f16;`, `__builtin_fabsf16(h) == 1.5f && __builtin_copysignf16(2, h) == -2 && ` +
		`__builtin_fmaf16(2, 2, 1) == 5 && __builtin_inff16() > 65504 && !(__builtin_nanf16("") > h)`},
	{`_Float128 q = -0.1q;`, `__builtin_fabsq(q) == 0.1q && __builtin_floorf128(q) == -1 && ` +
		`__builtin_copysignf128(2, q) == -2 && __builtin_fmaf128(q, 2, 1) == 0.8q`},
	{`_Float128 q = 2;`,
		`__builtin_infq() > 0x1p16383q && __builtin_nanq("") != q && __builtin_sqrtf128(q) != __builtin_sqrt(2)`},
	{`unsigned x=1;`, `__builtin_clz(x)==31`},
	{`unsigned long x=1;`, `__builtin_clzl(x)==63`},
	{`unsigned long long x=1;`, `__builtin_clzll(x)==63`},
	{`unsigned short x=1;`, `__builtin_clzs(x)==15`},
	{`unsigned short x=4;`, `__builtin_ctzs(x)==2`},
	{`unsigned x=8;`, `__builtin_ctz(x)==3`},
	{`int x=-1;`, `__builtin_clrsb(x)==31`},
	{`long long x=1;`, `__builtin_clrsbll(x)==62`},
	{`int x=0;`, `__builtin_ffs(x)==0`},
	{`long long x=1ll<<40;`, `__builtin_ffsll(x)==41`},
	{`unsigned long long x=~0ull;`, `__builtin_popcountll(x)==64`},
	{`unsigned x=7;`, `__builtin_parity(x)==1`},
	{`unsigned short x=0x1234;`, `__builtin_bswap16(x)==0x3412`},
	{`unsigned x=0x12345678;`, `__builtin_bswap32(x)==0x78563412`},
	{`unsigned long x=0x0102030405060708;`, `__builtin_bswap64(x)==0x0807060504030201`},
	{`unsigned char x=1;`, `__builtin_bitreverse8(x)==128`},
	{`unsigned short x=1;`, `__builtin_bitreverse16(x)==32768`},
	{`unsigned x=1;`, `__builtin_bitreverse32(x)==0x80000000u`},
	{`unsigned long x=1;`, `__builtin_bitreverse64(x)==0x8000000000000000ul`},
	{`unsigned char x=0x81;`, `__builtin_rotateleft8(x,1)==3`},
	{`unsigned char x=0x81;`, `__builtin_rotateright8(x,1)==0xc0`},
	{`unsigned short x=0x8001;`, `__builtin_rotateleft16(x,4)==0x18`},
	{`unsigned x=0x80000001;`, `__builtin_rotateleft32(x,1)==3`},
	{`unsigned x=3;`, `__builtin_rotateright32(x,33)==0x80000001`},
	{`unsigned long x=0x8000000000000001;`, `__builtin_rotateleft64(x,64)==x`},
	{`unsigned long x=1;`, `__builtin_rotateright64(x,1)==0x8000000000000000`},
	{`int r;`, `__builtin_add_overflow(0x7fffffff,1,&r) && r==-0x7fffffff-1`},
	{`unsigned char r;`, `__builtin_mul_overflow(16,16,&r) && r==0`},
	{`unsigned long r;`, `__builtin_sub_overflow(1,2,&r) && r==-1ul`},
	{`int x=0x7fffffff;`, `__builtin_add_overflow_p(x,1,(int)0) && !__builtin_add_overflow_p(x,1,(long)0)`},
	{`int x=0x7fffffff;`, `__builtin_mul_overflow_p(x,2,(int)0)`},
	{`unsigned x=0;`, `__builtin_sub_overflow_p(x,1,(unsigned)0)`},
	{`int r;`, `__builtin_sadd_overflow(0x7fffffff,1,&r)`},
	{`long long r;`, `__builtin_smulll_overflow(1ll<<62,2,&r)`},
	{`unsigned long r;`, `__builtin_uaddl_overflow(-1ul,2,&r) && r==1`},
	{`unsigned c;`, `__builtin_addc(0xffffffffu,0u,1u,&c)==0 && c==1`},
	{`unsigned long c;`, `__builtin_addcl(1ul,2ul,1ul,&c)==4 && c==0`},
	{`unsigned long long c;`, `__builtin_addcll(-1ull,-1ull,1ull,&c)==-1ull && c==1`},
	{`unsigned char c;`, `__builtin_addcb(255,1,0,&c)==0 && c==1`},
	{`unsigned short c;`, `__builtin_addcs(65535,1,0,&c)==0 && c==1`},
	{`unsigned c;`, `__builtin_subc(0u,0u,1u,&c)==0xffffffffu && c==1`},
	{`unsigned long c;`, `__builtin_subcl(5ul,2ul,1ul,&c)==2 && c==0`},
	{`unsigned long long c;`, `__builtin_subcll(0ull,1ull,0ull,&c)==-1ull && c==1`},
	{`unsigned char c;`, `__builtin_subcb(0,1,0,&c)==255 && c==1`},
	{`int x=-3;`, `__builtin_abs(x)==3`},
	{`long x=-3;`, `__builtin_labs(x)==3`},
	{`long long x=-3000000000;`, `__builtin_llabs(x)==3000000000`},
	{`int x=3; long y=4;`, `__builtin_choose_expr(1,x,y)==3 && sizeof(__builtin_choose_expr(0,x,y))==8`},
	{`int x=3;`, `__builtin_choose_expr(__builtin_types_compatible_p(__typeof__(x),int),x,(void)0)==3`},
	{`int x=3;`, `__builtin_constant_p(3)==1`},
	{`volatile int x=3;`, `__builtin_constant_p(x)==0`},
	{`int x;`, `__builtin_types_compatible_p(int,int) && !__builtin_types_compatible_p(int,long)`},
	{`int x=3;`, `__builtin_expect(x,1)==3`},
	{`int x=3;`, `__builtin_expect_with_probability(x,1,0.9)==3`},
	{`char b[4];char *p=b;`, `__builtin_assume_aligned(p,1)==p`},
	{`char b[4];char *p=b;`, `__builtin_assume_aligned(p,16,1)==p`},
	{`int x=5;`, `__builtin_unpredictable(x)==5`},
	{`int x=5; __builtin_assume(x==5);`, `x==5`},
	{`char b[10];`, `__builtin_object_size(b,0)==10`},
	{`char b[10];`, `__builtin_object_size(b+3,0)==7`},
	{`char b[10];`, `__builtin_dynamic_object_size(b,0)==10`},
	{`int x;`, `__builtin_classify_type(x)==1`},
	{`unsigned x=16;`, `__builtin_is_aligned(x,8)`},
	{`unsigned x=13;`, `__builtin_align_up(x,8)==16`},
	{`unsigned x=13;`, `__builtin_align_down(x,8)==8`},
	{`int x=3;`, `__builtin_LINE()>0`},
	{`int x=3;`, `__builtin_FUNCTION()[0] == 'r'`},
	{`char a[4]="abc",b[4];`, `__builtin_memcpy(b,a,4)==b && b[1]=='b'`},
	{`char a[4]="abc";`, `__builtin_memmove(a+1,a,2)==a+1 && a[2]=='b'`},
	{`char a[4]="abc",b[4];`, `__builtin_mempcpy(b,a,4)==b+4 && b[1]=='b'`},
	{`char a[4];`, `__builtin_memset(a,3,4)==a && a[2]==3`},
	{`char a[4]="abc",b[4]="abd";`, `__builtin_memcmp(a,b,4)<0 && __builtin_memcmp(a,b,2)==0`},
	{`char a[4]="abc";`, `__builtin_memchr(a,'b',4)==a+1`},
	{`char a[4]="abc";`, `__builtin_strlen(a)==3`},
	{`char a[4]="abc";`, `__builtin_strnlen(a,2)==2`},
	{`char a[4];`, `__builtin_strcpy(a,"ab")==a && a[1]=='b'`},
	{`char a[4];`, `__builtin_stpcpy(a,"ab")==a+2`},
	{`char a[4];`, `__builtin_strncpy(a,"ab",4)==a && a[3]==0`},
	{`char a[4]="a";`, `__builtin_strcat(a,"b")==a && a[1]=='b'`},
	{`char a[4]="a";`, `__builtin_strncat(a,"bc",1)==a && a[2]==0`},
	{`char a[4]="abc";`, `__builtin_strcmp(a,"abc")==0`},
	{`char a[4]="abc";`, `__builtin_strncmp(a,"abd",2)==0`},
	{`char a[4]="abc";`, `__builtin_strchr(a,'c')==a+2`},
	{`char a[4]="aba";`, `__builtin_strrchr(a,'a')==a+2`},
	{`char a[4]="abc";`, `__builtin_strstr(a,"bc")==a+1`},
	{`char *p=__builtin_strdup("ab");`, `!p  ||  p[1]=='b'`},
	{`char a[4]="abc";`, `__builtin_strspn(a,"ab")==2`},
	{`char a[4]="abc";`, `__builtin_strcspn(a,"c")==2`},
	{`char a[4]="abc";`, `__builtin_strpbrk(a,"c")==a+2`},
	{`char a[4]="abc";__builtin_bzero(a,2);`, `a[1]==0 && a[2]=='c'`},
	{`char a[4]="abc";`, `__builtin_bcmp(a,"abd",2)==0`},
	{`char a[4]="abc";`, `__builtin_index(a,'b')==a+1`},
	{`char a[4]="abc";`, `__builtin_rindex(a,'b')==a+1`},
	{`int c='a';`, `__builtin_toupper(c)=='A'`},
	{`int c='7';`, `__builtin_isdigit(c)!=0`},
	{`char *p=__builtin_malloc(4); if(!p) return 0; p[1]=3;`, `p[1]==3`},
	{`char *p=__builtin_calloc(4,1); if(!p) return 0;`, `p[1]==0`},
	{`char *p=__builtin_malloc(4); if(!p) return 0; p[1]=3; char *q=__builtin_realloc(p,8); if(!q) return 0;`, `q[1]==3`},
	{`char *p=__builtin_alloca(4); p[1]=3;`, `p[1]==3`},
	{`char *p=__builtin_alloca_with_align(4,64); p[1]=3;`, `p[1]==3`},
	{`char a[4]="abc",b[4]; __builtin_memcpy_inline(b,a,4);`, `b[1]=='b'`},
	{`char b[4]; __builtin_memset_inline(b,3,4);`, `b[1]==3`},
	{`char a[4]="abc",b[4];`, `__builtin___memcpy_chk(b,a,4,4)==b && b[1]=='b'`},
	{`char b[4];`, `__builtin___strcpy_chk(b,"ab",4)==b && b[1]=='b'`},
	{`char b[4];`, `__builtin___memset_chk(b,3,4,4)==b && b[1]==3`},
	{`int x=1; if(x!=1) __builtin_unreachable();`, `x==1`},
	{`int x=1; if(x!=1) __builtin_trap();`, `x==1`},
	{`int x=1; if(x!=1) __builtin_debugtrap();`, `x==1`},
	{`struct s{int a;char b;long c;};`, `__builtin_offsetof(struct s,c)==8`},
	{`int x=4;`, `__builtin_speculation_safe_value(x)==4`},
	{`struct {char c; int i;} s; s.i=3; s.c=1; __builtin_clear_padding(&s);`, `s.i==3`},
	{`int x=3;`, `__builtin_annotation(x,"a")==3`},
	{`int x=3;`, `__sync_fetch_and_add(&x,4)==3 && x==7`},
	{`int x=3;`, `__sync_fetch_and_add_4(&x,4)==3 && x==7`},
	{`__builtin_va_list v; __builtin_va_start(v, n); int x = __builtin_va_arg(v, int); __builtin_va_end(v);`, `x == 4`},
	{`int x=3;`, `__atomic_fetch_add_4(&x,4,5)==3 && x==7`},
	{`int x=6;`, `__sync_fetch_and_nand(&x,3)==6 && x==~2`},
	{`int x=6;`, `__sync_nand_and_fetch(&x,3)==~2 && x==~2`},
	{`int x=3;`, `__sync_bool_compare_and_swap(&x,3,5) && x==5`},
	{`int x=3;`, `__sync_val_compare_and_swap(&x,4,5)==3 && x==3`},
	{`int x=3;`, `__sync_lock_test_and_set(&x,4)==3 && x==4`},
	{`int x=3;__sync_lock_release(&x);`, `x==0`},
	{`int x=3;`, `__sync_swap(&x,4)==3 && x==4`},
	{`int x=3;`, `__sync_fetch_and_max(&x,4)==3 && x==4`},
	{`unsigned x=3;`, `__sync_fetch_and_umin(&x,4)==3 && x==3`},
	{`int x=3;`, `__atomic_fetch_max(&x,4,5)==3 && x==4`},
	{`int x=3;`, `__atomic_min_fetch(&x,2,5)==2 && x==2`},
	{`int a[4];int *p=a;`, `__atomic_fetch_add(&p,4,5)==a && p==a+1`},
	{`int a[4];int *p=a;`, `__atomic_add_fetch(&p,8,5)==a+2 && p==a+2`},
	{`int a[4];int *p=a;`, `__sync_fetch_and_add(&p,4)==a && p==a+1`},
	{`int a[4];int *p=a+3;`, `__sync_sub_and_fetch(&p,4)==a+2 && p==a+2`},
	{`int a[4] __attribute__((aligned(16)));int *p=a;`, `__atomic_fetch_or(&p,4,5)==a && p==a+1`},
	{`int a[4];void *p=a;`, `__atomic_fetch_add(&p,4,5)==a && p==a+1`},
	{`int a[4];int *p=a;`, `__sync_bool_compare_and_swap(&p,a,a+1) && p==a+1`},
	{`int a[4];int *p=a;`, `__atomic_exchange_n(&p,a+2,5)==a && p==a+2`},
	{`int a[4];int *p=a;`, `__sync_val_compare_and_swap(&p,0,a+1)==a && p==a`},
	{`_Atomic int x=3;`, `__c11_atomic_fetch_add(&x,4,5)==3 && x==7`},
	{`int a[4];_Atomic(int*) p=a;`, `__c11_atomic_fetch_add(&p,1,5)==a && p==a+1`},
	{`_Atomic int x=3;`, `__c11_atomic_load(&x,5)==3`},
	{`_Atomic int x=3;__c11_atomic_store(&x,4,5);`, `x==4`},
	{`_Atomic int x;__c11_atomic_init(&x,4);`, `x==4`},
	{`_Atomic int x=3;`, `__c11_atomic_exchange(&x,4,5)==3 && x==4`},
	{`_Atomic int x=3;int e=3;`, `__c11_atomic_compare_exchange_strong(&x,&e,4,5,5) && x==4`},
	{`_Atomic int x=3;int e=5;`, `!__c11_atomic_compare_exchange_weak(&x,&e,4,5,5) && e==3`},
	{`_Atomic int x=3;`, `__c11_atomic_fetch_max(&x,4,5)==3 && x==4`},
	{`_Atomic int x=6;`, `__c11_atomic_fetch_nand(&x,3,5)==6 && x==~2`},
	{`__c11_atomic_thread_fence(5);__c11_atomic_signal_fence(5);`, `__c11_atomic_is_lock_free(4)`},
	{`int x;`, `__atomic_always_lock_free(4,0) && __atomic_is_lock_free(4,&x)`},
	{`char x=0;`, `!__atomic_test_and_set(&x,5) && x`},
	{`unsigned char x=255;`, `__atomic_fetch_add(&x,1,5)==255 && x==0`},
	{`unsigned char x=255;`, `__atomic_add_fetch(&x,1,5)==0 && x==0`},
	{`unsigned char x=1;`, `__sync_fetch_and_add(&x,300)==1 && x==45`},
	{`unsigned char x = 255; unsigned short y = 0; unsigned long z = 1;`,
		`__builtin_popcountg(x) == 8 && __builtin_clzg(x) == 0 && __builtin_clzg(y, 9) == 9 && ` +
			`__builtin_ctzg(y, 16) == 16 && __builtin_clzg(z) == 63`},
	{`unsigned long x = 6;`,
		`__builtin_ctzl(x) == 1 && __builtin_ctzll(x) == 1 && __builtin_popcountl(x) == 2 && ` +
			`__builtin_popcount(6) == 2 && __builtin_parityl(x) == 0 && __builtin_parityll(7) == 1`},
	{`long x = -2;`, `__builtin_ffsl(x) == 2 && __builtin_clrsbl(x) == 62`},
	{`long x = -3;`, `__builtin_imaxabs(x) == 3`},
	{`unsigned x = 12;`, `__builtin_usub_overflow(3u, x, &x) && x == 4294967287u`},
	{`int x = 3; unsigned *p = (void *)__builtin_align_up((char *)&x, 4);`,
		`__builtin_is_aligned(p, 4) && __builtin_align_down(&x, 4) == &x && *p == 3`},
	{`int x = 0, k = 3; if (__builtin_expect(x, k++)) k = 9; while (__builtin_expect(x++ < 2, k++));`,
		`k == 7 && x == 3`},
	{`;`, `__builtin_object_size("abcd", 0) == 5 && __builtin_object_size(L"ab", 0) == 12`},
	{`struct { char a[5]; char b[6]; } s;`,
		`__builtin_object_size(s.a, 0) == 11 && __builtin_object_size(s.a, 1) == 5 && ` +
			`__builtin_object_size(&s.b[2], 1) == 4 && __builtin_object_size(s.b + 1, 0) == 5`},
	{`double d = 1; struct { int x; } s; int *p = 0;`,
		`__builtin_classify_type(d) == 8 && __builtin_classify_type(s) == 12 && __builtin_classify_type(p) == 5`},
	{`char b[4]; __builtin_prefetch(b, 1, 3); b[0] = 1; __builtin___clear_cache(b, b + 4); ` +
		`__builtin_ia32_pause(); __builtin_cpu_init();`, `b[0] == 1`},
	{`int x = 3; if (x == 4) __builtin__exit(1); if (x == 5) __builtin_abort(); if (x == 6) __builtin_exit(2);`, `x == 3`},
	{`char a[8] = "abc"; __builtin_bcopy(a, a + 1, 3);`, `a[1] == 'a' && __builtin_strcasecmp("x", "x") == 0`},
	{`char a[4]; int k = 1; __builtin_strndup("abc", 2); __builtin_stpncpy(a, "b", 3);`, `k == 1`},
	{`int *p = __builtin_aligned_alloc(16, 16); if (!p) return 0; *p = 3; __builtin_free(p); char a[4]; ` +
		`__builtin_sprintf(a, "%d", 3);`, `1 == 1`},
	{`char b[4]; b[3] = 1; __builtin___strncpy_chk(b, "ab", 3, 4); __builtin___memmove_chk(b + 1, b, 1, 3);`,
		`b[1] == 'a' && b[2] == 0 && b[3] == 1`},
	{`char a[4] = "a";`, `__builtin___strcat_chk(a, "b", 4) == a && a[1] == 'b'`},
	{`double d = 2; d = __builtin_fabs(d); int k = 1;`, `k == 1`},
	{`__builtin_va_list v; __builtin_va_start(v, n); __builtin_va_end(v);`, `n == 3`},
	{`char a[3] = "ab";`, `__builtin_strncasecmp(a, a, 0) == 0 && __builtin_bit_cast(unsigned, n) == 3`},
	{`unsigned long x = 3; unsigned char y = 250;`,
		`__sync_add_and_fetch_8(&x, 4) == 7 && __atomic_load_8(&x, 5) == 7 && __atomic_add_fetch_1(&y, 10, 5) ` +
			`== 4 && __sync_bool_compare_and_swap_1(&y, 4, 9) && y == 9`},
	{`int x = 3, y = 4, z;  __atomic_store(&x, &y, 5); __atomic_load(&x, &z, 5);`, `z == 4 && x == 4`},
	{`int x = 3, e = 3, v = 5, r;`,
		`__atomic_compare_exchange(&x, &e, &v, 0, 5, 5) && x == 5 && (__atomic_exchange(&x, &e, &r, 0), r == 5 && x == 3)`},
	{`int x = 3, e = 4;`, `!__atomic_compare_exchange_n(&x, &e, 5, 1, 5, 5) && e == 3 && x == 3`},
	{`char x = 1; __atomic_clear(&x, 3); __atomic_store_n(&x, x + 2, 3); __atomic_thread_fence(3); ` +
		`__atomic_signal_fence(5); __sync_synchronize();`, `x == 2`},
	{`int x = 7;`, `__sync_fetch_and_or(&x, 8) == 7 && __sync_xor_and_fetch(&x, 1) == 14 && ` +
		`__atomic_and_fetch(&x, 6, 0) == 6 && __atomic_sub_fetch(&x, 1, 0) == 5 && __atomic_nand_fetch(&x, 4, 0) == ~4`},
	{`int x = 7;`, `__sync_fetch_and_min(&x, 3) == 7 && __atomic_fetch_min(&x, 2, 5) == 3 && ` +
		`__atomic_max_fetch(&x, 9, 5) == 9 && __sync_fetch_and_umax((unsigned *)&x, 10u) == 9 && x == 10`},
	{`int a[4]; long p = (long)a; int *q = a + 1;`,
		`__sync_fetch_and_or(&q, 0) == a + 1 && (long)__atomic_fetch_xor(&q, 1, 5) == p + 4 && (long)q == ((p + 4) ^ 1)`},
}

// unknownBuiltins are the same, where nobody can say whether it holds.
var unknownBuiltins = []struct{ setup, holds string }{
	{``, `__builtin_FILE() != 0`},
	{`void *p = __builtin_frame_address(0), *q = __builtin_return_address(0);`, `p != q && p != 0`},
	{`void *p = __builtin_extract_return_addr(0);`, `p != 0`},
	{`int x = __builtin_cpu_supports("sse2") + __builtin_cpu_is("intel");`, `x > 0`},
	{`unsigned long long x = __builtin_ia32_rdtsc() + __builtin_readcyclecounter();`, `x > 9`},
	{`double d = __builtin_nans("");`, `d != d`},
}

// refusedBuiltins are calls that no run is followed beyond, and unreadBuiltins what no file may have.
var refusedBuiltins = []string{"__builtin_bswap128(n)", "__builtin_setjmp(0)", "__builtin_apply_args()",
	"__builtin_eh_return(n, 0)",
	"__builtin_extend_pointer(&n)", "__builtin_shuffle(n, n)", "__builtin_elementwise_max(n, n)",
	"__builtin_reduce_add(n)", "__builtin_complex(1.0, 2.0)",
	"__builtin_dump_struct(&n, 0)", "__builtin_alloca_with_align_and_max(4, 8, 9)", "__builtin_stack_save()",
	"__builtin_stdc_bit_ceil(n)",
	"__sync_fetch_and_something(&n, 1)", "__atomic_something(&n)", "__c11_atomic_something(&n)"}
var unreadBuiltins = []string{"__builtin_convertvector(n, int)", "__builtin_has_attribute(n, unused)",
	"__builtin_tgmath(n)"}

const builtinPrelude = "#include <stdatomic.h>\nextern void reach_error(void);\n"

func withBuiltin(setup, cond string) string {
	return builtinPrelude + "int run(int n, ...) { " + setup + " if (!(" + cond +
		")) reach_error(); return 0; } int main(void) { return run(3, 4); }"
}

// withBuiltins is a program with a function for each case, in which a statement asks whether it holds, and a last one.
// held counts what the statements like.
func withBuiltins(cases []struct{ setup, holds string }, ask, last string) string {
	functions, calls := "", ""
	for i, c := range cases {
		functions += fmt.Sprintf("static int run%d(int n, ...) { %s "+ask+" return 0; }\n", i, c.setup, c.holds)
		calls += fmt.Sprintf("run%d(3, 4); ", i)
	}
	return builtinPrelude + "static int held;\n" + functions + "int main(void) { " + calls + last + " return 0; }\n"
}

// TestBuiltins: what the table says to hold does: some twenty rows are one program, of which it is proved that none
// fails, and which has a run on which all hold. GCC's programs say the same. What is any value is unknown, and what
// is refused says so.
func TestBuiltins(t *testing.T) {
	sample.Long(t)
	for cases := range slices.Chunk(builtinCases, 20) {
		all := withBuiltins(cases, "if (!(%s)) reach_error();", "")
		out := ofLibrary(t, all, cfa.LP64, magus.Options{})
		assert.Equal(t, magus.Conforms, out.Verdict, "%v\n%s", out.Reason, all)
		all = withBuiltins(cases, "if (%s) held++;", fmt.Sprintf("if (held == %d) reach_error();", len(cases)))
		out = ofLibrary(t, all, cfa.LP64, magus.Options{})
		assert.Equal(t, magus.Violates, out.Verdict, "%v\n%s", out.Reason, all)
		if testing.Short() {
			break
		}
	}
	for _, c := range unknownBuiltins {
		out := ofLibrary(t, withBuiltin(c.setup, c.holds), cfa.LP64, magus.Options{})
		assert.Equal(t, magus.Unknown, out.Verdict, c.holds)
		assert.Contains(t, out.Reason.Text, "not modelled", c.holds)
	}
	out := ofLibrary(t, withBuiltin("int x = __builtin_nondeterministic_value(n);", "x != 77"), cfa.LP64, magus.Options{})
	assert.Equal(t, magus.Violates, out.Verdict)
	for _, call := range refusedBuiltins {
		out := ofLibrary(t, withBuiltin("", "("+call+", 1)"), cfa.LP64, magus.Options{})
		assert.Equal(t, magus.Unknown, out.Verdict, call)
		assert.Contains(t, out.Reason.Text, "call of "+call[:strings.Index(call, "(")], call)
	}
	for _, call := range unreadBuiltins {
		_, err := magus.Load(t.Context(),
			magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(withBuiltin("", "("+call+", 1)"))}}})
		assert.ErrorContains(t, err, call[:strings.Index(call, "(")], call)
	}
}

// TestBuiltinsHaveCases: a name of each row is in a case of its kind.
func TestBuiltinsHaveCases(t *testing.T) {
	word := regexp.MustCompile(`__\w+`)
	in := map[builtin.How][]string{builtin.Refused: word.FindAllString(strings.Join(refusedBuiltins, " "), -1),
		builtin.Unread: word.FindAllString(strings.Join(unreadBuiltins, " "), -1)}
	for _, c := range unknownBuiltins {
		in[builtin.Any] = append(in[builtin.Any], word.FindAllString(c.setup+c.holds, -1)...)
	}
	computed := []string{"__builtin_nondeterministic_value"}
	for _, c := range builtinCases {
		computed = append(computed, word.FindAllString(c.setup+c.holds, -1)...)
	}
	for _, r := range builtin.Rows() {
		cases, ok := in[r.How]
		if !ok {
			cases = computed
		}
		assert.True(t, slices.ContainsFunc(r.Names, func(name string) bool { return slices.Contains(cases, name) }),
			"no case for %s, which is %s", r.Pattern, r.How)
	}
}

// TestBuiltinsAgreeWithGCC: what the cases say holds when GCC compiles them, where it has all of their functions.
func TestBuiltinsAgreeWithGCC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc in PATH")
	}
	word := regexp.MustCompile(`__(?:builtin|sync|atomic|c11)_\w+`)
	text := "#include <stdatomic.h>\nint printf(const char *, ...);\n"
	calls, n := "", 0
	for i, c := range builtinCases {
		if slices.ContainsFunc(word.FindAllString(c.setup+c.holds, -1), func(name string) bool {
			row, _ := builtin.Known(name)
			return !row.Has("gcc")
		}) {
			continue
		}
		n++
		text += fmt.Sprintf("int main%d(int n, ...) { %s if (!(%s)) return 1; return 0; }\n", i, c.setup, c.holds)
		calls += fmt.Sprintf("if (main%d(3)) printf(\"case %d\\n\");\n", i, i)
	}
	require.Greater(t, n, 60)
	text = strings.ReplaceAll(text, "__builtin_FUNCTION()[0] == 'r'", "1")
	dir := t.TempDir()
	file := filepath.Join(dir, "a.c")
	require.NoError(t, os.WriteFile(file, []byte(text+"int main(void) {\n"+calls+"return 0; }\n"), 0o644))
	out, err := exec.Command(gcc, "-w", "-o", filepath.Join(dir, "a"), file, "-latomic", "-lm").CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.Command(filepath.Join(dir, "a")).CombinedOutput()
	require.NoError(t, err)
	require.Empty(t, string(out))
}
