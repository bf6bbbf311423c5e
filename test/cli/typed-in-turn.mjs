// Types commands one after the other in this process, which runs the built program as whoever started it: for a user of
// whom a test asks a dozen things. The commands are lists of words, as JSON; on standard error each ends with its exit code.
import { run } from '../../dist/main.js';

// A listener or two of each command stay.
process.setMaxListeners(0);

for (const args of JSON.parse(process.argv[2])) {
  process.argv = ['node', 'catalog-import', ...args];
  process.exitCode = 0;
  await run(process);
  process.stderr.write(`\nended with ${process.exitCode}\n`);
}
process.exitCode = 0;
