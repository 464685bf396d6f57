import { parseTarget, type TargetRules } from '../../lib/safe-fetch/parse-target.ts';
import { isPublicAddress } from '../../lib/safe-fetch/public-address.ts';
import type { RefusalReason } from '../../lib/safe-fetch/refusal.ts';

const HTTPS_PORT = 443;

/** Origins, set by the operator, that webhooks may call in addition to the public internet. */
export type PrivateOrigins = readonly string[];

/** The rules for a target: HTTPS on port 443, or whatever a configured private origin needs. */
export function targetRules(url: string, privateOrigins: PrivateOrigins): TargetRules {
  const origin = URL.parse(url)?.origin;
  if (origin === undefined || !privateOrigins.includes(origin)) {
    return { isHttpAllowed: false, ports: [HTTPS_PORT], isAddressAllowed: isPublicAddress };
  }
  return {
    isHttpAllowed: true,
    ports: [portOf(origin)],
    isAddressAllowed: () => true,
    areLocalNamesAllowed: true,
  };
}

/** What an operator sets for a receiver in the own network. */
const UNLESS_PRIVATE = ', unless --webhook-private-origins names its origin';

const FAULTS: Partial<Record<RefusalReason, string>> = {
  'bad-url': 'must be a URL',
  'scheme-not-allowed': `must begin with https://${UNLESS_PRIVATE}`,
  'credentials-in-url': 'must not hold a name or password',
  'port-not-allowed': `must have the port 443 or none${UNLESS_PRIVATE}`,
  'local-name': `must name a host of the open internet${UNLESS_PRIVATE}`,
  'address-not-public': `must name a host of the open internet${UNLESS_PRIVATE}`,
};

/** Describes, without quoting the URL, why it is refused before name resolution; else null. */
export function targetFault(url: string, privateOrigins: PrivateOrigins): string | null {
  const target = parseTarget(url, targetRules(url, privateOrigins));
  return target.kind === 'target' ? null : (FAULTS[target.reason] ?? 'is not allowed');
}

/** Parses a comma-separated list of origins; null when any entry is not an origin. */
export function parseOrigins(text: string): PrivateOrigins | null {
  const origins = text.split(',').map((part) => originOf(part.trim()));
  return origins.includes(null) ? null : origins.filter((origin) => origin !== null);
}

function originOf(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  const isOrigin = url.href === `${url.origin}/`;
  return isOrigin ? url.origin : null;
}

function portOf(origin: string): number {
  const { port, protocol } = new URL(origin);
  if (port !== '') return Number(port);
  return protocol === 'https:' ? HTTPS_PORT : 80;
}
