// Which client a request came from, and which network its failed authentications are counted for. What runs for each
// request is own code: 0.1 µs, against 1.1 µs of ipaddr.js.
import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const { IPv6 } = ipaddr;

/** An address as it is logged and counted: without a port, and IPv4 in its own form where it came as IPv6. */
function plainAddress(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return mapped !== undefined && isIPv4(mapped) ? mapped : address;
}

/**
 * The address of a client.
 * @param forwarded what Fastify made of X-Forwarded-For: the last address in it that is not a trusted proxy, unchecked
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
  const groups = IPv6.parse(address.replace(/%.*/s, '')).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** Whether a text is an IP address, or a network in CIDR notation such as 10.0.0.0/24. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = ''] = text.split('/');
  // Of an IPv4 address ipaddr.js also takes octal, hexadecimal and shortened forms.
  return isIP(address) > 0 && (text === address || ipaddr.isValidCIDR(text));
}
