// Determines the client of a request, and the network for counting its failed authentications. The code that runs for
// each request is our own: 0.1 µs, against 1.1 µs of ipaddr.js.
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

const { IPv6 } = ipaddr;

/**
 * An address for logging and counting: without a port or a zone, which may be any text of any length, and IPv4 in its own
 * form if it came as IPv6.
 */
function plainAddress(given: string): string {
  const address = given.replace(/%.*/s, '');
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return mapped !== undefined && isIPv4(mapped) ? mapped : address;
}

/**
 * The address of a client.
 * @param forwarded the last address in X-Forwarded-For that is not a trusted proxy, unchecked
 * @param own the address of the connection
 */
function clientAddress(forwarded: string | undefined, own: string): string {
  const address = (forwarded ?? own).trim();
  if (isIP(address) > 0) return plainAddress(address);
  // Some proxies add the port.
  const withoutPort = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address);
  const found = withoutPort?.[1] ?? withoutPort?.[2] ?? '';
  return plainAddress(isIP(found) > 0 ? found : own);
}

/**
 * Reads the address of the client of a request.
 * @param trusted addresses and networks of proxies whose X-Forwarded-For counts, or words of proxy-addr such as `loopback`
 */
export function clientAddresses(trusted: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile([...trusted]);
  // Requests often come in a row from the same client.
  let last: { readonly forwarded: string | undefined; readonly own: string; readonly address: string } | undefined;
  return (request) => {
    const own = request.socket.remoteAddress ?? '';
    const forwarded = trusted.length === 0 ? undefined : proxyAddr.all(request, isTrusted).at(-1);
    if (last?.own !== own || last.forwarded !== forwarded)
      last = { forwarded, own, address: clientAddress(forwarded, own) };
    return last.address;
  };
}

/** The unit that one client hardly has several of: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = IPv6.parse(address).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** Whether a text is an IP address, or a network in CIDR notation such as 10.0.0.0/24. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = ''] = text.split('/');
  // ipaddr.js also accepts octal, hexadecimal and shortened IPv4 addresses.
  return isIP(address) > 0 && (text === address || ipaddr.isValidCIDR(text));
}
