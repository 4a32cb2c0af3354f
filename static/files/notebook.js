// @ts-check
/** An answer about an old table is sent as soon as it is given, and the page stays where it is. */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
/** @type {XMLHttpRequest | undefined} */
let asking;

/** How far each table is scrolled sideways, by its name. */
const scrolled = () => new Map([.../** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll("[data-scroll]"))].map((table) => [table.dataset.scroll, table.scrollLeft]));

/** Send what is answered so far, and show the page that comes back. @param {HTMLFormElement} form @param {FormData} answers */
function ask(form, answers) {
  if (!answers.has("action")) answers.set("action", "look");
  asking?.abort();
  const question = asking = new XMLHttpRequest();
  question.open("POST", form.getAttribute("action") ?? ""); // a button is called action, too
  question.responseType = "document"; // the policy lets no text become a document otherwise
  question.onload = () => {
    const page = question.responseXML?.getElementById("main");
    if (page?.querySelector("[data-answers]")) show(page);
    else form.submit();
  };
  question.onerror = () => form.submit();
  question.send(answers);
}

/** @param {Element} page */
function show(page) {
  const focused = document.activeElement?.id, before = scrolled(), { scrollY } = window;
  main.replaceChildren(...page.childNodes);
  for (const table of /** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll("[data-scroll]"))) {
    table.scrollLeft = before.get(table.dataset.scroll) ?? 0;
  }
  scrollTo({ top: scrollY, behavior: "instant" });
  (document.getElementById(focused || "main") ?? main).focus({ preventScroll: true });
}

main.addEventListener("change", ({ target }) => {
  const form = /** @type {HTMLElement} */ (target).closest("form");
  if (form && "answers" in form.dataset) ask(form, new FormData(form));
});

main.addEventListener("submit", (event) => {
  const { submitter } = /** @type {SubmitEvent} */ (event), form = /** @type {HTMLFormElement} */ (event.target);
  if (!submitter || !("stays" in submitter.dataset)) return;
  event.preventDefault();
  ask(form, new FormData(form, submitter));
});
