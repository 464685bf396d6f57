import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only part of IPv6 from which addresses of the open internet are given out (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * A public address behind which a cloud keeps services for the machines inside: Azure's host agent
 * (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16). Those of other
 * clouds lie in ranges that are not public anyway (169.254.169.254, 100.100.100.200, fd00:ec2::254).
 */
const CLOUD_INTERNAL: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether an address in its usual spelling is one of the open internet: no private, loopback,
 * link-local, shared, documentation, benchmark, multicast or reserved one, and none that carries an
 * IPv4 address inside (mapped, translated, 6to4, Teredo), which would be a second way to the first.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (CLOUD_INTERNAL.has(address)) return false;
  if (isIPv4(address)) return ipaddr.IPv4.parse(address).range() === 'unicast';
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === 'unicast';
}
