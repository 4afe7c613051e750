struct usb_device;
void usb_lock_device(struct usb_device *d);
void usb_unlock_device(struct usb_device *d);
void *kmalloc(unsigned long size, unsigned flags);
#define GFP_NOIO 16
#define GFP_KERNEL 208

void *kept(struct usb_device *d)
{
	void *p;
	usb_lock_device(d);
	p = kmalloc(16, GFP_NOIO);
	usb_unlock_device(d);
	return p;
}

void *broken(struct usb_device *d)
{
	void *p;
	usb_lock_device(d);
	p = kmalloc(16, GFP_KERNEL); // broken
	usb_unlock_device(d);
	return p;
}
