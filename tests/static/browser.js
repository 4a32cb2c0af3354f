/** What the scripts ask of a browser, as far as their tests need it: a database, a document, a network. */

class Changed extends EventTarget {
  postMessage() {
    this.dispatchEvent(new Event("message"));
  }
}

/** An object store whose keys count up, and how it fails: `away` opens no database, `full` takes nothing in. */
export const disk = { rows: new Map(), next: 1, away: false, full: false };

const store = {
  getAll: () => [...disk.rows].sort(([one], [other]) => one - other).map(([, row]) => structuredClone(row)),
  put(row) {
    if (disk.full) throw new DOMException("no room", "QuotaExceededError");
    const id = row.id ?? disk.next++;
    disk.rows.set(id, structuredClone({ ...row, id }));
    return id;
  },
  delete: (id) => void disk.rows.delete(id),
  clear: () => disk.rows.clear(),
};

const asked = (answer) => ({ result: answer });
const database = {
  close: () => {},
  transaction() {
    const transaction = {
      objectStore: () => Object.fromEntries(Object.entries(store).map(([name, work]) => [name, (value) => asked(work(value))])),
    };
    queueMicrotask(() => transaction.oncomplete?.());
    return transaction;
  },
};

const indexedDB = {
  open() {
    const request = { result: database, error: new DOMException("no databases here", "SecurityError") };
    queueMicrotask(() => disk.away ? request.onerror() : request.onsuccess());
    return request;
  },
};

/** A form's data are its answers. */
class FormData extends globalThis.FormData {
  constructor(form) {
    super();
    for (const [name, value] of form?.answers ?? []) this.append(name, value);
  }
}

/** A form as the scripts see it. @param {[string, string][]} answers @param {object} more its attributes, and what it holds */
export function form(answers, { action = "", dataset = {}, fields = {} } = {}) {
  const inputs = Object.fromEntries(answers.map(([name], place) => [name, {
    get value() {
      return answers[place][1];
    },
    set value(typed) {
      answers[place][1] = typed;
    },
  }]));
  return {
    answers,
    dataset,
    getAttribute: () => action,
    querySelector: (selector) => inputs[/\[name=(\w+)\]/.exec(selector)?.[1]] ?? null,
    querySelectorAll: (selector) => fields[selector] ?? [],
  };
}

/** What was sent, and how the network answers: a function of each request, which throws where it is away. */
export const network = { sent: [], answer: () => json(200, {}) };

/** @param {number} status @param {object} body */
export const json = (status, body) => new Response(JSON.stringify(body), { status });

/** The requests that were no questions for a token. */
export const posted = () => network.sent.filter(({ path }) => !path.endsWith("/token"));

/** Let a server give tokens, and answer what is sent to it. @param {(request: {path: string, body: object}) => Response} answer */
export function serve(answer) {
  network.sent = [];
  network.answer = (request) => request.path.endsWith("/token") ? json(200, { csrf_token: "fresh" }) : answer(request);
}

export function begin() {
  Object.assign(disk, { rows: new Map(), next: 1, away: false, full: false });
  serve(() => json(200, { ok: true }));
}

Object.assign(globalThis, {
  FormData,
  indexedDB,
  BroadcastChannel: Changed,
  document: Object.assign(new EventTarget(), { documentElement: { lang: "en", dataset: {} }, querySelector: () => null, querySelectorAll: () => [] }),
  location: { protocol: "http:", pathname: "/", reload: () => {} },
  HTMLInputElement: class {},
  async fetch(address, { body } = {}) {
    const request = { path: String(address), body: Object.fromEntries(body ?? []) };
    network.sent.push(request);
    return await network.answer(request);
  },
});
