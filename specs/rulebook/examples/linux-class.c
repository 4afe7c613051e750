struct class_interface;
int class_interface_register(struct class_interface *c);
void class_interface_unregister(struct class_interface *c);
void ldv_check_final_state(void);

int kept(struct class_interface *c)
{
	if (class_interface_register(c) == 0)
		class_interface_unregister(c);
	ldv_check_final_state();
	return 0;
}

int broken(struct class_interface *c)
{
	class_interface_register(c);
	ldv_check_final_state(); // broken
	return 0;
}
