// @ts-check
/**
 * The service worker: what was opened on this phone opens without a network too.
 *
 * The server says in a header which pages may be kept, and puts a line before this file that names
 * the version of the static files. It is small on purpose: nothing is kept in memory, and every
 * version of it can work with what another one has kept.
 */

/** @typedef {{request: Request, respondWith: (reply: Promise<Response>) => void, waitUntil: (work: Promise<unknown>) => void}} FetchEvent */

const scope = /** @type {any} */ (self);
const { version, files } = /** @type {{version: string, files: string[]}} */ (scope.scorer);

const PAGES = "pages", STATIC = "static-";
/** What the server says of an answer: `page` may be kept; `again` too, once what was just said is gone. */
const KEEP = "Scorer-Keep";
const WHEN = "Scorer-Kept", OF = "Scorer-Static";
/** Where the app is: it may be mounted below a path. */
const ROOT = new URL("./", location.href).pathname;
const AWAY = `${ROOT}offline`, FIRST = [AWAY, ROOT, `${ROOT}rules/`];
const LEAVES = /\/circles\/[^/]+\/(leave|delete)$/;
/** Stands with the static files of a version once all of them are there. @param {string} of */
const WHOLE = (of) => `${ROOT}static/${of}/whole`;
/** What home lists: circles and sessions. */
const LISTED = /\/circles\/[^/]+\/(sessions\/[^/]+\/)?$/;
const PATIENCE = 3_000;
/** Pages that other pages name are fetched again when they are so old. */
const OLD = 5 * 60_000;
const MOST = 80;

const pages = () => caches.open(PAGES);
/** @param {Response} reply */
const isPage = (reply) => (reply.headers.get("Content-Type") ?? "").startsWith("text/html");
/** @param {string} path */
const circleOf = (path) => /^.*\/circles\/[^/]+\//.exec(path)?.[0];

async function install() {
  const cache = await caches.open(STATIC + version);
  for (const name of files) {
    const address = `${ROOT}static/${version}/${name}`, reply = await fetch(address);
    if (!isOf(reply, version)) throw new Error(`${address} is another version`);
    await cache.put(address, reply);
  }
  await cache.put(WHOLE(version), new Response());
  await Promise.all(FIRST.map(refresh));
  await scope.skipWaiting();
}

/** Drop the static files that no page needs; those before stay for pages that are open, which are kept anew. */
async function tidy() {
  const named = new Set([version]), all = (await caches.keys()).filter((name) => name.startsWith(STATIC));
  for (const reply of await (await pages()).matchAll()) named.add(reply.headers.get(OF) ?? "");
  const gone = all.slice(0, -2).filter((name) => !named.has(name.slice(STATIC.length)));
  await Promise.all(gone.map((name) => caches.delete(name)));
  await scope.clients.claim();
  for (const { url } of await scope.clients.matchAll()) await refresh(new URL(url).pathname);
}

/** Take in a page that was on its way when the worker came. @param {{source: {url: string}}} event */
async function adopt({ source }) {
  await scope.clients.claim();
  await refresh(new URL(source.url).pathname);
}

/** Whether a static file is of that version: a newer server answers to older addresses too. @param {Response} reply @param {string} of */
const isOf = (reply, of) => reply.ok && (reply.headers.get("ETag") ?? "").includes(of);

/** A static file: its address never means anything else. @param {FetchEvent} event @param {URL} url */
async function ofStatic(event, url) {
  const kept = await caches.match(url.pathname);
  if (kept) return kept;
  const reply = await fetch(event.request), [, of] = url.pathname.slice(ROOT.length).split("/");
  if (of === version && isOf(reply, of)) {
    const copy = reply.clone();
    event.waitUntil(caches.open(STATIC + of).then((cache) => cache.put(url.pathname, copy)));
  }
  return reply;
}

/** What a page is without the secrets of its forms. @param {string} html */
const plain = (html) => html.replace(/(name="csrf_token"[^>]* value=")[^"]*/g, "$1");

