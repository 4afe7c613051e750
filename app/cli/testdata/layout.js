// Faults of how the page of a session is laid out, each as a line of text.
(() => {
  const faults = [];
  const all = (what, of = document) => Array.from(of.querySelectorAll(what));
  const fault = (what, e) => faults.push(what + ": " + (e.id || e.className || e.tagName) + " " + (e.textContent || "").trim().slice(0, 40));
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const place = (e) => e.getBoundingClientRect();

  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the window");
  const panes = all(".pane");
  panes.forEach((a, i) => panes.slice(i + 1).forEach((b) => { if (meet(place(a), place(b))) fault("a pane over " + a.id, b); }));
  for (const pane of panes.filter((p) => p.open)) {
    const body = pane.querySelector(".body"), title = document.createRange();
    title.selectNodeContents(pane.querySelector("summary"));
    if (meet(title.getBoundingClientRect(), place(pane.querySelector(".widen")))) fault("a button over the title", pane);
    if (!body.textContent.trim()) fault("an empty pane", pane);
    if (place(body).right > place(pane).right + 1) fault("wider than its pane", body);
  }
  for (const e of all("#acts *, .tabs *, .tools *, .drawing > *, #tour *")) {
    if (e.checkVisibility() && e.children.length === 0 && e.clientWidth > 0 && e.tagName !== "SELECT" && e.tagName !== "INPUT" && e.scrollWidth > e.clientWidth + 1) fault("text is cut", e);
  }
  for (const box of all(".row, .tools, .tabs").filter((e) => e.checkVisibility())) {
    const parts = Array.from(box.children).filter((e) => e.checkVisibility() && place(e).width > 0);
    parts.forEach((a, i) => parts.slice(i + 1).forEach((b) => { if (meet(place(a), place(b))) fault("one over the other", b); }));
  }
  for (const sheet of all(".sheet").filter((s) => s.checkVisibility() && s.querySelector(".node"))) {
    if (!all(".node", sheet).some((n) => meet(place(n), place(sheet)))) fault("a drawing of which no box is seen", sheet.closest(".pane"));
  }
  return faults.join("\n");
})()
