struct module;
int try_module_get(struct module *m);
void module_put(struct module *m);

int kept(struct module *m)
{
	if (!try_module_get(m))
		return -1;
	if (m)
		module_put(m);
	return 0;
}

int broken(struct module *m)
{
	if (m)
		module_put(m); // broken
	return 0;
}
