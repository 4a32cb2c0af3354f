/** Call functions of a script for the tests in Python: a line asks `[script, [[function, arguments] …]]`, a line answers. */

let begun = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (begun + text).split("\n");
  begun = lines.pop() ?? "";
  for (const line of lines) {
    const [script, calls] = JSON.parse(line);
    const functions = await import(new URL(`../../static/${script}`, import.meta.url).href);
    const answers = calls.map(([name, given]) => functions[name](...given));
    await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(answers)}\n`));
  }
}