/** Keep a page or a chart, and what the page names. @param {string} path with its query @param {Response} reply */
async function store(path, reply) {
  const cache = await pages(), before = await cache.match(path);
  const body = isPage(reply) ? plain(await reply.text()) : await reply.text(), headers = new Headers(reply.headers);
  for (const name of ["Vary", "Content-Encoding", "Content-Length", KEEP]) headers.delete(name);
  headers.set(WHEN, new Date().toISOString());
  const of = /\/static\/(\w+)\//.exec(body)?.[1] ?? "";
  if (of && !await caches.match(WHOLE(of))) return; // the worker of that version will keep it
  headers.set(OF, of);
  const stands = /data-version="(\d+)"/.exec(body)?.[1] ?? "";
  headers.set("Scorer-Stands", stands);
  if (path.includes("?version=")) await cache.delete(path, { ignoreSearch: true });
  await cache.put(path, new Response(body, { headers }));
  const others = (await cache.keys()).filter(({ url }) => !FIRST.includes(new URL(url).pathname));
  for (const key of others.slice(0, -MOST)) await cache.delete(key);
  if (!before && LISTED.test(path)) await refresh(ROOT);
  await keepNamed(body, before?.headers.get("Scorer-Stands") === stands);
}

/** Keep the pages that a page names, unless they are there and nothing has changed. @param {string} body @param {boolean} same */
async function keepNamed(body, same) {
  const cache = await pages();
  for (const [tag] of body.matchAll(/<a [^>]*data-keep[^>]*>/g)) {
    const path = /href="([^"#]*)"/.exec(tag)?.[1] ?? "", kept = await cache.match(path);
    const age = Date.now() - Date.parse(kept?.headers.get(WHEN) ?? "1970-01-01");
    if (path && (age > OLD || !same && /\/(record|ahead)\b/.test(path))) await refresh(path);
  }
  for (const [, named] of body.matchAll(/<img src="([^"]*\/chart\.svg\?[^"]*)"/g)) await keepChart(cache, named.replaceAll("&amp;", "&"));
}

/** Keep a chart that was not looked at yet; one of the same version in other colours will do. @param {Cache} cache @param {string} path */
async function keepChart(cache, path) {
  const [version] = /version=\d+&/.exec(path) ?? [""];
  const kept = await cache.keys(path, { ignoreSearch: true });
  if (!kept.some(({ url }) => url.includes(version))) await refresh(path);
}

/** Fetch a page to keep it; a network that is away changes nothing. @param {string} path */
async function refresh(path) {
  const reply = await fetch(path, { headers: { Accept: "text/html" } }).catch(() => undefined);
  if (reply?.headers.get(KEEP) && !reply.redirected) await store(path, reply);
}

/** Learn from an answer what may be kept, and what may not any more. @param {URL} url @param {Response} reply a copy */
async function learn({ pathname, search }, reply) {
  const keep = reply.headers.get(KEEP), circle = circleOf(pathname);
  if (keep === "again") await refresh(pathname);
  else if (keep && (!search || !isPage(reply))) await store(pathname + search, reply);
  if (![403, 404, 410].includes(reply.status)) return;
  await (await pages()).delete(pathname);
  const token = circle && reply.status === 404 ? await fetch(`${circle}token`).catch(() => undefined) : undefined;
  if (circle && token?.status === 404) await forget(circle);
}

/** Keep nothing of a circle any more. @param {string} circle its path */
async function forget(circle) {
  const cache = await pages();
  for (const key of await cache.keys()) if (new URL(key.url).pathname.startsWith(circle)) await cache.delete(key);
  await cache.delete(ROOT);
}

/** A page as it was kept, which says when; keys of new things are new each time. @param {Response} kept */
async function asKept(kept) {
  const when = kept.headers.get(WHEN) ?? "";
  const html = (await kept.text()).replace("<html ", `<html data-kept="${when}" `)
    .replace(/(<input[^>]*data-new[^>]* value=")[^"]*/g, (_, start) => start + crypto.randomUUID());
  return new Response(html, { headers: kept.headers });
}

