void __MAGUS_ACTION__(const char *);

int n;

int step(void)
{
	n += 2;
	return 1;
}

int main(void)
{
	n = 0;
	step();
	step();
	if (n != 4)
		__MAGUS_ACTION__("odd");
	return 0;
}
