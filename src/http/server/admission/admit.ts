// The hook of a route that lets a request pass by its header: its key, scope and rate, then its body's headers.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Failure } from '../../protocol.js';
import { respondFailure } from '../respond.js';
import type { Authorization, Authorize } from './authorize.js';

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * Makes the hook.
 * @param scope what the key must be good for
 * @param contentOf why the body is refused by its header; undefined where it may come
 */
export function admit(
  authorize: Authorize,
  scope: string,
  contentOf: (request: FastifyRequest) => Failure | undefined = () => undefined,
): Hook {
  return (request, reply, done) => {
    const decide = ({ key, rate, failure: refusal }: Authorization): void => {
      // The log names the key of a refused request too, if it is known.
      if (key !== undefined) request.apiKey = key;
      if (rate !== undefined) reply.header('ratelimit-policy', rate.policy).header('ratelimit', rate.left);
      const failure = refusal ?? contentOf(request);
      if (failure === undefined) done();
      else respondFailure(request, reply, failure);
    };
    const verdict = authorize(request.raw, scope, request.address);
    if (verdict instanceof Promise) verdict.then(decide).catch(done);
    else decide(verdict);
  };
}
