// Types commands one after the other in this process, which runs the built program as whoever started it: for a user of
// whom a test asks a dozen things. The commands are lists of words, as JSON; what came of them is written as JSON.
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

// A listener or two of each command stay.
process.setMaxListeners(0);

const { run } = await import(fileURLToPath(new URL('../../dist/main.js', import.meta.url)));

async function typed(args) {
  const written = { stdout: '', stderr: '' };
  const into = (name) =>
    new Writable({
      write(chunk, _, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const own = {
    argv: ['node', 'catalog-import', ...args],
    exitCode: 0,
    stdout: into('stdout'),
    stderr: into('stderr'),
    on: () => undefined,
    once: () => undefined,
    off: () => undefined,
  };
  const here = new Proxy(process, {
    get: (target, name) => Reflect.get(Object.hasOwn(own, name) ? own : target, name),
    set: (_, name, value) => Reflect.set(own, name, value),
  });
  await run(here);
  return { code: Number(own.exitCode ?? 0), ...written };
}

const all = [];
for (const args of JSON.parse(process.argv[2])) all.push(await typed(args));
process.stdout.write(JSON.stringify(all));
