typedef struct bignum_st BIGNUM;
BIGNUM *BN_new(void);
int BN_set_word(BIGNUM *a, unsigned long w);
void BN_free(BIGNUM *a);

int kept(void)
{
	BIGNUM *a = BN_new();
	if (!a)
		return 0;
	int ok = BN_set_word(a, 3);
	BN_free(a);
	return ok;
}

int broken(void)
{
	BIGNUM *a = BN_new();
	if (!a)
		return 0;
	if (!BN_set_word(a, 3))
		return 0; // broken
	BN_free(a);
	return 1;
}
