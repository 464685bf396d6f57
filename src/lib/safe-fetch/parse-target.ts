/** Validates an untrusted URL before any name is resolved. */
import { isIP } from 'node:net';
import { type Refusal, refused } from './refusal.ts';

export interface TargetRules {
  /** `https:` is always allowed; `http:` only if this is set. */
  readonly isHttpAllowed: boolean;
  readonly ports: readonly number[];
  readonly isAddressAllowed: (address: string) => boolean;
  /** Whether names of this machine and of local networks may be resolved. Default: no. */
  readonly areLocalNamesAllowed?: boolean;
}

export interface Target {
  readonly kind: 'target';
  readonly url: URL;
  /** The host without brackets and without a trailing dot. */
  readonly host: string;
  /** Whether the host is an IP address, which needs no resolution. */
  readonly isAddress: boolean;
}

const URL_LENGTH_MAX = 2_048;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/** Suffixes of names that are only defined within a local network (RFC 6761, 6762, 8375, ICANN). */
const LOCAL_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa', 'intranet', 'lan', 'onion'];

export function parseTarget(text: string, rules: TargetRules): Target | Refusal {
  const url = text.length > URL_LENGTH_MAX ? null : URL.parse(text);
  if (url === null) return refused('bad-url', text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.isHttpAllowed)) {
    return refused('scheme-not-allowed', url.protocol);
  }
  if (url.username !== '' || url.password !== '') return refused('credentials-in-url');
  const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
  if (!rules.ports.includes(port)) return refused('port-not-allowed', String(port));
  return hostTarget(url, rules);
}

/**
 * The URL parser has already normalised all notations of IPv4 addresses (`0x7f.1`, `2130706433`).
 */
function hostTarget(url: URL, rules: TargetRules): Target | Refusal {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '') return refused('bad-url', url.href);
  if (isIP(host) !== 0) {
    if (!rules.isAddressAllowed(host)) return refused('address-not-public', host);
    return { kind: 'target', url, host, isAddress: true };
  }
  const isLocal = !host.includes('.') || host.endsWith('.') || isLocalName(host);
  if (isLocal && rules.areLocalNamesAllowed !== true) {
    return refused('local-name', host);
  }
  return { kind: 'target', url, host, isAddress: false };
}

function isLocalName(host: string): boolean {
  return LOCAL_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}
