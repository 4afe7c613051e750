"use strict";
(() => {
  const all = (of, what) => Array.from(of.querySelectorAll(what));
  const root = document.documentElement;
  root.classList.add("script");

  const theme = document.getElementById("theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  // Phases: one of each claim is shown.
  const claims = all(document, ".claim");
  let current = claims.find((c) => +c.dataset.count > 0) || claims[0];
  const state = new Map(claims.map((c) => [c, { phase: +c.dataset.count - 1, step: 0 }]));

  function show(claim, index) {
    const phases = all(claim, ".phase");
    if (phases.length === 0) return;
    index = Math.max(0, Math.min(phases.length - 1, index));
    state.get(claim).phase = index;
    current = claim;
    phases.forEach((t, i) => t.classList.toggle("gone", i !== index));
    const number = +phases[index].dataset.phase;
    const at = (spans) => spans.split(" ").map((span) => span.split("-").map(Number)).find(([from, to = from]) => from <= number && number <= to);
    for (const e of all(claim, ".figure .fresh")) e.classList.remove("fresh");
    for (const e of all(claim, ".figure [data-phases]")) {
      const here = at(e.dataset.phases);
      e.classList.toggle("gone", !here);
      if (here && here[0] === number && number > 1) (e.closest(".node") || e).classList.add("fresh");
    }
    for (const e of all(claim, ".figure [data-hot]")) e.classList.toggle("hot", !!at(e.dataset.hot));
    for (const figure of all(claim, ".figure")) {
      figure.classList.toggle("gone", all(figure, ".sheet").every((s) => s.classList.contains("gone")));
    }
    all(claim, ".sheet:not(.gone)").forEach(aim);
    claim.querySelector(".scrubber input").value = index + 1;
    claim.querySelector(".scrubber output").textContent = "phase " + number + " of " + phases[phases.length - 1].dataset.phase;
  }

  // Of a large drawing a part is seen in which something is drawn.
  function aim(sheet) {
    const window = sheet.getBoundingClientRect();
    const shown = all(sheet, ".node:not(.gone)").map((n) => [n, n.getBoundingClientRect()]);
    if (window.width === 0 || shown.length === 0) return;
    if (shown.some(([, r]) => r.left < window.right && r.right > window.left && r.top < window.bottom && r.bottom > window.top)) return;
    const [, first] = shown.find(([n]) => n.querySelector(".start")) || shown[0];
    sheet.scrollLeft += first.left - window.left - window.width / 3;
    sheet.scrollTop += first.top - window.top - 40;
  }

  function remember() {
    const s = state.get(current);
    const phase = all(current, ".phase")[s.phase];
    const words = ["claim=" + current.dataset.claim];
    if (phase) words.push("phase=" + phase.dataset.phase);
    if (s.step) words.push("step=" + s.step);
    history.replaceState(null, "", "#" + words.join("&"));
  }

  function move(claim, index) {
    show(claim, index);
    remember();
  }

  for (const claim of claims) {
    const bar = claim.querySelector(".scrubber");
    if (!bar) continue;
    const now = () => state.get(claim).phase;
    bar.querySelector(".first").addEventListener("click", () => move(claim, 0));
    bar.querySelector(".back").addEventListener("click", () => move(claim, now() - 1));
    bar.querySelector(".on").addEventListener("click", () => move(claim, now() + 1));
    bar.querySelector(".last").addEventListener("click", () => move(claim, Infinity));
    bar.querySelector("input").addEventListener("input", (e) => move(claim, +e.target.value - 1));
    show(claim, now());
  }
  current = claims.find((c) => +c.dataset.count > 0) || claims[0];

  document.addEventListener("keydown", (e) => {
    if (!current || e.altKey || e.ctrlKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    if (e.target.closest && e.target.closest(".scroll")) return; // which the keys scroll
    const now = state.get(current).phase;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: Infinity }[e.key];
    if (to === undefined || +current.dataset.count === 0) return;
    e.preventDefault();
    move(current, to);
  });

  // One selection, of a place in the source, everywhere.
  function pick(at) {
    for (const e of all(document, ".picked")) e.classList.remove("picked");
    if (!at) return;
    const line = at.slice(at.lastIndexOf(":") + 1);
    for (const e of all(document, "[data-at]")) if (e.dataset.at === at) e.classList.add("picked");
    for (const e of all(document, "svg [data-line]")) if (e.dataset.line === line) e.classList.add("picked");
  }

  function reveal(at) {
    const row = all(document, ".lines tr").find((r) => r.dataset.at === at);
    if (row) row.scrollIntoView({ block: "center" });
  }

  document.addEventListener("click", (e) => {
    const node = e.target.closest("svg [data-line]");
    if (node && node.dataset.line) {
      const row = all(document, ".lines tr").find((r) => r.dataset.at.endsWith(":" + node.dataset.line));
      pick(row ? row.dataset.at : ":" + node.dataset.line);
      return;
    }
    const place = e.target.closest("[data-at]");
    if (!place || !place.dataset.at) return;
    pick(place.dataset.at);
    if (place.classList.contains("at")) {
      e.preventDefault();
      reveal(place.dataset.at);
    }
    const claim = place.closest(".claim");
    if (claim && place.dataset.step) {
      current = claim;
      state.get(claim).step = +place.dataset.step;
      remember();
    }
  });

  for (const box of all(document, ".faint-too")) {
    box.addEventListener("change", () => box.closest(".claim").querySelector(".chart").classList.toggle("all", box.checked));
  }

  // The address says what is shown.
  function follow() {
    const words = new URLSearchParams(location.hash.slice(1));
    const claim = claims.find((c) => c.dataset.claim === words.get("claim"));
    if (!claim) return;
    current = claim;
    const index = all(claim, ".phase").findIndex((t) => t.dataset.phase === (words.get("phase") || words.get("turn")));
    if (index >= 0) show(claim, index);
    const row = words.has("step") && claim.querySelector('[data-step="' + Number(words.get("step")) + '"]');
    if (row) {
      state.get(claim).step = +row.dataset.step;
      pick(row.dataset.at);
      row.scrollIntoView({ block: "center" });
    }
  }
  window.addEventListener("hashchange", follow);
  follow();
})();
