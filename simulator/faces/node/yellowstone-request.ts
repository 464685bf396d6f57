import type { SimulatedTransaction } from '../../chain/simulated-transaction.ts';
import { keysOf } from '../format-instructions.ts';
import type { Commitment } from './block-window.ts';
import { fieldsOf, type WireField } from './yellowstone-wire.ts';

/** The transactions that match a filter; null means no restriction. */
export interface TransactionFilter {
  readonly vote: boolean | null;
  readonly failed: boolean | null;
  readonly signature: string | null;
  readonly accountInclude: readonly string[];
  readonly accountExclude: readonly string[];
  readonly accountRequired: readonly string[];
}

export interface BlockFilter {
  readonly accountInclude: readonly string[];
  readonly includeTransactions: boolean;
}

export interface SlotFilter {
  readonly filterByCommitment: boolean;
}

/** A `SubscribeRequest`, limited to what the simulated server supports. Filters by name. */
export interface StreamRequest {
  readonly slots: ReadonlyMap<string, SlotFilter>;
  readonly transactions: ReadonlyMap<string, TransactionFilter>;
  readonly blocks: ReadonlyMap<string, BlockFilter>;
  readonly blocksMeta: ReadonlyMap<string, null>;
  readonly commitment: Commitment;
  readonly fromSlot: number | null;
  /** Id of a ping. Such a request changes no filter. */
  readonly pingId: number | null;
}

const COMMITMENTS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

/**
 * Parses a request by the field numbers of geyser.proto. Throws RangeError with a message for the
 * client.
 */
export function parseStreamRequest(bytes: Uint8Array): StreamRequest {
  const fields = [...fieldsOf(bytes)];
  const commitment = COMMITMENTS[numberOf(fields, 6) ?? 0];
  if (commitment === undefined) throw new RangeError('failed to create filter: commitment');
  const ping = lastOf(fields, 9);
  return {
    slots: mapOf(fields, 2, toSlotFilter),
    transactions: mapOf(fields, 3, toTransactionFilter),
    blocks: mapOf(fields, 4, toBlockFilter),
    blocksMeta: mapOf(fields, 5, () => null),
    commitment,
    fromSlot: numberOf(fields, 11),
    pingId: ping instanceof Uint8Array ? (numberOf([...fieldsOf(ping)], 1) ?? 0) : null,
  };
}

/** Whether a transaction matches the filter. */
export function passes(filter: TransactionFilter, transaction: SimulatedTransaction): boolean {
  const { vote, failed, signature, accountInclude, accountExclude, accountRequired } = filter;
  if (vote !== null && vote !== transaction.isVote) return false;
  if (failed !== null && failed !== (transaction.error !== null)) return false;
  if (signature !== null && signature !== transaction.signatures[0]) return false;
  const keys = new Set<string>(keysOf(transaction));
  if (accountExclude.some((account) => keys.has(account))) return false;
  if (!accountRequired.every((account) => keys.has(account))) return false;
  return passesAccounts(accountInclude, keys);
}

/** An empty list matches everything. */
export function passesAccounts(
  accountInclude: readonly string[],
  keys: ReadonlySet<string>,
): boolean {
  return accountInclude.length === 0 || accountInclude.some((account) => keys.has(account));
}

function toSlotFilter(fields: readonly WireField[]): SlotFilter {
  return { filterByCommitment: flagOf(fields, 1) ?? false };
}

function toTransactionFilter(fields: readonly WireField[]): TransactionFilter {
  return {
    vote: flagOf(fields, 1),
    failed: flagOf(fields, 2),
    signature: textsOf(fields, 5).at(-1) ?? null,
    accountInclude: textsOf(fields, 3).map(addressIn),
    accountExclude: textsOf(fields, 4).map(addressIn),
    accountRequired: textsOf(fields, 6).map(addressIn),
  };
}

function toBlockFilter(fields: readonly WireField[]): BlockFilter {
  return {
    accountInclude: textsOf(fields, 1).map(addressIn),
    includeTransactions: flagOf(fields, 2) ?? true,
  };
}

function addressIn(text: string): string {
  if (/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return text;
  throw new RangeError(`failed to create filter: invalid pubkey ${text.slice(0, 50)}`);
}

function mapOf<Filter>(
  fields: readonly WireField[],
  number: number,
  toFilter: (fields: readonly WireField[]) => Filter,
): ReadonlyMap<string, Filter> {
  const filters = new Map<string, Filter>();
  for (const field of fields) {
    if (field.number !== number) continue;
    const entry = [...fieldsOf(bytesIn(field))];
    const value = lastOf(entry, 2);
    filters.set(
      textsOf(entry, 1).at(-1) ?? '',
      toFilter(value instanceof Uint8Array ? [...fieldsOf(value)] : []),
    );
  }
  return filters;
}

function bytesIn({ value }: WireField): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new RangeError('failed to decode Protobuf message: invalid wire type');
}

function lastOf(fields: readonly WireField[], number: number): bigint | Uint8Array | undefined {
  return fields.findLast((field) => field.number === number)?.value;
}

function numberOf(fields: readonly WireField[], number: number): number | null {
  const value = lastOf(fields, number);
  return typeof value === 'bigint' ? Number(value) : null;
}

function flagOf(fields: readonly WireField[], number: number): boolean | null {
  const value = numberOf(fields, number);
  return value === null ? null : value !== 0;
}

function textsOf(fields: readonly WireField[], number: number): string[] {
  return fields
    .filter((field) => field.number === number)
    .map((field) => Buffer.from(bytesIn(field)).toString());
}
