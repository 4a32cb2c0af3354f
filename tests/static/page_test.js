import assert from "node:assert/strict";
import "./browser.js";
import { unlessLeaving } from "../../static/base/page.js";

Deno.test("a script leads on, unless somebody is on the way to another page and has tapped nothing since", () => {
  const led = [];
  for (const event of ["pageshow", "beforeunload", "click"]) {
    dispatchEvent(new Event(event));
    unlessLeaving(() => led.push(event));
  }

  assert.deepEqual(led, ["pageshow", "click"]);
});
