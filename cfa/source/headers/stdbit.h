#ifndef __MAGUS_STDBIT_H
#define __MAGUS_STDBIT_H
#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ 1234
#define __STDC_ENDIAN_BIG__ 4321
#define __STDC_ENDIAN_NATIVE__ __STDC_ENDIAN_LITTLE__
/* C23 7.18: what __builtin_clzg and its like compute of any unsigned type. __magus_w is how many bits that has. */
#define __magus_w(x) (8 * (int)sizeof(x))
#define __magus_not(x) ((__typeof__(x))~(x))
static inline unsigned int stdc_leading_zeros_uc(unsigned char __x) { return __builtin_clzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_leading_zeros_us(unsigned short __x) { return __builtin_clzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_leading_zeros_ui(unsigned int __x) { return __builtin_clzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_leading_zeros_ul(unsigned long __x) { return __builtin_clzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_leading_zeros_ull(unsigned long long __x) { return __builtin_clzg(__x, __magus_w(__x)); }
#define stdc_leading_zeros(x) _Generic((x), unsigned char: stdc_leading_zeros_uc, unsigned short: stdc_leading_zeros_us, unsigned int: stdc_leading_zeros_ui, unsigned long: stdc_leading_zeros_ul, unsigned long long: stdc_leading_zeros_ull)(x)
static inline unsigned int stdc_leading_ones_uc(unsigned char __x) { return __builtin_clzg(__magus_not(__x), __magus_w(__x)); }
static inline unsigned int stdc_leading_ones_us(unsigned short __x) { return __builtin_clzg(__magus_not(__x), __magus_w(__x)); }
static inline unsigned int stdc_leading_ones_ui(unsigned int __x) { return __builtin_clzg(__magus_not(__x), __magus_w(__x)); }
static inline unsigned int stdc_leading_ones_ul(unsigned long __x) { return __builtin_clzg(__magus_not(__x), __magus_w(__x)); }
static inline unsigned int stdc_leading_ones_ull(unsigned long long __x) { return __builtin_clzg(__magus_not(__x), __magus_w(__x)); }
#define stdc_leading_ones(x) _Generic((x), unsigned char: stdc_leading_ones_uc, unsigned short: stdc_leading_ones_us, unsigned int: stdc_leading_ones_ui, unsigned long: stdc_leading_ones_ul, unsigned long long: stdc_leading_ones_ull)(x)
static inline unsigned int stdc_trailing_zeros_uc(unsigned char __x) { return __builtin_ctzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_trailing_zeros_us(unsigned short __x) { return __builtin_ctzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_trailing_zeros_ui(unsigned int __x) { return __builtin_ctzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_trailing_zeros_ul(unsigned long __x) { return __builtin_ctzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_trailing_zeros_ull(unsigned long long __x) { return __builtin_ctzg(__x, __magus_w(__x)); }
#define stdc_trailing_zeros(x) _Generic((x), unsigned char: stdc_trailing_zeros_uc, unsigned short: stdc_trailing_zeros_us, unsigned int: stdc_trailing_zeros_ui, unsigned long: stdc_trailing_zeros_ul, unsigned long long: stdc_trailing_zeros_ull)(x)
static inline unsigned int stdc_trailing_ones_uc(unsigned char __x) { return __builtin_ctzg(__magus_not(__x), __magus_w(__x)); }
static inline unsigned int stdc_trailing_ones_us(unsigned short __x) { return __builtin_ctzg(__magus_not(__x), __magus_w(__x)); }
static inline unsigned int stdc_trailing_ones_ui(unsigned int __x) { return __builtin_ctzg(__magus_not(__x), __magus_w(__x)); }
static inline unsigned int stdc_trailing_ones_ul(unsigned long __x) { return __builtin_ctzg(__magus_not(__x), __magus_w(__x)); }
static inline unsigned int stdc_trailing_ones_ull(unsigned long long __x) { return __builtin_ctzg(__magus_not(__x), __magus_w(__x)); }
#define stdc_trailing_ones(x) _Generic((x), unsigned char: stdc_trailing_ones_uc, unsigned short: stdc_trailing_ones_us, unsigned int: stdc_trailing_ones_ui, unsigned long: stdc_trailing_ones_ul, unsigned long long: stdc_trailing_ones_ull)(x)
static inline unsigned int stdc_first_leading_zero_uc(unsigned char __x) { return __x == __magus_not((__typeof__(__x))0) ? 0 : __builtin_clzg(__magus_not(__x), 0) + 1; }
static inline unsigned int stdc_first_leading_zero_us(unsigned short __x) { return __x == __magus_not((__typeof__(__x))0) ? 0 : __builtin_clzg(__magus_not(__x), 0) + 1; }
static inline unsigned int stdc_first_leading_zero_ui(unsigned int __x) { return __x == __magus_not((__typeof__(__x))0) ? 0 : __builtin_clzg(__magus_not(__x), 0) + 1; }
static inline unsigned int stdc_first_leading_zero_ul(unsigned long __x) { return __x == __magus_not((__typeof__(__x))0) ? 0 : __builtin_clzg(__magus_not(__x), 0) + 1; }
static inline unsigned int stdc_first_leading_zero_ull(unsigned long long __x) { return __x == __magus_not((__typeof__(__x))0) ? 0 : __builtin_clzg(__magus_not(__x), 0) + 1; }
#define stdc_first_leading_zero(x) _Generic((x), unsigned char: stdc_first_leading_zero_uc, unsigned short: stdc_first_leading_zero_us, unsigned int: stdc_first_leading_zero_ui, unsigned long: stdc_first_leading_zero_ul, unsigned long long: stdc_first_leading_zero_ull)(x)
static inline unsigned int stdc_first_leading_one_uc(unsigned char __x) { return __x == 0 ? 0 : __builtin_clzg(__x, 0) + 1; }
static inline unsigned int stdc_first_leading_one_us(unsigned short __x) { return __x == 0 ? 0 : __builtin_clzg(__x, 0) + 1; }
static inline unsigned int stdc_first_leading_one_ui(unsigned int __x) { return __x == 0 ? 0 : __builtin_clzg(__x, 0) + 1; }
static inline unsigned int stdc_first_leading_one_ul(unsigned long __x) { return __x == 0 ? 0 : __builtin_clzg(__x, 0) + 1; }
static inline unsigned int stdc_first_leading_one_ull(unsigned long long __x) { return __x == 0 ? 0 : __builtin_clzg(__x, 0) + 1; }
#define stdc_first_leading_one(x) _Generic((x), unsigned char: stdc_first_leading_one_uc, unsigned short: stdc_first_leading_one_us, unsigned int: stdc_first_leading_one_ui, unsigned long: stdc_first_leading_one_ul, unsigned long long: stdc_first_leading_one_ull)(x)
static inline unsigned int stdc_first_trailing_zero_uc(unsigned char __x) { return __x == __magus_not((__typeof__(__x))0) ? 0 : __builtin_ctzg(__magus_not(__x), 0) + 1; }
static inline unsigned int stdc_first_trailing_zero_us(unsigned short __x) { return __x == __magus_not((__typeof__(__x))0) ? 0 : __builtin_ctzg(__magus_not(__x), 0) + 1; }
static inline unsigned int stdc_first_trailing_zero_ui(unsigned int __x) { return __x == __magus_not((__typeof__(__x))0) ? 0 : __builtin_ctzg(__magus_not(__x), 0) + 1; }
static inline unsigned int stdc_first_trailing_zero_ul(unsigned long __x) { return __x == __magus_not((__typeof__(__x))0) ? 0 : __builtin_ctzg(__magus_not(__x), 0) + 1; }
static inline unsigned int stdc_first_trailing_zero_ull(unsigned long long __x) { return __x == __magus_not((__typeof__(__x))0) ? 0 : __builtin_ctzg(__magus_not(__x), 0) + 1; }
#define stdc_first_trailing_zero(x) _Generic((x), unsigned char: stdc_first_trailing_zero_uc, unsigned short: stdc_first_trailing_zero_us, unsigned int: stdc_first_trailing_zero_ui, unsigned long: stdc_first_trailing_zero_ul, unsigned long long: stdc_first_trailing_zero_ull)(x)
static inline unsigned int stdc_first_trailing_one_uc(unsigned char __x) { return __x == 0 ? 0 : __builtin_ctzg(__x, 0) + 1; }
static inline unsigned int stdc_first_trailing_one_us(unsigned short __x) { return __x == 0 ? 0 : __builtin_ctzg(__x, 0) + 1; }
static inline unsigned int stdc_first_trailing_one_ui(unsigned int __x) { return __x == 0 ? 0 : __builtin_ctzg(__x, 0) + 1; }
static inline unsigned int stdc_first_trailing_one_ul(unsigned long __x) { return __x == 0 ? 0 : __builtin_ctzg(__x, 0) + 1; }
static inline unsigned int stdc_first_trailing_one_ull(unsigned long long __x) { return __x == 0 ? 0 : __builtin_ctzg(__x, 0) + 1; }
#define stdc_first_trailing_one(x) _Generic((x), unsigned char: stdc_first_trailing_one_uc, unsigned short: stdc_first_trailing_one_us, unsigned int: stdc_first_trailing_one_ui, unsigned long: stdc_first_trailing_one_ul, unsigned long long: stdc_first_trailing_one_ull)(x)
static inline unsigned int stdc_count_zeros_uc(unsigned char __x) { return __builtin_popcountg(__magus_not(__x)); }
static inline unsigned int stdc_count_zeros_us(unsigned short __x) { return __builtin_popcountg(__magus_not(__x)); }
static inline unsigned int stdc_count_zeros_ui(unsigned int __x) { return __builtin_popcountg(__magus_not(__x)); }
static inline unsigned int stdc_count_zeros_ul(unsigned long __x) { return __builtin_popcountg(__magus_not(__x)); }
static inline unsigned int stdc_count_zeros_ull(unsigned long long __x) { return __builtin_popcountg(__magus_not(__x)); }
#define stdc_count_zeros(x) _Generic((x), unsigned char: stdc_count_zeros_uc, unsigned short: stdc_count_zeros_us, unsigned int: stdc_count_zeros_ui, unsigned long: stdc_count_zeros_ul, unsigned long long: stdc_count_zeros_ull)(x)
static inline unsigned int stdc_count_ones_uc(unsigned char __x) { return __builtin_popcountg(__x); }
static inline unsigned int stdc_count_ones_us(unsigned short __x) { return __builtin_popcountg(__x); }
static inline unsigned int stdc_count_ones_ui(unsigned int __x) { return __builtin_popcountg(__x); }
static inline unsigned int stdc_count_ones_ul(unsigned long __x) { return __builtin_popcountg(__x); }
static inline unsigned int stdc_count_ones_ull(unsigned long long __x) { return __builtin_popcountg(__x); }
#define stdc_count_ones(x) _Generic((x), unsigned char: stdc_count_ones_uc, unsigned short: stdc_count_ones_us, unsigned int: stdc_count_ones_ui, unsigned long: stdc_count_ones_ul, unsigned long long: stdc_count_ones_ull)(x)
static inline _Bool stdc_has_single_bit_uc(unsigned char __x) { return __x != 0 && (__x & (__x - 1)) == 0; }
static inline _Bool stdc_has_single_bit_us(unsigned short __x) { return __x != 0 && (__x & (__x - 1)) == 0; }
static inline _Bool stdc_has_single_bit_ui(unsigned int __x) { return __x != 0 && (__x & (__x - 1)) == 0; }
static inline _Bool stdc_has_single_bit_ul(unsigned long __x) { return __x != 0 && (__x & (__x - 1)) == 0; }
static inline _Bool stdc_has_single_bit_ull(unsigned long long __x) { return __x != 0 && (__x & (__x - 1)) == 0; }
#define stdc_has_single_bit(x) _Generic((x), unsigned char: stdc_has_single_bit_uc, unsigned short: stdc_has_single_bit_us, unsigned int: stdc_has_single_bit_ui, unsigned long: stdc_has_single_bit_ul, unsigned long long: stdc_has_single_bit_ull)(x)
static inline unsigned int stdc_bit_width_uc(unsigned char __x) { return __magus_w(__x) - __builtin_clzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_bit_width_us(unsigned short __x) { return __magus_w(__x) - __builtin_clzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_bit_width_ui(unsigned int __x) { return __magus_w(__x) - __builtin_clzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_bit_width_ul(unsigned long __x) { return __magus_w(__x) - __builtin_clzg(__x, __magus_w(__x)); }
static inline unsigned int stdc_bit_width_ull(unsigned long long __x) { return __magus_w(__x) - __builtin_clzg(__x, __magus_w(__x)); }
#define stdc_bit_width(x) _Generic((x), unsigned char: stdc_bit_width_uc, unsigned short: stdc_bit_width_us, unsigned int: stdc_bit_width_ui, unsigned long: stdc_bit_width_ul, unsigned long long: stdc_bit_width_ull)(x)
static inline unsigned char stdc_bit_floor_uc(unsigned char __x) { return __x == 0 ? 0 : (__typeof__(__x))1 << (__magus_w(__x) - 1 - __builtin_clzg(__x, 0)); }
static inline unsigned short stdc_bit_floor_us(unsigned short __x) { return __x == 0 ? 0 : (__typeof__(__x))1 << (__magus_w(__x) - 1 - __builtin_clzg(__x, 0)); }
static inline unsigned int stdc_bit_floor_ui(unsigned int __x) { return __x == 0 ? 0 : (__typeof__(__x))1 << (__magus_w(__x) - 1 - __builtin_clzg(__x, 0)); }
static inline unsigned long stdc_bit_floor_ul(unsigned long __x) { return __x == 0 ? 0 : (__typeof__(__x))1 << (__magus_w(__x) - 1 - __builtin_clzg(__x, 0)); }
static inline unsigned long long stdc_bit_floor_ull(unsigned long long __x) { return __x == 0 ? 0 : (__typeof__(__x))1 << (__magus_w(__x) - 1 - __builtin_clzg(__x, 0)); }
#define stdc_bit_floor(x) _Generic((x), unsigned char: stdc_bit_floor_uc, unsigned short: stdc_bit_floor_us, unsigned int: stdc_bit_floor_ui, unsigned long: stdc_bit_floor_ul, unsigned long long: stdc_bit_floor_ull)(x)
static inline unsigned char stdc_bit_ceil_uc(unsigned char __x) { return __x <= 1 ? 1 : __x > (__typeof__(__x))1 << (__magus_w(__x) - 1) ? 0 : (__typeof__(__x))2 << (__magus_w(__x) - 1 - __builtin_clzg((__typeof__(__x))(__x - 1), 0)); }
static inline unsigned short stdc_bit_ceil_us(unsigned short __x) { return __x <= 1 ? 1 : __x > (__typeof__(__x))1 << (__magus_w(__x) - 1) ? 0 : (__typeof__(__x))2 << (__magus_w(__x) - 1 - __builtin_clzg((__typeof__(__x))(__x - 1), 0)); }
static inline unsigned int stdc_bit_ceil_ui(unsigned int __x) { return __x <= 1 ? 1 : __x > (__typeof__(__x))1 << (__magus_w(__x) - 1) ? 0 : (__typeof__(__x))2 << (__magus_w(__x) - 1 - __builtin_clzg((__typeof__(__x))(__x - 1), 0)); }
static inline unsigned long stdc_bit_ceil_ul(unsigned long __x) { return __x <= 1 ? 1 : __x > (__typeof__(__x))1 << (__magus_w(__x) - 1) ? 0 : (__typeof__(__x))2 << (__magus_w(__x) - 1 - __builtin_clzg((__typeof__(__x))(__x - 1), 0)); }
static inline unsigned long long stdc_bit_ceil_ull(unsigned long long __x) { return __x <= 1 ? 1 : __x > (__typeof__(__x))1 << (__magus_w(__x) - 1) ? 0 : (__typeof__(__x))2 << (__magus_w(__x) - 1 - __builtin_clzg((__typeof__(__x))(__x - 1), 0)); }
#define stdc_bit_ceil(x) _Generic((x), unsigned char: stdc_bit_ceil_uc, unsigned short: stdc_bit_ceil_us, unsigned int: stdc_bit_ceil_ui, unsigned long: stdc_bit_ceil_ul, unsigned long long: stdc_bit_ceil_ull)(x)
#endif
