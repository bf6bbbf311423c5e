// Refuses malformed requests that Node's parser accepts: repeated headers, a bad Host, an unknown transfer coding.
import type { IncomingMessage } from 'node:http';
import { type Failure, failures } from '../../protocol.js';

/** A host name, an IPv4 address or an IPv6 address in brackets, with an optional port (RFC 9110, 7.2). */
const soundHost = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9\-._~!$&'()*+,;=%]+)(?::\d{0,5})?$/;

/** The last valid Host: most requests have the same. */
let knownHost: string | undefined;

export function malformedRequest(request: IncomingMessage): Failure | undefined {
  const { httpVersion, headers } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return failures.malformed_request(`HTTP/${httpVersion} is not supported; use HTTP/1.1.`);
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') return failures.unsupported_transfer_coding();
  return repeatedHeader(request) ?? hostFault(headers.host, httpVersion);
}

/** Node keeps the first of repeated headers: a proxy in front may have checked another one. */
function repeatedHeader({ rawHeaders }: IncomingMessage): Failure | undefined {
  let hosts = 0;
  let authorizations = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++;
  }
  if (hosts > 1) return failures.malformed_request('The Host header is sent more than once.', 'Host');
  if (authorizations < 2) return undefined;
  return failures.malformed_request('The Authorization header is sent more than once.', 'Authorization');
}

function hostFault(host: string | undefined, httpVersion: string): Failure | undefined {
  if (host === undefined) {
    return httpVersion === '1.0' ? undefined : failures.malformed_request('The Host header is missing.', 'Host');
  }
  if (host === knownHost) return undefined;
  if (!soundHost.test(host)) return failures.malformed_request('The Host header is malformed.', 'Host');
  knownHost = host;
  return undefined;
}
