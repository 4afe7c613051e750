unsigned long find_next_bit(const unsigned long *map, unsigned long size, unsigned long from);

unsigned long kept(const unsigned long *map, unsigned long from)
{
	if (from > 64)
		from = 64;
	return find_next_bit(map, 64, from);
}

unsigned long broken(const unsigned long *map, unsigned long from)
{
	return find_next_bit(map, 64, from); // broken
}
