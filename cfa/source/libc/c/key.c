/* Keys, and what each thread keeps for them. A key is a number, and given once. */

typedef void libc_destructor(void *);

static unsigned int libc_keys;

static libc_destructor *libc_destructors[8];

/* By bit, those that were created and not deleted. */
static unsigned char libc_keys_used;

static _Thread_local void *libc_kept[8];

/* Calls the destructors for what the thread keeps that ends, as long as there is something, but not more than four times. */
static void libc_destroy_kept(void)
{
	int more = 1;
	for (int times = 0; times < 4 && more; times++) {
		more = 0;
		for (unsigned int key = 0; key < 8; key++) {
			void *value = libc_kept[key];
			libc_destructor *destructor = 0;
			if (value) {
				__magus_atomic_begin();
				if (libc_keys_used >> key & 1)
					destructor = libc_destructors[key];
				__magus_atomic_end();
			}
			if (destructor) {
				libc_kept[key] = 0;
				destructor(value);
				more = 1;
			}
		}
	}
}

static void libc_delete_key(unsigned int key)
{
	__magus_atomic_begin();
	libc_keys_used &= ~(1 << key);
	__magus_atomic_end();
}

/* The number of a new key; 8 if there is none. */
static unsigned int libc_new_key(libc_destructor *destructor)
{
	unsigned int key = 0;
	__magus_atomic_begin();
	key = libc_keys;
	if (key < 8) {
		libc_keys = key + 1;
		libc_destructors[key] = destructor;
		libc_keys_used |= 1 << key;
	}
	__magus_atomic_end();
	return key;
}

/* Whether a key was created and not deleted. No section: reading what is kept orders nothing. */
static int libc_is_key(unsigned int key)
{
	if (key < 8 && libc_keys_used >> key & 1)
		return 1;
	__magus_undefined("a key is used that is none");
	return 0;
}

/* The next key, for which each thread keeps NULL. At the end of a thread the destructor is called with what it keeps, if that is not NULL. */
int pthread_key_create(unsigned int *key, libc_destructor *destructor)
{
	unsigned int next = libc_new_key(destructor);
	__magus_told("it succeeds, no key is given a second time, destructors are called in the order of keys, each four times at most, and what is kept for keys without one stays meanwhile");
	if (next >= 8) {
		__magus_unmodelled("more than 8 keys");
		return 11;
	}
	*key = next;
	return 0;
}

/* What threads keep is no longer destroyed. */
int pthread_key_delete(unsigned int key)
{
	if (!libc_is_key(key))
		return 22;
	libc_delete_key(key);
	return 0;
}

/* What the thread keeps for the key, NULL at first. */
void *pthread_getspecific(unsigned int key)
{
	return libc_is_key(key) ? libc_kept[key] : (void *)0;
}

/* The thread keeps this for the key. */
int pthread_setspecific(unsigned int key, const void *value)
{
	if (!libc_is_key(key))
		return 22;
	libc_kept[key] = (void *)value;
	return 0;
}

/* The next key, for which each thread keeps NULL. At the end of a thread the destructor is called with what it keeps, if that is not NULL. */
int tss_create(unsigned int *key, libc_destructor *destructor)
{
	unsigned int next = libc_new_key(destructor);
	__magus_told("it succeeds, no key is given a second time, destructors are called in the order of keys, each four times at most, and what is kept for keys without one stays meanwhile");
	if (next >= 8) {
		__magus_unmodelled("more than 8 keys");
		return 2;
	}
	*key = next;
	return 0;
}

/* What threads keep is no longer destroyed. */
void tss_delete(unsigned int key)
{
	if (libc_is_key(key))
		libc_delete_key(key);
}

/* What the thread keeps for the key, NULL at first. */
void *tss_get(unsigned int key)
{
	return libc_is_key(key) ? libc_kept[key] : (void *)0;
}

/* The thread keeps this for the key. */
int tss_set(unsigned int key, void *value)
{
	if (!libc_is_key(key))
		return 2;
	libc_kept[key] = value;
	return 0;
}