/** The page for an address of a shortcut: the newest that is kept. @param {string} path */
async function newest(path) {
  const keys = (await (await pages()).keys()).map(({ url }) => new URL(url).pathname);
  const wanted = path.endsWith("/record") ? /\/sessions\/[^/]+\/record$/ : /\/sessions\/[^/]+\/$/;
  return keys.findLast((key) => wanted.test(key)) ?? ROOT;
}

/** A page as it was kept; a deal that was not is put right by the record form, which starts a deal too. @param {URL} url */
async function keptPage({ pathname, search }) {
  const cache = await pages(), [, session] = /^(.*\/sessions\/[^/]+\/)deals\/\d+\/(?:amend)?$/.exec(pathname) ?? [];
  const form = session && await cache.match(`${session}ahead`) ? `${session}record` : pathname;
  const kept = await cache.match(pathname + search) ?? (form.endsWith("/record") ? await cache.match(form, { ignoreSearch: true }) : undefined);
  return kept ? asKept(kept) : undefined;
}

/** A page: from the server, or as it was kept where that takes long or fails. @param {FetchEvent} event @param {URL} url */
async function page(event, url) {
  const asked = fetch(event.request);
  event.waitUntil(asked.then((reply) => learn(url, reply.clone())).catch(() => {}));
  const slow = new Promise((resolve) => { setTimeout(resolve, PATIENCE); });
  const sound = asked.then((reply) => [502, 503, 504].includes(reply.status) ? undefined : reply, () => undefined);
  const reply = await Promise.race([sound, slow]);
  if (reply) return /** @type {Response} */ (reply);
  const kept = url.pathname.startsWith(`${ROOT}tonight`) ? Response.redirect(await newest(url.pathname)) : await keptPage(url);
  return kept ?? asked.catch(away);
}

/** What is said where nothing is kept, or a form could not be sent. */
async function away() {
  const kept = await (await pages()).match(AWAY);
  return kept ? asKept(kept) : Response.error();
}

/** A form: always to the server. Whoever leaves a circle keeps nothing of it. @param {FetchEvent} event @param {URL} url */
async function sent(event, url) {
  const reply = await fetch(event.request).catch(away), circle = circleOf(url.pathname);
  if (circle && reply.type === "opaqueredirect" && LEAVES.test(url.pathname)) await forget(circle);
  return reply;
}

/** A chart, what a phone goes on by, or a page that takes in what changed: from the server, and kept; all but a page as it was, too. @param {FetchEvent} event @param {URL} url */
async function part(event, url) {
  const reply = await fetch(event.request).catch(() => undefined);
  if (reply) event.waitUntil(learn(url, reply.clone()).catch(() => {}));
  const may = event.request.destination === "image" || url.pathname.endsWith("/ahead");
  if (reply || !may) return reply ?? Response.error();
  const cache = await pages();
  return await cache.match(url.pathname + url.search) ?? await cache.match(url.pathname, { ignoreSearch: true }) ?? Response.error();
}

/** @param {Request} request */
const isPart = ({ destination, headers }) => destination === "image" || destination === "" && headers.get("Accept") === "*/*";

scope.addEventListener("install", (/** @type {FetchEvent} */ event) => event.waitUntil(install()));
scope.addEventListener("activate", (/** @type {FetchEvent} */ event) => event.waitUntil(tidy()));
scope.addEventListener("message", (/** @type {FetchEvent & {source: {url: string}}} */ event) => event.waitUntil(adopt(event)));
scope.addEventListener("fetch", (/** @type {FetchEvent} */ event) => {
  const { request } = event, url = new URL(request.url), reads = request.method === "GET";
  if (url.origin !== location.origin) return;
  if (reads && url.pathname.startsWith(`${ROOT}static/`)) event.respondWith(ofStatic(event, url));
  else if (reads && request.mode === "navigate") event.respondWith(page(event, url));
  else if (!reads && (request.mode === "navigate" || LEAVES.test(url.pathname))) event.respondWith(sent(event, url));
  else if (reads && isPart(request)) event.respondWith(part(event, url));
});
