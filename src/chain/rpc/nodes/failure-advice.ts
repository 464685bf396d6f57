import type { RpcFailure } from './rpc-failure.ts';

type Described = Pick<RpcFailure, 'name' | 'message'>;

/** By name of the failure. */
const BY_NAME: Readonly<Record<string, string>> = {
  'http 401': 'The node requires a key or rejects this one: check the address.',
  'http 403': 'The node refuses this key or this machine: check the address with the provider.',
  'http 404': 'There is no RPC node under this path: check the address.',
  'http 405': 'The server at this address takes no RPC requests: check the address.',
  'http 407': 'A proxy asks for a password: allow direct connections to the node.',
  'http 429': 'The node limits requests: wait, lower --rpc-requests-per-second, or add a node.',
  'unfit not-json': 'The server at this address is not an RPC node: check the address.',
  'time-out': 'Check the address, and that a firewall lets this machine reach it.',
};

const UNKNOWN_ISSUER =
  'Its certificate is of an issuer that this machine does not know: name the file of that issuer in NODE_EXTRA_CA_CERTS.';

/** By the code of the system or of TLS, which the message of a failed connection contains. */
const BY_CODE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED:
    'Its certificate has expired, or the clock of this machine is wrong: ask its operator.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet: check the clock of this machine.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name: check the address.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  ENOTFOUND: 'There is no machine of this name: check its spelling and the DNS of this machine.',
  EAI_AGAIN: 'The name cannot be resolved now: check the DNS of this machine.',
  ECONNREFUSED: 'Nothing listens there: check host and port.',
  EPROTO:
    'The server does not speak TLS there: check whether the address begins with http or https.',
};

/** What a person can do about a failed request to a node; null if nothing is known. */
export function failureAdvice({ name, message }: Described): string | null {
  const [, code = ''] = /\(([A-Z_]+)\)$/.exec(message) ?? [];
  return BY_NAME[name] ?? BY_CODE[code] ?? null;
}

/** The failure and what to do about it, for a person. */
export function describeFailure(failure: Described): string {
  const advice = failureAdvice(failure);
  return advice === null ? `${failure.message}.` : `${failure.message}. ${advice}`;
}
