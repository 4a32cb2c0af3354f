// @ts-check
/** Send what is done here, at once or from the queue of a circle in order, and say what became of it. */
import { made } from "./page.js";
import { drop, keep, waiting, waitingOf } from "./queue.js";

/** @typedef {import("./queue.js").Act} Act */
/** @typedef {{ok?: boolean, next?: string, paid?: Record<string, number>, problems?: Problem[]}} Said */
/** @typedef {{field: string, message: string}} Problem */
/**
 * @typedef {object} Became
 * @property {"done" | "refused" | "kept" | "lost" | "plainly"} became plainly: only a page can tell; lost: neither sent nor kept
 * @property {string} [next] the page that follows
 * @property {Problem[]} [problems]
 * @property {boolean} [full] whether there was no room to keep it
 */
/** @typedef {"" | "away" | "gone" | "watching"} Trouble why nothing was sent: no network, no phone of the circle, no pen */

const GIVE_UP = 20_000;

/** The keys of what a form of this page is sending itself. @type {Set<string>} */
const inHand = new Set();

/** The keys of what went from the queue while this page was open. @type {Set<string>} */
export const delivered = new Set();

/** @param {string} circle @returns {Promise<{token?: string, trouble: Trouble}>} */
export async function freshToken(circle) {
  const options = { signal: AbortSignal.timeout(GIVE_UP), headers: { Accept: "application/json" } };
  const reply = await fetch(new URL(`../../../circles/${circle}/token`, import.meta.url), options).catch(() => undefined);
  if (reply?.status === 404 || reply?.status === 401) return { trouble: "gone" };
  const said = reply?.ok ? await reply.json().catch(() => undefined) : undefined;
  return said ? { token: said.csrf_token, trouble: "" } : { trouble: "away" };
}

/**
 * Send an act; throw where the network is away.
 * @param {Act} act @param {string} token
 */
function post(act, token) {
  const body = new FormData();
  for (const [name, value] of act.body) body.append(name, value);
  body.set("csrf_token", token);
  return fetch(act.action, { method: "POST", body, headers: { Accept: "application/json" }, signal: AbortSignal.timeout(GIVE_UP) });
}

/** @param {Response} reply @returns {Promise<Said>} */
const saidIn = (reply) => reply.json().catch(() => ({}));

/** Note what the server said to an act that is kept; say whether the next one may go. @param {Act} act @param {Response} reply @param {Said} said @returns {Promise<Trouble | "stuck">} */
async function note(act, reply, said) {
  const { paid = {} } = said, { foretold } = act;
  if (reply.ok) delivered.add(act.key);
  if (reply.ok && said.ok && foretold && Object.keys(paid).some((seat) => paid[seat] !== foretold[seat])) {
    await keep({ ...act, state: "differs", said: JSON.stringify(paid) });
  } else if (reply.ok) await drop(act);
  else if (reply.status === 409) await keep({ ...act, state: "conflict" });
  else if (reply.status === 403) return "watching";
  else if ([401, 408, 429].includes(reply.status) || reply.status >= 500) return "away";
  else {
    const problems = (said.problems ?? []).map(({ message }) => message);
    await keep({ ...act, state: "refused", said: problems.join(" ") });
  }
  return reply.ok ? "" : "stuck";
}

/**
 * Send what waits; of a session nothing goes past what is in doubt.
 * @param {string} circle
 * @returns {Promise<Trouble>}
 */
async function send(circle) {
  const { token = "", trouble } = await freshToken(circle);
  if (trouble) return trouble;
  const stuck = new Set();
  for (const act of await waiting(circle)) {
    if (act.state === "conflict" || act.state === "refused" || inHand.has(act.key)) stuck.add(act.session);
    if (act.state || stuck.has(act.session)) continue;
    const reply = await post(act, token).catch(() => undefined);
    const became = reply ? await note(act, reply, await saidIn(reply)) : "away";
    if (became === "stuck") stuck.add(act.session);
    else if (became) return became;
  }
  return "";
}

/** @type {Promise<Trouble> | undefined} */
let sending;

/** Send what waits, once at a time. @param {string} circle */
export function deliver(circle) {
  sending ??= send(circle).finally(() => { sending = undefined; });
  return sending;
}

/** Keep an act until the server has said yes, and send it, behind what waits of its session. @param {Act} act @param {HTMLFormElement} form @returns {Promise<Became>} */
export async function sendOrKeep(act, form) {
  const waits = (await waitingOf(act.circle, act.session, act.id)).length > 0;
  if (!waits) inHand.add(act.key);
  let full = false;
  try {
    const id = await keep(act).catch((error) => { full = error?.name === "QuotaExceededError"; });
    if (!waits) return { full, ...await sendNow({ ...act, id: id ?? undefined }, form) };
    if (!id) return { became: "lost", full };
    await deliver(act.circle);
    const left = await waitingOf(act.circle, act.session);
    return { became: left.some((one) => one.id === id) ? "kept" : "done" };
  } finally {
    inHand.delete(act.key);
  }
}

/** @param {Act} act @param {HTMLFormElement} form @returns {Promise<Became>} */
async function sendNow(act, form) {
  const field = /** @type {HTMLInputElement} */ (form.querySelector("[name=csrf_token]"));
  field.value ||= (await freshToken(act.circle)).token ?? ""; // on a page that was kept it has none until it asks
  const reply = field.value ? await post(act, field.value).catch(() => undefined) : undefined;
  if (!reply) return { became: act.id ? "kept" : "lost" };
  const said = await saidIn(reply), done = reply.ok && said.ok;
  if (done || (reply.status === 422 && said.problems)) {
    await drop(act).catch(() => {});
    return done ? { became: "done", next: said.next } : { became: "refused", problems: said.problems };
  }
  if (act.id) await note(act, reply, said);
  return { became: "plainly" };
}

/** Let a page answer an act. @param {Act} act @param {string} token */
export function sendPlainly(act, token) {
  const inputs = [...act.body, ["csrf_token", token]].map(([name, value]) => made("input", { type: "hidden", name, value }));
  const form = /** @type {HTMLFormElement} */ (made("form", { method: "post", action: act.action }, inputs));
  document.body.append(form);
  form.submit();
}
