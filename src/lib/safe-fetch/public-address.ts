import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only part of IPv6 from which public addresses are assigned (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Public addresses at which cloud providers run services for the machines inside: Azure's host
 * agent (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16) and
 * IBM's service endpoints (https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc).
 * Those of other clouds are in ranges that are not public (169.254.169.254, 100.100.100.200,
 * fd00:ec2::254).
 */
const CLOUD_INTERNAL = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
);

/**
 * Whether an address in canonical notation is public: not private, loopback, link-local, shared,
 * documentation, benchmark, multicast or reserved, and without an embedded IPv4 address (mapped,
 * translated, 6to4, Teredo), which would bypass the check of that address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (isIPv4(address)) {
    const parsed = ipaddr.IPv4.parse(address);
    return parsed.range() === 'unicast' && !CLOUD_INTERNAL.some((range) => parsed.match(range));
  }
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === 'unicast';
}
