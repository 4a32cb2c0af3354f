// @ts-check
/**
 * What was written down on this phone and is not on the server yet: kept by the browser, so that it
 * outlives the page. Each act goes with its key, so that one sent twice is written once.
 */

/**
 * @typedef {object} Act
 * @property {number} [id] its place in the queue
 * @property {string} circle
 * @property {string} session
 * @property {string} kind record, start, amend, or what else is done to a deal
 * @property {string} action where it is sent
 * @property {string} key
 * @property {number} number of the deal
 * @property {string} title
 * @property {[string, string][]} body
 * @property {[string, string][]} facts what was answered, in words
 * @property {Record<string, string>} names the people, by seat
 * @property {Record<string, number> | null} foretold what this phone says it pays, by seat
 * @property {"" | "conflict" | "refused" | "differs"} state
 * @property {string} said why it was refused, or what the server says instead
 */

const STORE = "acts";
const changes = new BroadcastChannel("unsent");

/** @returns {Promise<IDBDatabase>} */
const opened = () => new Promise((resolve, reject) => {
  const request = indexedDB.open("scorer", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id", autoIncrement: true });
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} work
 * @returns {Promise<T>} when it is on the disk
 */
async function done(mode, work) {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

const tell = () => {
  changes.postMessage("");
  document.dispatchEvent(new Event("unsent"));
};

/** Hear of it when the queue changes, here or on another page. @param {() => void} then */
export function whenChanged(then) {
  changes.addEventListener("message", then);
  document.addEventListener("unsent", then);
}

/** What waits, of all circles, in its order; nothing where the browser keeps nothing. @returns {Promise<Act[]>} */
export const everyAct = () => done("readonly", (store) => store.getAll()).catch(() => []);

/** The mark of the installed app: how much waits, of all circles. */
export async function markApp() {
  const unsent = (await everyAct()).filter(({ state }) => state !== "differs").length;
  await (unsent ? navigator.setAppBadge?.(unsent) : navigator.clearAppBadge?.())?.catch(() => {});
}

/** The acts of a circle in their order. @param {string} circle @returns {Promise<Act[]>} */
export const waiting = async (circle) => (await everyAct()).filter((act) => act.circle === circle);

/** Those of a session that are not on the server, without the one at this place. @param {string} circle @param {string} session @param {number} [but] @returns {Promise<Act[]>} */
export const waitingOf = async (circle, session, but) =>
  (await waiting(circle)).filter((act) => act.session === session && act.state !== "differs" && act.id !== but);

/** Put an act at the end, or back in its place; give its place. @param {Act} act @returns {Promise<number>} */
export async function keep(act) {
  const id = Number(await done("readwrite", (store) => store.put(act)));
  tell();
  return id;
}

/** @param {Act} act */
export async function drop({ id }) {
  await done("readwrite", (store) => store.delete(id ?? 0));
  tell();
}

/** The deals after one that got another number follow it. @param {Act} act @param {number} by */
export async function shift(act, by) {
  for (const later of await waiting(act.circle)) {
    if (!by || later.session !== act.session || later.kind !== "record" || (later.id ?? 0) <= (act.id ?? 0)) continue;
    const number = later.number + by;
    const body = /** @type {[string, string][]} */ (later.body.map(([name, value]) => [name, name === "number" ? String(number) : value]));
    await keep({ ...later, number, body, title: later.title.replace(String(later.number), String(number)) });
  }
}

/** Forget what a circle has not been sent. @param {string} circle */
export async function wipe(circle) {
  for (const act of await waiting(circle)) await drop(act);
}

/** Forget everything that this browser keeps: what waits, drafts, pages. */
export async function forgetAll() {
  await done("readwrite", (store) => store.clear()).catch(() => {});
  tell();
  sessionStorage.clear();
  localStorage.clear();
  for (const name of await globalThis.caches?.keys() ?? []) await caches.delete(name);
  for (const worker of await navigator.serviceWorker?.getRegistrations() ?? []) await worker.unregister();
}

/** A key as `crypto.randomUUID` makes it, which only a secure connection has. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = bytes[6] & 0x0f | 0x40;
  bytes[8] = bytes[8] & 0x3f | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** An amount with its sign: no plus where points are a burden, or only counted. @param {number} amount @param {boolean} [burden] */
export const signed = (amount, burden = document.body?.matches(".burden, .unsigned")) => `${amount > 0 && !burden ? "+" : amount < 0 ? "−" : ""}${Math.abs(amount)}`;

/** What everybody is paid. @param {Act} act @param {Record<string, number>} paid */
export const amounts = ({ names }, paid) =>
  Object.entries(paid).map(([seat, amount]) => `${names[seat] ?? seat} ${signed(amount)}`).join(" · ");

/** Why an act has not gone, or what the server pays instead. @param {DOMStringMap} words @param {Act} act */
export function why(words, act) {
  if (act.state !== "differs") return (act.state && words[act.state] || "") + (act.said && ` ${act.said}`);
  return (words.differs ?? "").replace("%s", amounts(act, JSON.parse(act.said)));
}

/** How much is not sent: a deal that was started and finished is one deal. @param {DOMStringMap} words @param {Act[]} acts */
function lineOf(words, acts) {
  const deals = new Set(acts.map(({ session, number }) => `${session} ${number}`)).size;
  const other = acts.some(({ kind }) => kind !== "record" && kind !== "start");
  const text = other ? words.acts : deals === 1 ? words.one : words.many;
  return (text ?? "").replace("#", String(other ? acts.length : deals));
}

/** @param {DOMStringMap} words @param {Act} act */
function questionOf(words, { kind, number, state }) {
  const text = state === "refused" ? words.notTaken : kind === "record" || kind === "start" ? words.twice : words.changed;
  return (text ?? "").replace("#", String(number));
}

/** The line of the panel, what it tells below, and what waits for an answer, but for the act (by its key) that this page asks of. @param {DOMStringMap} words @param {Act[]} acts @param {string} trouble @param {string} [settles] */
export function summaryOf(words, acts, trouble, settles) {
  const unsent = acts.filter(({ state }) => state !== "differs");
  const asks = acts.filter(({ key, state }) => (state === "conflict" || state === "refused") && key !== settles);
  if (asks.length) return { asks, line: questionOf(words, asks[0]), told: unsent.length > 1 ? lineOf(words, unsent) : "" };
  const doubt = acts.some(({ state }) => state === "conflict");
  return { asks, line: unsent.length ? lineOf(words, unsent) : words.otherwise ?? "", told: unsent.length && !doubt ? words[trouble || "away"] ?? "" : "" };
}
