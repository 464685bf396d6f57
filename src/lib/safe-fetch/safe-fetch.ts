/**
 * The only outgoing requests to untrusted URLs: metadata, pictures, links, webhooks (RELIABILITY
 * §4.3). Every hop is parsed and resolved once, its addresses are checked to be public, and the
 * connection goes to exactly the checked address; redirects, sizes, codings and time are limited. A
 * failed request is returned as a value, never thrown.
 */
import { type Clock, monotonicClock } from '../clock.ts';
import { type DataContent, readDataUrl } from './data-url.ts';
import { GatewayRests } from './gateway-rests.ts';
import { contentUrls, type Gateways } from './gateways.ts';
import { HostGate } from './host-gate.ts';
import { parseTarget, type Target, type TargetRules } from './parse-target.ts';
import { type Answer, type Method, requestPinned } from './pinned-request.ts';
import { isPublicAddress } from './public-address.ts';
import { readBody } from './read-body.ts';
import { type Refusal, refused } from './refusal.ts';
import { createResolveHost } from './resolve-host.ts';

export interface SafeFetchSettings {
  readonly isHttpAllowed: boolean;
  readonly ports: readonly number[];
  readonly gateways: Gateways;
  readonly redirectsMax: number;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /**
   * From the first step to the last byte, including redirects; applies to each gateway separately.
   */
  readonly totalTimeoutMs: number;
  readonly perHostMax: number;
  readonly perHostWaitingMax: number;
  /** Resolves all addresses of a name. Default: through name servers. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly isAddressAllowed: (address: string) => boolean;
  /** Only for hosts chosen by the operator, never for untrusted ones. */
  readonly areLocalNamesAllowed: boolean;
  readonly clock: Clock;
}

export const SAFE_FETCH_DEFAULTS: SafeFetchSettings = {
  isHttpAllowed: false,
  ports: [80, 443],
  gateways: {
    ipfs: ['https://ipfs.io', 'https://dweb.link', 'https://gateway.pinata.cloud'],
    arweave: ['https://arweave.net'],
  },
  redirectsMax: 3,
  connectTimeoutMs: 3_000,
  headersTimeoutMs: 5_000,
  totalTimeoutMs: 10_000,
  perHostMax: 4,
  perHostWaitingMax: 256,
  resolve: createResolveHost(),
  isAddressAllowed: isPublicAddress,
  areLocalNamesAllowed: false,
  clock: monotonicClock,
};

export interface SafeRequest {
  readonly method?: Method;
  /** Sent to the first origin only, not to origins it redirects to. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Maximum size of the decompressed body; 0 fetches the status only. */
  readonly sizeMaxBytes: number;
}

export interface Fetched {
  readonly kind: 'ok';
  /** Of the last hop; 200 for a `data:` URL. */
  readonly status: number;
  readonly contentType: string | null;
  readonly retryAfter: string | null;
  readonly body: Uint8Array;
  readonly finalUrl: string;
  /** The cache key of the content: the same for all gateways. */
  readonly canonicalUrl: string;
  readonly redirects: number;
}

export type SafeFetch = (url: string, request: SafeRequest) => Promise<Fetched | Refusal>;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;
const CODINGS_WANTED = 'identity, gzip';

export function createSafeFetch(settings: Partial<SafeFetchSettings> = {}): SafeFetch {
  const all = { ...SAFE_FETCH_DEFAULTS, ...settings };
  const gate = new HostGate({ activeMax: all.perHostMax, waitingMax: all.perHostWaitingMax });
  const context = { settings: all, gate, rests: new GatewayRests(all.clock) };
  return async (url, request) => {
    const data = readDataUrl(url, request.sizeMaxBytes);
    if (data !== null) return data.kind === 'refused' ? data : fetchedData(data);
    const content = contentUrls(url, all.gateways);
    if (content === null) return await fetchOnce(context, url, url, request);
    return await fetchFromAny(context, content.urls, content.canonicalUrl, request);
  };
}

interface FetchContext {
  readonly settings: SafeFetchSettings;
  readonly gate: HostGate;
  readonly rests: GatewayRests;
}

function fetchedData({ contentType, body }: DataContent): Fetched {
  const url = 'data:';
  return {
    kind: 'ok',
    status: 200,
    contentType,
    retryAfter: null,
    body,
    finalUrl: url,
    canonicalUrl: url,
    redirects: 0,
  };
}

/**
 * Returns the first gateway's answer; the last one's if all are busy, broken or unreachable. A busy
 * or broken gateway is then skipped for a while.
 */
async function fetchFromAny(
  context: FetchContext,
  urls: readonly string[],
  canonicalUrl: string,
  request: SafeRequest,
): Promise<Fetched | Refusal> {
  let last: Fetched | Refusal = refused('host-busy', 'no gateway is available now');
  for (const url of urls) {
    const origin = URL.parse(url)?.origin ?? url;
    if (context.rests.isResting(origin)) continue;
    last = await fetchOnce(context, url, canonicalUrl, request);
    if (!isWorthAnother(last)) return last;
    if (last.kind === 'ok') context.rests.rest(origin, last.retryAfter);
  }
  return last;
}

