// Receives the body of a request: bounded in bytes, charged to the budget as it arrives, decompressed if it is gzip.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Failure, failures } from '../../protocol.js';
import type { ByteBudget, Reservation } from './byte-budget.js';

export interface BodyLimits {
  /** Maximum bytes of one body, decompressed. */
  readonly limit: number;
  readonly budget: ByteBudget;
  /** Who holds its bytes. */
  readonly holders: readonly string[];
}

/** A body in a buffer of its own, which can be transferred to another thread, with its reserved bytes. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  readonly reservation: Reservation;
}

/** Bytes by which the buffer of a body grows. */
const step = 64 * 1024;

function announcedLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}

/** The content coding, in lower case; '' for none. */
export function contentCoding({ headers }: IncomingMessage): string {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding === 'x-gzip') return 'gzip';
  return coding === 'identity' ? '' : coding;
}

/** Why a body is refused by its announced length, before any of it is read; undefined if it is accepted. */
export function lengthFailure(request: IncomingMessage, { limit, budget, holders }: BodyLimits): Failure | undefined {
  const length = announcedLength(request) ?? 0;
  if (length > limit) return failures.body_too_large(limit);
  return budget.hasRoom(length, holders) ? undefined : failures.too_many_bytes();
}

/**
 * Receives a complete body. Sends `100 Continue` first if the client asked for it.
 * @returns the body, whose reservation the caller releases; or the failure, with nothing reserved
 */
export async function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<ReceivedBody | Failure> {
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
  const reservation = limits.budget.reserve(limits.holders);
  const isPacked = contentCoding(request) === 'gzip';
  const received = isPacked
    ? await receivePacked(request, limits, reservation)
    : await gather(request, { ...limits, reservation, expected: announcedLength(request) });
  if (Buffer.isBuffer(received)) return { bytes: received, reservation };
  reservation.release();
  return received;
}

/** Memory for decompression in addition to the body: zlib's window and its output. */
const unpackerSize = 64 * 1024;

/** Decompresses while it receives, in zlib's threads; compressed and decompressed bytes are both bounded. */
async function receivePacked(
  request: IncomingMessage,
  limits: BodyLimits,
  reservation: Reservation,
): Promise<Buffer | Failure> {
  const { limit } = limits;
  if (!reservation.grow(unpackerSize)) return failures.too_many_bytes();
  const gunzip = createGunzip();
  let packed = 0;
  const count = (chunk: Buffer): void => {
    packed += chunk.length;
    if (packed > limit) gunzip.destroy();
  };
  const stop = (): void => {
    if (!request.complete) gunzip.destroy();
  };
  request.on('data', count).once('error', stop).once('close', stop).pipe(gunzip);
  const received = await gather(gunzip, { ...limits, reservation, expected: undefined });
  request.unpipe(gunzip);
  request.off('data', count);
  gunzip.destroy();
  if (Buffer.isBuffer(received)) return received;
  request.pause();
  if (packed > limit) return failures.body_too_large(limit);
  const isCutOff = request.destroyed && !request.complete;
  if (received.error !== 'malformed_request' || isCutOff) return received;
  return failures.malformed_request('The body is not valid gzip.', 'Content-Encoding');
}

/** Gives the memory of a large body back at once: V8 would collect it only with those of several others. */
export function giveBack(room: ArrayBuffer): void {
  if (room.resizable) room.resize(0);
}

interface Gathering extends BodyLimits {
  readonly reservation: Reservation;
  /** The total length, if known. */
  readonly expected: number | undefined;
}

/**
 * Copies a stream into one buffer. Chunks are not kept: a body that arrives byte by byte would take 150 times its
 * length. A large buffer grows where it is: copied to larger ones, it would leave as much garbage as the body has bytes, which the
 * allocator keeps. For a small one that costs more than it saves.
 */
function gather(stream: Readable, { limit, reservation, expected }: Gathering): Promise<Buffer | Failure> {
  const most = Math.min(limit, expected ?? limit);
  // Not from Node's pool, which cannot be transferred.
  const room = most > step ? new ArrayBuffer(0, { maxByteLength: most }) : new ArrayBuffer(most);
  const bytes = new Uint8Array(room);
  let charged = 0;
  let length = 0;

  function makeRoom(needed: number): Failure | undefined {
    if (needed > most) return failures.body_too_large(limit);
    const wanted = Math.min(Math.ceil(needed / step) * step, most);
    if (!reservation.grow(wanted - charged)) return failures.too_many_bytes();
    charged = wanted;
    if (room.resizable) room.resize(wanted);
    return undefined;
  }

  return new Promise((resolve) => {
    function end(result: Buffer | Failure): void {
      stream.off('data', onData).off('end', onEnd).off('error', onFailure).off('close', onFailure);
      // The caller responds now; a later error is ignored.
      stream.on('error', () => {});
      if (!Buffer.isBuffer(result)) {
        stream.pause();
        giveBack(room);
      }
      resolve(result);
    }
    function onData(chunk: Buffer): void {
      const needed = length + chunk.length;
      const failure = needed > charged ? makeRoom(needed) : undefined;
      if (failure !== undefined) return end(failure);
      bytes.set(chunk, length);
      length = needed;
    }
    const onEnd = () => end(Buffer.from(room, 0, length));
    const onFailure = () => end(failures.malformed_request('The request was cut off.'));
    stream.on('data', onData).once('end', onEnd).once('error', onFailure).once('close', onFailure);
  });
}
