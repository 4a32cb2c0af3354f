// @ts-check
/** The secret of a link stands behind the #, where no server sees it: post it once and forget it. */

const secret = location.hash.slice(1);
const form = /** @type {HTMLFormElement} */ (document.getElementById("join"));

if (secret) {
  history.replaceState(null, "", location.pathname);
  /** @type {HTMLInputElement} */ (form.elements.namedItem("code")).value = secret;
  /** @type {HTMLElement} */ (document.querySelector("[data-joining]")).hidden = false;
  form.hidden = true;
  form.submit();
}