/** Another gateway may succeed, except with a body that is too large. */
function isWorthAnother(outcome: Fetched | Refusal): boolean {
  if (outcome.kind === 'refused') return outcome.reason !== 'body-too-large';
  return outcome.status >= SERVER_ERROR || outcome.status === TOO_MANY_REQUESTS;
}

async function fetchOnce(
  context: FetchContext,
  url: string,
  canonicalUrl: string,
  request: SafeRequest,
): Promise<Fetched | Refusal> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), context.settings.totalTimeoutMs);
  try {
    return await followHops(context, url, canonicalUrl, request, deadline.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function followHops(
  context: FetchContext,
  first: string,
  canonicalUrl: string,
  request: SafeRequest,
  signal: AbortSignal,
): Promise<Fetched | Refusal> {
  const { redirectsMax } = context.settings;
  const firstOrigin = URL.parse(first)?.origin;
  let url = first;
  // Once a redirect leaves the origin, headers are no longer sent, even if it returns there.
  let isSameOrigin = true;
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const target = parseTarget(url, rulesOf(context.settings));
    if (target.kind === 'refused') return target;
    isSameOrigin &&= target.url.origin === firstOrigin;
    const headers = isSameOrigin ? (request.headers ?? {}) : {};
    const hop = await fetchHop(context, target, { ...request, headers }, signal);
    if (hop.kind === 'refused') return hop;
    if (hop.kind === 'page') {
      const { kind: _, ...page } = hop;
      return { kind: 'ok', ...page, finalUrl: url, canonicalUrl, redirects };
    }
    if (request.method === 'POST') return refused('redirect-not-followed', hop.location);
    const next = URL.parse(hop.location, url);
    if (next === null) return refused('redirect-not-followed', hop.location);
    url = next.href;
  }
  return refused('too-many-redirects', url);
}

function rulesOf(settings: SafeFetchSettings): TargetRules {
  const { isHttpAllowed, ports, isAddressAllowed, areLocalNamesAllowed } = settings;
  return { isHttpAllowed, ports, isAddressAllowed, areLocalNamesAllowed };
}

interface Page {
  readonly kind: 'page';
  readonly status: number;
  readonly contentType: string | null;
  readonly retryAfter: string | null;
  readonly body: Uint8Array;
}

type Hop = Page | { readonly kind: 'redirect'; readonly location: string } | Refusal;

async function fetchHop(
  { settings, gate }: FetchContext,
  target: Target,
  request: SafeRequest,
  signal: AbortSignal,
): Promise<Hop> {
  if (!(await gate.enter(target.host, signal))) {
    return refused(signal.aborted ? 'timed-out' : 'host-busy', target.host);
  }
  try {
    const addresses = await addressesOf(target, settings, signal);
    if ('kind' in addresses) return addresses;
    const pinned = {
      method: request.method ?? 'GET',
      headers: { ...request.headers, 'accept-encoding': CODINGS_WANTED },
      body: request.body ?? null,
      connectTimeoutMs: settings.connectTimeoutMs,
      headersTimeoutMs: settings.headersTimeoutMs,
      signal,
    };
    return await requestPinned(target, addresses, pinned, (answer) =>
      readHop(answer, request.sizeMaxBytes),
    );
  } finally {
    gate.leave(target.host);
  }
}

/** One address that is not allowed refuses the whole name: it was mixed in on purpose. */
async function addressesOf(
  { host, isAddress }: Target,
  settings: SafeFetchSettings,
  signal: AbortSignal,
): Promise<readonly string[] | Refusal> {
  if (isAddress) return [host];
  const addresses = await Promise.race([resolved(host, settings), aborted(signal)]);
  if (addresses === null) return refused('timed-out', host);
  if (addresses.length === 0) return refused('name-not-resolved', host);
  const forbidden = addresses.find((address) => !settings.isAddressAllowed(address));
  return forbidden === undefined ? addresses : refused('address-not-public', forbidden);
}

/** Empty if the name has no addresses or the resolution failed. */
async function resolved(host: string, settings: SafeFetchSettings): Promise<readonly string[]> {
  try {
    return await settings.resolve(host);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

async function aborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return null;
  return await new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

async function readHop(answer: Answer, sizeMaxBytes: number): Promise<Hop> {
  const { status } = answer;
  if (REDIRECTS.has(status)) {
    const location = answer.header('location');
    if (location === null) return refused('redirect-not-followed', 'no target');
    return { kind: 'redirect', location };
  }
  const page = {
    kind: 'page',
    status,
    contentType: answer.header('content-type'),
    retryAfter: answer.header('retry-after'),
  } as const;
  if (sizeMaxBytes === 0) return { ...page, body: new Uint8Array(0) };
  if (Number(answer.header('content-length') ?? 0) > sizeMaxBytes) {
    return refused('body-too-large', `${answer.header('content-length')} bytes`);
  }
  const coding = answer.header('content-encoding') ?? '';
  const body = await readBody(answer.body, coding, sizeMaxBytes);
  return body.kind === 'refused' ? body : { ...page, body: body.bytes };
}
