// Sends responses in the envelope, and closes connections whose body was not read. Shared by all routes.

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../../core/api-key.js';
import { type Failure, failureBody, failureOf, failures } from '../protocol.js';
import type { ByteBudget, Reservation } from './admission/byte-budget.js';
import { hasUnreadBody, lingerAfterAnswer } from './lingering-close.js';
import type { Answer } from './reads/answer-cache.js';
import { isKnownToClient, measurePieces } from './reads/entity-tag.js';
import type { LargeText } from './reads/json-pieces.js';

/** What the server keeps with a request. */
interface RequestState {
  address: string;
  /** The budget for answers that are not small. */
  answers: ByteBudget;
  /** The API key of the request, if known. */
  apiKey: ApiKey | null;
  /** The code of the failure it was answered with, and details for the log. */
  failure: string;
  details: string;
}

declare module 'fastify' {
  interface FastifyRequest extends RequestState {}
}

/** The path of the request target, as it was sent. */
export function pathname({ url }: FastifyRequest): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** The query string, as it was sent; '' where there is none. */
export function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** Answers longer than this are charged to the budget until they are sent, since a client may read slowly. */
const smallAnswer = 16 * 1024;

/** Bytes of an answer that are given to the connection at once. */
const chunk = 64 * 1024;

/** Milliseconds after which a connection is closed whose reader takes nothing of such an answer. */
const longestStall = 10_000;

/** A body that is made while it is sent, and how long it will be. */
interface BodyInPieces {
  readonly bytes: number;
  readonly pieces: () => Iterable<string | Buffer>;
}

/** Who holds the bytes of a request. */
export function holdersOf({ address, apiKey }: FastifyRequest): string[] {
  return [`address ${address}`, ...(apiKey === null ? [] : [`key ${apiKey.id}`])];
}

/** Sends a JSON text that must not be cached. */
export function respond(reply: FastifyReply, body: string): FastifyReply {
  reply.header('content-type', jsonType).header('cache-control', 'no-store');
  // Even beyond the budget: a batch may be committed.
  if (body.length > smallAnswer) reserveUntilSent(reply).force(body.length);
  return send(reply, body);
}

/** A body that the client may cache, with its ETag. */
interface Tagged {
  readonly body: string | BodyInPieces;
  readonly etag: string;
}

/**
 * Sends a JSON text, or 304 without a body to a client that has it. The client may cache it, but has
 * to validate it each time.
 */
export function respondTagged(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const { length } = answer.body;
  if (length > smallAnswer && !reserveUntilSent(reply).grow(length))
    return respondFailure(request, reply, failures.too_many_answers());
  return sendTagged(request, reply, answer);
}

/** The same for a text that is made twice, piece by piece: for its ETag and length, and to send it. */
export async function respondLarge(reply: FastifyReply, { pieces, held }: LargeText): Promise<FastifyReply> {
  const { request } = reply;
  // Before anything else is done for it: many that are measured at once are held, too.
  if (!reserveUntilSent(reply).grow(held)) return respondFailure(request, reply, failures.too_many_answers());
  const measured = await measurePieces(pieces(), () => !isGone(reply));
  if (measured === undefined) return reply;
  const { etag, bytes } = measured;
  return sendTagged(request, reply, { body: { pieces, bytes }, etag });
}

function sendTagged(request: FastifyRequest, reply: FastifyReply, { body, etag }: Tagged): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (isKnownToClient(request.headers['if-none-match'], etag)) return send(reply.code(304));
  reply.header('content-type', jsonType);
  return send(reply, body);
}

const jsonType = 'application/json; charset=utf-8';

/** Bytes that an answer holds until it is sent, or its client has gone. */
function reserveUntilSent(reply: FastifyReply): Reservation {
  const { request, raw } = reply;
  const reservation = request.answers.reserve(holdersOf(request));
  raw.once('close', reservation.release);
  // Nothing tells it again where that was so before.
  if (isGone(reply)) reservation.release();
  return reservation;
}

/** Whether the client of a response has closed its connection. */
function isGone({ raw, request }: FastifyReply): boolean {
  return raw.destroyed || request.raw.socket.destroyed;
}

/** Sends a body, or none. What was not read of its request is discarded, and the connection closed. */
function send(reply: FastifyReply, body?: string | BodyInPieces): FastifyReply {
  const { raw } = reply.request;
  const payload = typeof body === 'object' || (body?.length ?? 0) > smallAnswer ? streamed(reply, body ?? '') : body;
  if (!hasUnreadBody(raw)) return reply.send(payload);
  // A small body may follow the header directly and be parsed by then: the connection can be reused.
  setImmediate(() => {
    if (hasUnreadBody(raw)) {
      reply.header('connection', 'close');
      lingerAfterAnswer(raw);
    }
    reply.send(payload);
  });
  return reply;
}

/** A body chunk by chunk, as its reader takes it. A reader that stalls is closed. */
function streamed(reply: FastifyReply, body: string | BodyInPieces): Readable {
  const { raw } = reply;
  const stalled = setTimeout(() => raw.destroy(), longestStall);
  raw.once('close', () => clearTimeout(stalled));
  const { bytes, pieces } = typeof body === 'string' ? inChunks(Buffer.from(body)) : body;
  reply.header('content-length', String(bytes));
  return Readable.from(refreshing(pieces(), stalled), { objectMode: false });
}

function inChunks(whole: Buffer): BodyInPieces {
  const pieces = function* (): Generator<Buffer> {
    for (let from = 0; from < whole.length; from += chunk) yield whole.subarray(from, from + chunk);
  };
  return { bytes: whole.length, pieces };
}

/** The pieces, each of which starts a timer again. */
function* refreshing(pieces: Iterable<string | Buffer>, timer: NodeJS.Timeout): Generator<string | Buffer> {
  for (const piece of pieces) {
    timer.refresh();
    yield piece;
  }
}

export function respondFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  request.failure = failure.error;
  if (failure.headers !== undefined) reply.headers(failure.headers);
  return respond(reply.code(failure.status), failureBody(failure, request.id));
}

/** Answers with the failure for a thrown error. The log gets the stack of a bug, and the message of any other failure. */
export function respondThrown(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const failure = failureOf(thrown);
  if (failure.status === 500 && thrown instanceof Error) request.details = String(thrown.stack);
  else if (failure.status >= 500) request.details = thrown instanceof Error ? thrown.message : String(thrown);
  return respondFailure(request, reply, failure);
}
