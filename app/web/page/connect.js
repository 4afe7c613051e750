// The session on the server: what it is, kept up to date, and what can be asked of it.

export const state = {
  session: { loaded: false },
  components: [],
  counterexample: {},
  specification: {},
  sources: [],
  marks: [],
  run: {},
  threads: {},
  busy: {},
  moments: [],
  branches: [],
  counters: [],
  processes: {},
  log: [],
  revision: 0,
};

// Apply changes what an update says, and gives the names of the parts that are others now.
function apply(update) {
  const changed = new Set();
  for (const [name, value] of Object.entries(update)) {
    if (name === "schema") continue;
    if (name === "revision") {
      state.revision = value;
      continue;
    }
    changed.add(name);
    if (name === "moments" || name === "log") {
      state[name] = state[name].slice(0, value.from).concat(value.items || []);
    } else {
      state[name] = value || [];
    }
  }
  return changed;
}

// Follow calls changed with the names of parts whenever something is another one, and lost when the server is gone.
export function follow(changed, lost) {
  const events = new EventSource("api/updates");
  events.onmessage = (e) => changed(apply(JSON.parse(e.data)));
  events.onerror = () => lost(events.readyState === EventSource.CLOSED);
}

// Act gives a command; the answer says whether it was begun.
export async function act(line) {
  return post("api/do", { line });
}

export async function stop() {
  return post("api/stop", {});
}

async function post(path, message) {
  try {
    const r = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message),
    });
    return r.headers.get("Content-Type").startsWith("application/json")
      ? await r.json()
      : { error: await r.text() };
  } catch {
    return { error: "magus does not answer: was the shell left?" };
  }
}

// Script is a script that leads to the present moment.
export async function script() {
  return (await fetch("api/script")).text();
}

// Picture is a drawing, or {error}.
export async function picture(query) {
  try {
    const r = await fetch("api/picture?" + new URLSearchParams(query));
    return await r.json();
  } catch {
    return { error: "magus does not answer" };
  }
}
