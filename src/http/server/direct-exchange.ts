// A request and its reply on Node's own objects, without Fastify's router, hooks and reply: 15 µs of processor time less
// for a cached response, of 52.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ByteBudget } from './admission/byte-budget.js';
import type { ServerReply, ServerRequest } from './exchange.js';
import { requestIdOf } from './http-server.js';

/** What all requests of a route share. */
export interface DirectRoute {
  readonly budget: ByteBudget;
  /** The path of the route, as Fastify keeps it. */
  readonly routeOptions: ServerRequest['routeOptions'];
}

interface DirectReply extends ServerReply {
  statusCode: number;
  /** Names and values in turn, as Node writes them without building an object. No rule sets a header twice. */
  readonly fields: string[];
}

/** Makes the reply to a request, and its request. */
export function directExchange(
  raw: IncomingMessage,
  response: ServerResponse,
  { budget, routeOptions }: DirectRoute,
): ServerReply {
  const request: ServerRequest = {
    raw,
    id: requestIdOf(raw),
    method: raw.method ?? '',
    url: raw.url ?? '',
    headers: raw.headers,
    routeOptions,
    address: '',
    budget,
    apiKey: null,
    failure: '',
    details: '',
  };
  const reply: DirectReply = {
    raw: response,
    request,
    statusCode: 200,
    fields: [],
    header: addHeader,
    headers: addHeaders,
    code: setStatus,
    send: sendBody,
  };
  return reply;
}

// One function each for all replies: closures would be made anew for each request.

function addHeader(this: ServerReply, name: string, value: string): ServerReply {
  (this as DirectReply).fields.push(name, value);
  return this;
}

function addHeaders(this: ServerReply, values: Readonly<Record<string, string>>): ServerReply {
  for (const name in values) this.header(name, values[name] as string);
  return this;
}

function setStatus(this: ServerReply, status: number): ServerReply {
  (this as DirectReply).statusCode = status;
  return this;
}

function sendBody(this: ServerReply, body?: string): ServerReply {
  const { raw, statusCode, fields } = this as DirectReply;
  if (body !== undefined) fields.push('content-length', String(Buffer.byteLength(body)));
  raw.writeHead(statusCode, fields);
  raw.end(body);
  return this;
}
