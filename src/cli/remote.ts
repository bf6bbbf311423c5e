// Options of a remote, its API key, and opening it.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CatalogError } from '../core/errors.js';
import { spanSeconds } from '../core/text/duration.js';
import { groupDigits, sanitizeText } from '../core/text/sanitize.js';
import { foundAt } from '../files/found-file.js';
import { readText } from '../files/read-text.js';
import type { RemoteCatalog } from '../http/client/remote-catalog.js';

/** Options for reaching a remote, as typed. Times are in milliseconds. */
export interface RemoteFlags {
  readonly apiKeyFile?: string;
  readonly apiKeyEnv?: string;
  readonly allowHttp?: boolean;
  readonly caFile?: string;
  readonly retryMaxWait?: number;
  readonly retryMaxTime?: number;
  readonly concurrency?: number;
  /** The feed that is imported. */
  readonly feed?: string;
}

export function addRemoteOptions(command: Command): Command {
  return command
    .addOption(new Option('--api-key-file <file>', 'file with the API key for the remote (env: CATALOG_API_KEY_FILE)'))
    .option('--api-key-env <name>', 'environment variable with the API key (default: CATALOG_API_KEY)', variableName)
    .addOption(new Option('--allow-http', 'allow http to a remote other than this machine'))
    .option('--ca-file <file>', 'certificates (PEM) to trust in addition to those of Node.js')
    .option('--retry-max-wait <time>', 'longest Retry-After to wait for (default: 5m)', milliseconds)
    .option('--retry-max-time <time>', 'how long to retry one batch (default: 15m)', milliseconds);
}

/** The option names a variable instead of the key, since other users can see the command line. */
export function variableName(value: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(value) && !value.startsWith('cik_')) return value;
  throw new InvalidArgumentError('Use the name of an environment variable, such as ERP_API_KEY.');
}

export function addForwardOptions(command: Command): Command {
  return command
    .option('--concurrency <n>', 'number of requests to the remote at a time (default: 4)', atOnce)
    .option('--resume', 'continue the same import into the remote where it ended early')
    .option(
      '--changed-only',
      'send only items that differ from what the remote acknowledged last; whether it still has the others is not checked',
    )
    .option('--full', 'with --changed-only: send every item, and remember it anew');
}

function milliseconds(value: string): number {
  const seconds = spanSeconds(value);
  if (seconds === undefined)
    throw new InvalidArgumentError('Use a number from 0 to 999999 and one of s m h d, such as 10m.');
  return seconds * 1000;
}

function atOnce(value: string): number {
  const count = Number(value);
  if (!/^\d{1,3}$/.test(value) || count < 1 || count > 64) throw new InvalidArgumentError('Use a number from 1 to 64.');
  return count;
}

/**
 * Opens a remote.
 * @param onWait called for each wait before a request is repeated
 * @throws CatalogError `key_refused` without a key, `usage` for an invalid address or file
 */
export async function openRemote(
  url: string,
  flags: RemoteFlags,
  env: NodeJS.ProcessEnv,
  onWait: (milliseconds: number, why: string) => void,
): Promise<RemoteCatalog> {
  const key = readKey(flags, env);
  const ca = flags.caFile === undefined ? undefined : readCertificates(flags.caFile);
  const [{ httpCatalog }, { loadEnvironment }] = await Promise.all([
    import('../http/client/remote-catalog.js'),
    import('../store/environment.js'),
  ]);
  return httpCatalog({
    url,
    key,
    allowHttp: flags.allowHttp ?? false,
    env,
    loadEnvironment,
    onWait,
    ...(ca === undefined ? {} : { ca }),
    ...(flags.feed === undefined ? {} : { feed: flags.feed }),
    ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
    retryPolicy: {
      ...(flags.retryMaxWait === undefined ? {} : { maxWait: flags.retryMaxWait }),
      ...(flags.retryMaxTime === undefined ? {} : { maxTime: flags.retryMaxTime }),
    },
  });
}

