// The admission hook of a route: checks a request by its header: key, scope and rate, then the headers of its body.

import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Failure } from '../../protocol.js';
import { respondFailure } from '../respond.js';
import type { Authorization, Authorize } from './authorize.js';

/**
 * Makes the hook.
 * @param scope the scope that the key needs
 * @param contentOf why the body is refused by its header; undefined if it is accepted
 */
export function admit(
  authorize: Authorize,
  scope: string,
  contentOf: (request: FastifyRequest) => Failure | undefined = () => undefined,
): onRequestHookHandler {
  return (request, reply, done) => {
    const decide = ({ key, rate, failure: refusal }: Authorization): void => {
      // The log contains the key of a refused request too, if it is known.
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
