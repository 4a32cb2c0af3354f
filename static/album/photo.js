// @ts-check
/** A photo is made smaller before it is sent, which leaves out where it was taken, and is shown as it will be sent. */

const SIDE = 1600;
const QUALITY = 0.85;

/** Draw what was chosen anew; what the browser can't read is left to the server. @param {HTMLInputElement} input @param {HTMLCanvasElement} canvas */
async function redraw(input, canvas) {
  const [file] = input.files ?? [];
  canvas.hidden = true;
  const bitmap = file && await createImageBitmap(file).catch(() => undefined), pen = canvas.getContext("2d");
  if (!bitmap || !pen || input.files?.[0] !== file) return;
  const scale = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height));
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) => { canvas.toBlob(resolve, "image/jpeg", QUALITY); });
  if (!blob || input.files?.[0] !== file) return;
  const chosen = new DataTransfer();
  chosen.items.add(new File([blob], "photo.jpg", { type: "image/jpeg" }));
  input.files = chosen.files;
  canvas.hidden = false;
}

for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-photo]"))) {
  const form = /** @type {HTMLFormElement} */ (input.form), canvas = /** @type {HTMLCanvasElement} */ (form.querySelector("canvas"));
  /** @type {Promise<void> | undefined} */
  let drawing;
  input.addEventListener("change", () => {
    const mine = redraw(input, canvas).finally(() => { if (drawing === mine) drawing = undefined; });
    drawing = mine;
  });
  form.addEventListener("submit", (event) => {
    if (!drawing) return;
    event.preventDefault();
    drawing.then(() => form.requestSubmit(event.submitter));
  });
}
