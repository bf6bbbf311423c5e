// Which client a request came from, and which network its failed authentications are counted for.
import { isIP, isIPv4, isIPv6 } from 'node:net';

/** An address as it is logged and counted: without a port, and IPv4 in its own form where it came as IPv6. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return mapped !== undefined && isIPv4(mapped) ? mapped : address;
}

/**
 * The address of a client.
 * @param forwarded what Fastify made of X-Forwarded-For: the last address in it that is no trusted proxy, unchecked
 * @param own the address of the connection
 */
export function clientAddress(forwarded: string | undefined, own: string): string {
  const address = (forwarded ?? own).trim();
  if (isIP(address) > 0) return plainAddress(address);
  // Some proxies add the port.
  const withoutPort = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address);
  const found = withoutPort?.[1] ?? withoutPort?.[2] ?? '';
  return plainAddress(isIP(found) > 0 ? found : own);
}

/** What one client can hardly have several of: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [start = '', end] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const first = start === '' ? [] : start.split(':');
  const last = end === undefined || end === '' ? [] : end.split(':');
  const missing = end === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...new Array<string>(missing).fill('0'), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
