import { UsageError } from '../../model/errors.ts';
import type { StatePart } from '../../model/state-digest.ts';

const DEADLINE_MS = 10_000;
const BODY_BYTES_MAX = 16 * 2 ** 20;

/** What a service says of its state. */
export interface ServiceDigests {
  /** Its state now; null before its first slot. */
  readonly state: {
    readonly slot: number;
    readonly digest: string;
    readonly parts: readonly StatePart[];
  } | null;
  /** Digests by slot, that of `state` among them. */
  readonly digests: ReadonlyMap<number, string>;
}

/** Asks a service at a base URL for GET /v1/coverage. Throws UsageError with the way out. */
export async function fetchServiceDigests(
  baseUrl: string,
  key: string | null,
): Promise<ServiceDigests> {
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    throw new UsageError(`--url takes an http or https address, not "${baseUrl}".`);
  }
  const url = new URL('/v1/coverage', baseUrl);
  let text: string;
  try {
    const answer = await fetch(url, {
      headers: key === null ? {} : { 'x-api-key': key },
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    if (answer.status === 401) {
      throw new UsageError(`${url.host} wants an API key: set MINTSCOPE_API_KEY to one.`);
    }
    if (!answer.ok) throw new UsageError(`${url.host} answered with status ${answer.status}.`);
    text = await readBounded(answer);
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new UsageError(`${url.host} cannot be asked: ${message}.`, { cause: error });
  }
  const digests = parseServiceDigests(text);
  if (digests !== null) return digests;
  throw new UsageError(`${url.host} is not a service of this version: it states no digest.`);
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error(`its answer has more than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Null for anything but a coverage with digests. */
export function parseServiceDigests(text: string): ServiceDigests | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (!isCoverage(body)) return null;
  const digests = new Map(body.state_digests.map(({ slot, digest }) => [slot, digest]));
  if (body.state !== null) digests.set(body.state.slot, body.state.digest);
  return { state: body.state, digests };
}

interface CoverageOfState {
  readonly state: ServiceDigests['state'];
  readonly state_digests: readonly { readonly slot: number; readonly digest: string }[];
}

function isCoverage(body: unknown): body is CoverageOfState {
  if (!isRecord(body) || !Array.isArray(body.state_digests)) return false;
  if (!body.state_digests.every(isSlotDigest)) return false;
  const { state } = body;
  if (state === null) return true;
  return isSlotDigest(state) && Array.isArray(state.parts) && state.parts.every(isPart);
}

function isSlotDigest(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Number.isSafeInteger(value.slot) && typeof value.digest === 'string';
}

function isPart(value: unknown): boolean {
  return isRecord(value) && typeof value.name === 'string' && typeof value.sum === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
