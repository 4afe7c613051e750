// Faults of a page for people who use it without a mouse, with a screen reader, or with weak eyes: each as a line
// of text. What is looked at: names of controls and pictures, labels, contrast of text (WCAG 2.1, 1.4.3), landmarks and
// headings, references, focus, scopes of tables' heads.
(() => {
  const faults = [];
  const all = (what) => Array.from(document.querySelectorAll(what));
  const shown = (e) => e.checkVisibility ? e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) : e.getClientRects().length > 0;
  const called = (e) => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (e.getAttribute("class") ? "." + e.getAttribute("class").split(" ").join(".") : "");
  const fault = (what, e) => faults.push(what + ": " + called(e) + " " + (e.textContent || "").trim().slice(0, 40));

  const name = (e) => {
    const by = e.getAttribute("aria-labelledby");
    if (by) return by.split(" ").map((id) => (document.getElementById(id) || {}).textContent || "").join(" ").trim();
    if (e.getAttribute("aria-label")) return e.getAttribute("aria-label").trim();
    if (e.labels && e.labels.length > 0) return Array.from(e.labels, (l) => l.textContent).join(" ").trim();
    return /^(INPUT|SELECT|TEXTAREA)$/.test(e.tagName) ? "" : e.textContent.trim();
  };
  for (const e of all("a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=region], [role=group], [role=img]")) {
    if (shown(e) && !name(e) && !(e.title || "").trim()) fault("no name", e);
  }
  for (const e of all("img:not([alt]), svg[role=img]:not([aria-label]):not([aria-labelledby])")) fault("a picture without a text", e);
  for (const e of all("[tabindex]")) if (e.tabIndex > 0) fault("its own place in the order of focus", e);
  for (const e of all("button, a[href], input, select")) if (e.tabIndex < 0 && shown(e)) fault("out of the keyboard's reach", e);
  for (const e of all("[aria-hidden=true]")) if (e.querySelector("a[href], button, input, [tabindex='0']")) fault("hidden, but with focus", e);

  if (all("main, [role=main]").length !== 1) faults.push("not one main part");
  if (all("h1").length !== 1) faults.push("not one first heading");
  if (!document.documentElement.lang) faults.push("no language");
  if (!document.title.trim()) faults.push("no title");
  let level = 0;
  for (const h of all("h1, h2, h3, h4, h5, h6").filter(shown)) {
    if (+h.tagName[1] > level + 1) fault("a level of headings is left out", h);
    level = +h.tagName[1];
  }
  const ids = all("[id]").map((e) => e.id);
  for (const id of ids.filter((x, i) => ids.indexOf(x) !== i)) faults.push("twice the id " + id);
  for (const attribute of ["aria-controls", "aria-labelledby", "aria-describedby", "for"]) {
    for (const e of all(`[${attribute}]`)) for (const id of e.getAttribute(attribute).split(" ")) if (!document.getElementById(id)) fault("refers to nothing by " + attribute, e);
  }
  for (const e of all("[role=tab]")) {
    if (!e.closest("[role=tablist]")) fault("a tab without a list", e);
    if (!e.hasAttribute("aria-selected")) fault("a tab that does not say whether it is selected", e);
  }
  for (const e of all("th")) if (!e.scope) fault("a head without a scope", e);
  for (const e of all("*")) {
    if (!shown(e) || !/(auto|scroll)/.test(getComputedStyle(e).overflow) || e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth + 1) continue;
    if (e !== document.documentElement && e !== document.body && e.tabIndex < 0 && !e.querySelector("a[href], button, input, select, [tabindex='0']")) fault("scrolls, but not by keys", e);
  }

  // Contrast.
  const parts = (text) => { const n = (text.match(/[\d.]+/g) || []).map(Number); return [n[0] || 0, n[1] || 0, n[2] || 0, n.length > 3 ? n[3] : n.length === 3 ? 1 : 0]; };
  const over = (a, b) => a.slice(0, 3).map((v, i) => v * a[3] + b[i] * (1 - a[3])).concat([1]);
  const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (e) => {
    const layers = [];
    for (let x = e; x; x = x.parentElement) {
      const c = parts(getComputedStyle(x).backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    return layers.reverse().reduce((under, c) => over(c, under), getComputedStyle(document.documentElement).colorScheme === "dark" ? [0, 0, 0, 1] : [255, 255, 255, 1]);
  };
  const seen = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || !shown(e) || e.closest("script, style, template, :disabled")) continue;
    const style = getComputedStyle(e), svg = e.closest("svg");
    let back = behind(svg || e);
    if (svg) {
      const box = e.closest("g") && e.closest("g").querySelector("rect");
      if (box) { const fill = parts(getComputedStyle(box).fill); if (fill[3] > 0) back = over(fill, back); }
    }
    const front = over(parts(svg ? style.fill : style.color), back);
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05), size = parseFloat(style.fontSize);
    const least = size >= 24 || size >= 18.66 && +style.fontWeight >= 700 ? 3 : 4.5;
    const key = called(e) + style.color + back.join();
    if (ratio < least && !seen.has(key)) {
      seen.add(key);
      fault(`contrast ${ratio.toFixed(2)}, should be ${least}`, e);
    }
  }
  return faults.join("\n");
})()