/** The key comes from a file or a variable, never from an argument, which every user of the machine can see. */
function readKey({ apiKeyFile, apiKeyEnv }: RemoteFlags, env: NodeJS.ProcessEnv): string {
  if (apiKeyFile !== undefined && apiKeyEnv !== undefined)
    throw new CatalogError('usage', '--api-key-file and --api-key-env name two keys; give one of them.');
  const variable = apiKeyEnv ?? 'CATALOG_API_KEY';
  const file = apiKeyFile ?? (apiKeyEnv !== undefined || env[variable] ? undefined : env['CATALOG_API_KEY_FILE']);
  const key = file === undefined ? (env[variable] ?? '').trim() : readFile(file, 'API key').trim();
  const from = file ?? variable;
  if (key === '') {
    const unset =
      apiKeyEnv === undefined
        ? 'There is no API key for the remote; set CATALOG_API_KEY, or name a file with --api-key-file or CATALOG_API_KEY_FILE.'
        : `There is no API key for the remote: the environment variable ${apiKeyEnv} is not set.`;
    throw new CatalogError('key_refused', file === undefined ? unset : `${file} is empty; it must hold the API key.`);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CatalogError('key_refused', `${from} contains no API key: one is a single word of visible ASCII.`);
  }
  return key;
}

export function readCertificates(file: string): string {
  const text = readFile(file, 'certificates');
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new CatalogError('usage', `${file} (--ca-file) contains no certificate in PEM form.`);
}

/** The texts of pipes, which can be read once. */
const piped = new Map<string, string>();

/**
 * Reads what a remote needs from pipes, before signals are handled: while a pipe is waited for, nothing handles them.
 * A failed read is no error here: opening the remote reports it.
 */
export function readPipes({ apiKeyFile, caFile }: RemoteFlags, env: NodeJS.ProcessEnv): void {
  for (const file of [apiKeyFile ?? env['CATALOG_API_KEY_FILE'], caFile])
    if (file !== undefined && foundAt(file)?.isFIFO() === true && !piped.has(file)) piped.set(file, readText(file));
}

function readFile(file: string, what: string): string {
  try {
    return piped.get(file) ?? readText(file);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('usage', `${file}, which should hold the ${what}, cannot be read (${why}).`, { cause });
  }
}

/** The state of the requests to a remote, for the progress line: `3 batches on their way, 2 sent again`. */
export function describeTraffic(remote: Pick<RemoteCatalog, 'traffic'>): readonly string[] {
  const { inFlight, retries, waiting } = remote.traffic();
  const words: string[] = [];
  if (inFlight > 0) words.push(inFlight === 1 ? '1 batch on its way' : `${inFlight} batches on their way`);
  if (retries > 0) words.push(retries === 1 ? '1 sent again' : `${groupDigits(retries)} sent again`);
  if (waiting !== undefined) words.push(describeWait(waiting.until - performance.now(), waiting.why));
  return words;
}

/** Describes a wait: `waiting 12 s, since the remote answered 503`. */
export function describeWait(milliseconds: number, why: string): string {
  return `waiting ${Math.max(1, Math.ceil(milliseconds / 1000))} s, since the remote ${sanitizeText(why)}`;
}

/** Called for each wait, with its milliseconds and what the remote did. */
export type WaitTeller = (milliseconds: number, why: string) => void;

/** Waits that are worth a line, in milliseconds. */
const longWait = 4_000;

/** Prints long waits, each once: batches that wait together have one line. */
export function waitNotices(say: (words: string) => void): WaitTeller {
  let until = Number.NEGATIVE_INFINITY;
  return (milliseconds, why) => {
    const end = performance.now() + milliseconds;
    if (milliseconds < longWait || end < until + longWait) return;
    until = end;
    say(describeWait(milliseconds, why));
  };
}
