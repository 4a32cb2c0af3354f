// @ts-check
/** Send on what waits in the queue of a circle, in order, and say what became of it. */
import { drop, keep, waiting } from "./queue.js";

/** @typedef {import("./queue.js").Act} Act */
/** @typedef {{ok?: boolean, next?: string, paid?: Record<string, number>, problems?: {message: string}[]}} Said */
/** @typedef {"" | "away" | "gone" | "watching"} Trouble why nothing was sent: no network, no phone of the circle, no pen */

export const GIVE_UP = 20_000;

/** The keys of what a form of this page is sending itself. @type {Set<string>} */
export const inHand = new Set();

/** @param {string} circle @returns {Promise<{token?: string, trouble: Trouble}>} */
export async function freshToken(circle) {
  const options = { signal: AbortSignal.timeout(GIVE_UP), headers: { Accept: "application/json" } };
  const reply = await fetch(`/circles/${circle}/token`, options).catch(() => undefined);
  if (reply?.status === 404 || reply?.status === 401) return { trouble: "gone" };
  const said = reply?.ok ? await reply.json().catch(() => undefined) : undefined;
  return said ? { token: said.csrf_token, trouble: "" } : { trouble: "away" };
}

/**
 * Send an act; throw where the network is away.
 * @param {Act} act @param {string} token
 */
export function post(act, token) {
  const body = new FormData();
  for (const [name, value] of act.body) body.append(name, value);
  body.set("csrf_token", token);
  return fetch(act.action, { method: "POST", body, headers: { Accept: "application/json" }, signal: AbortSignal.timeout(GIVE_UP) });
}

/** What the server pays and this phone didn't. @param {Act} act @param {Record<string, number> | undefined} paid */
const differs = ({ foretold }, paid) =>
  Boolean(foretold && paid && Object.keys(paid).some((seat) => paid[seat] !== foretold[seat]));

/** Note what the server said to an act; say whether the next one may go. @param {Act} act @param {Response} reply @returns {Promise<Trouble | "stuck">} */
async function note(act, reply) {
  const said = /** @type {Said} */ (await reply.json().catch(() => ({})));
  if (reply.ok && said.ok && differs(act, said.paid)) {
    await keep({ ...act, state: "differs", said: JSON.stringify(said.paid) });
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
    const became = reply ? await note(act, reply) : "away";
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
