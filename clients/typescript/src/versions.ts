import { API_VERSION } from './api-version.ts';
import { VersionError } from './errors.ts';

/** What requests call this client, in `x-client-version`. */
export const CLIENT_NAME = `mintscope-typescript/${API_VERSION}`;

/** The version of the API that this package was made of, and that of the service. */
export interface Versions {
  readonly client: string;
  /** Null before the first answer, and for a service that does not say. */
  readonly service: string | null;
  /**
   * A service that is newer answers an older client: what this package does not know is there, and
   * not in its types. In an older one something that this package knows may be missing.
   */
  readonly relation: 'same' | 'service-newer' | 'service-older' | 'unknown';
}

const VERSION = /^([0-9]{1,6})[.]([0-9]{1,6})[.]([0-9]{1,6})$/;

/** Throws VersionError if the major versions differ. */
export function compareVersions(service: string | null, client = API_VERSION): Versions {
  const ours = partsOf(client);
  const theirs = partsOf(service ?? '');
  if (ours === null || theirs === null) return { client, service, relation: 'unknown' };
  if (ours[0] !== theirs[0]) {
    throw new VersionError(
      `The service has version ${service} of the API, and this client is made for ${client}: install a client of version ${theirs[0]}.`,
    );
  }
  const difference = theirs
    .map((part, index) => part - (ours[index] ?? 0))
    .find((one) => one !== 0);
  if (difference === undefined) return { client, service, relation: 'same' };
  return { client, service, relation: difference > 0 ? 'service-newer' : 'service-older' };
}

function partsOf(version: string): readonly number[] | null {
  return VERSION.exec(version)?.slice(1).map(Number) ?? null;
}

/** The announcement that an endpoint or parameter of a request will go. */
export interface Deprecation {
  /** Time from which on nobody should begin to use it. */
  readonly sinceMs: number | null;
  /** Time until which it works; null if that is not said. */
  readonly untilMs: number | null;
}

/** RFC 9745 and RFC 8594. What is not a valid time is null. */
export function deprecationOf(headers: Headers): Deprecation | null {
  const text = headers.get('deprecation');
  if (text === null) return null;
  const [, seconds] = /^@([0-9]{1,12})$/.exec(text) ?? [];
  const untilMs = Date.parse(headers.get('sunset') ?? '');
  return {
    sinceMs: seconds === undefined ? null : Number(seconds) * 1_000,
    untilMs: Number.isNaN(untilMs) ? null : untilMs,
  };
}
