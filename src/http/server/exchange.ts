// The request and the reply as the rules of the server see them. Fastify's have this form, and so have those of
// direct-exchange.ts: each rule is written once for both.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ApiKey } from '../../core/api-key.js';
import type { ByteBudget } from './admission/byte-budget.js';

/** What the server keeps with a request. */
export interface RequestState {
  /** The client's address. */
  address: string;
  /** The budget for bodies and large responses. */
  budget: ByteBudget;
  /** The API key of the request, if known. */
  apiKey: ApiKey | null;
  /** The code of the failure it was answered with, and details for the log. */
  failure: string;
  details: string;
}

export interface ServerRequest extends RequestState {
  readonly raw: IncomingMessage;
  readonly id: string;
  readonly method: string;
  /** The request target as it was sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The path of the route that serves it, undefined if none does. */
  readonly routeOptions: { readonly url?: string | undefined };
}

export interface ServerReply {
  readonly raw: ServerResponse;
  readonly request: ServerRequest;
  readonly statusCode: number;
  header(name: string, value: string): ServerReply;
  headers(values: Readonly<Record<string, string>>): ServerReply;
  code(status: number): ServerReply;
  /** Sends the response, with a JSON text as its body or without one. */
  send(body?: string): ServerReply;
}

/** Gets a request through the rules of its route. `done` is called when they accept it, or with an error that was thrown. */
export type AdmissionHook = (request: ServerRequest, reply: ServerReply, done: (error?: Error) => void) => void;
