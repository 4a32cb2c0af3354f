// @ts-check
/** The screen stays on while a session is open. Only a secure connection may ask for that. */

const stayAwake = () => navigator.wakeLock?.request("screen").catch(() => {});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) stayAwake();
});
stayAwake();
