import type { IncomingMessage } from 'node:http';
import type { Slot } from '../../model/units.ts';
import { MIN_SLOT_HEADER, parseMinSlot } from '../http/min-slot.ts';
import { keyTextIn } from '../http/presented-key.ts';

/** What a kept answer needs to know of the head of a request. */
export interface KeptHead {
  readonly key: string;
  readonly requestId: string | undefined;
  /** Slot that the answer must be as of, or a later one; null without one. */
  readonly minSlot: Slot | null;
}

/**
 * The key and the ID that a request gives, read without making an object of all its headers. Null
 * for a request without a key in a header or without exactly one host, and for one with a repeated
 * key or ID, a body, or a header that may change the answer. The key is that of `keyTextIn`.
 */
export function readKeptHead({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): KeptHead | null {
  const found: { [Name in (typeof READ)[number]]?: string } = {};
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string;
    // Most names are told apart by their length.
    if (!LENGTHS.has(given.length)) continue;
    const name = given.toLowerCase();
    if (name === 'host') hosts++;
    else if (isRead(name)) {
      if (found[name] !== undefined) return null;
      found[name] = rawHeaders[at + 1] as string;
    } else if (UNUSUAL.has(name)) return null;
  }
  return hosts === 1 ? headOf(found) : null;
}

function headOf(found: { readonly [Name in (typeof READ)[number]]?: string }): KeptHead | null {
  const { 'x-api-key': apiKey, authorization, 'x-request-id': requestId } = found;
  const key = keyTextIn({ apiKey: listOf(apiKey), authorization: listOf(authorization) });
  if (key === null) return null;
  const wanted = found[MIN_SLOT_HEADER];
  if (wanted === undefined) return { key, requestId, minSlot: null };
  const minSlot = parseMinSlot(wanted);
  return minSlot === null ? null : { key, requestId, minSlot };
}

function listOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

/** Headers whose values are used. */
const READ = ['x-api-key', 'authorization', 'x-request-id', MIN_SLOT_HEADER] as const;
const READ_NAMES: ReadonlySet<string> = new Set(READ);

function isRead(name: string): name is (typeof READ)[number] {
  return READ_NAMES.has(name);
}

/** Headers of requests that are left to the framework. */
const UNUSUAL: ReadonlySet<string> = new Set([
  'origin',
  'expect',
  'upgrade',
  'content-length',
  'transfer-encoding',
]);

const LENGTHS: ReadonlySet<number> = new Set(
  ['host', ...READ, ...UNUSUAL].map(({ length }) => length),
);
