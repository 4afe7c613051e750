struct device_node { int phandle; };
struct device_node *of_find_node_by_path(const char *path);
void of_node_put(struct device_node *node);

int kept(void)
{
	struct device_node *node = of_find_node_by_path("/cpus");
	if (!node)
		return -1;
	int handle = node->phandle;
	of_node_put(node);
	return handle;
}

int broken(void)
{
	struct device_node *node = of_find_node_by_path("/cpus");
	if (!node)
		return -1;
	return node->phandle; // broken
}
