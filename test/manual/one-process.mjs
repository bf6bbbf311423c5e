// Types what other processes are asked to type, in this one, which runs the built program: to start it takes ten times as long
// as most of the commands. It is asked by the identity of a process (the script in one-process.ts), whose words, folder,
// variables and files are read of it, and answers with the exit code.
import { closeSync, createReadStream, openSync, readFileSync, readlinkSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { run } from '../../dist/main.js';

const [, , program, requests, answers] = process.argv;
// A listener or two of each command stay.
process.setMaxListeners(0);
const { stdin, stdout, stderr } = Object.getOwnPropertyDescriptors(process);

/** Writes to a file of another process, as a process does to a pipe or a file of its own: at once. */
function into(path) {
  // Behind what is there: the file may have been opened for several commands.
  const descriptor = openSync(path, 'a');
  return new Writable({
    write(chunk, _, done) {
      try {
        for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at);
        done();
      } catch (error) {
        done(error);
      }
    },
    final(done) {
      closeSync(descriptor);
      done();
    },
  });
}

/** What no promise or listener took: of the command that is typed, or left by one before. It would end this process, and leave who asks without an answer. */
const faults = [];
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (fault) => faults.push(fault));

const listOf = (path) => readFileSync(path, 'utf8').split('\0').slice(0, -1);

async function typeFor(asking) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const variable of listOf(`${asking}/environ`)) {
    const at = variable.indexOf('=');
    process.env[variable.slice(0, at)] = variable.slice(at + 1);
  }
  process.chdir(readlinkSync(`${asking}/cwd`));
  // The shell and its script are before them.
  process.argv = [process.execPath, program, ...listOf(`${asking}/cmdline`).slice(2)];
  process.exitCode = 0;
  const written = [into(`${asking}/fd/18`), into(`${asking}/fd/19`)];
  let read;
  Object.defineProperties(process, {
    // Opened at once: a command that only looks at it may end, and whoever asked with it, before a stream has opened it.
    stdin: { ...stdin, get: () => (read ??= createReadStream('', { fd: openSync(`${asking}/fd/17`, 'r') })) },
    stdout: { ...stdout, get: () => written[0] },
    stderr: { ...stderr, get: () => written[1] },
  });
  try {
    await run(process);
  } finally {
    Object.defineProperties(process, { stdin, stdout, stderr });
    read?.destroy();
    await Promise.all(written.map((stream) => new Promise((resolve) => stream.end(resolve))));
  }
}

for await (const line of createInterface({ input: createReadStream(requests, { flags: 'r+' }) })) {
  // Whoever asked waits, and is told what went wrong here.
  await typeFor(`/proc/${line}`).catch((error) => faults.push(error));
  const failure = faults
    .splice(0)
    .map((fault) => String(fault?.stack ?? fault).replaceAll('\n', ' '))
    .join('; ');
  const code = failure === '' ? process.exitCode : 1;
  process.exitCode = 0;
  writeFileSync(answers, `${code} ${failure}\n`);
}
