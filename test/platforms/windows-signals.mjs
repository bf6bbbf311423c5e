// Loaded into the program before it starts (node --import), by tests only: signals and streams behave as on Windows.
//   a process that ends another one, or itself, ends it with 1, whatever the signal
//   IMITATED_SIGNALS="SIGINT SIGINT"   these signals come, one right after the other, when the test sends SIGUSR2
//   READER_LEFT=1                      whoever read stdout has left, which is EOF
import { createRequire } from 'node:module';

// better-sqlite3 13 (Node 22 and later) selects its binary by the platform on first use.
if (!process.version.startsWith('v20.')) {
  const Driver = createRequire(import.meta.url)('better-sqlite3');
  new Driver(':memory:').close();
}
Object.defineProperty(process, 'platform', { value: 'win32' });
const { kill } = process;
process.kill = (pid, signal) => (signal === 0 ? kill.call(process, pid, 0) : process.reallyExit(1));
process.on('SIGUSR2', () => {
  for (const name of (process.env.IMITATED_SIGNALS ?? '').split(' ')) process.emit(name, name);
});
if (process.env.READER_LEFT)
  process.stdout._write = (_chunk, _encoding, done) => done(Object.assign(new Error('write EOF'), { code: 'EOF' }));
