// @ts-check
/** How old something is, in words: now, minutes ago, the time of day, or the day too. */

const MINUTE = 60_000, HOUR = 60, WEEK = 7 * 24 * HOUR;

/** @param {Date} then @param {Date} now @param {string} language */
export function ageOf(then, now, language) {
  const minutes = Math.max(0, Math.floor((now.getTime() - then.getTime()) / MINUTE));
  if (minutes < HOUR) return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-minutes, minutes ? "minute" : "second");
  /** @type {Intl.DateTimeFormatOptions} */
  const day = then.toDateString() === now.toDateString() ? {} : minutes < WEEK ? { weekday: "long" } : { day: "numeric", month: "long" };
  return new Intl.DateTimeFormat(language, { ...day, hour: "2-digit", minute: "2-digit" }).format(then);
}
