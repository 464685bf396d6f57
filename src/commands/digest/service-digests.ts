import { ServiceError, UsageError } from '../../model/errors.ts';
import type { StatePart } from '../../model/state-digest.ts';
import { askService } from '../client/ask-service.ts';
import type { ServiceAddress } from '../client/service-address.ts';

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

/** More than a service lists, or than the names and sums of its parts have characters. */
const LIST_LENGTH_MAX = 1_000;
const TEXT_LENGTH_MAX = 200;

/** Asks a service for GET /v1/coverage. Throws UsageError with the way out. */
export async function fetchServiceDigests(address: ServiceAddress): Promise<ServiceDigests> {
  let text: string;
  try {
    ({ text } = await askService(address, { path: '/v1/coverage' }));
  } catch (error) {
    // There is nothing to compare; a difference has another exit code.
    if (error instanceof ServiceError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
  const digests = parseServiceDigests(text);
  if (digests !== null) return digests;
  throw new UsageError(
    `${address.baseUrl.host} is not a service of this version: it states no digest.`,
  );
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
  if (!isRecord(body) || !isListOf(body.state_digests, isSlotDigest)) return false;
  const { state } = body;
  if (state === null) return true;
  return isSlotDigest(state) && isListOf(state.parts, isPart);
}

function isListOf(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= LIST_LENGTH_MAX && value.every(isMember);
}

function isSlotDigest(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && isSlot(value.slot) && isShortText(value.digest);
}

function isPart(value: unknown): boolean {
  return isRecord(value) && isShortText(value.name) && isShortText(value.sum);
}

function isSlot(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= TEXT_LENGTH_MAX;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
