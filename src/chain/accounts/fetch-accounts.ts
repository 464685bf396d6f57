import { type Address, isAddress, isSlot, type Slot } from '../../model/units.ts';
import type { RpcNode, RpcResult } from '../rpc/nodes/rpc-node.ts';
import type { AccountData } from './account-data.ts';

/** Accounts at the end of one slot. */
export interface AccountsAnswer {
  readonly contextSlot: Slot;
  /** In the order of the request; null for an account that is absent or longer than the bound. */
  readonly accounts: readonly (AccountData | null)[];
}

/** The most accounts `getMultipleAccounts` returns per call. */
export const ACCOUNTS_MAX = 100;
/** Longer accounts are neither a mint nor its metadata. */
const ACCOUNT_BYTES_MAX = 64 * 1_024;

export interface AccountsRequest {
  /** The accounts are read at the end of this slot or of a later one. */
  readonly minContextSlot: Slot;
  /** Longer accounts count as absent. Default: 64 KiB. */
  readonly accountBytesMax?: number;
}

/**
 * Requests at most 100 accounts at `confirmed` commitment, at `minContextSlot` or later. A node
 * that has not reached that slot fails with `rpc -32016`.
 */
export function fetchAccounts(
  node: RpcNode,
  addresses: readonly Address[],
  request: AccountsRequest,
  signal: AbortSignal,
): Promise<RpcResult<AccountsAnswer>> {
  const { minContextSlot } = request;
  const options = { encoding: 'base64', commitment: 'confirmed', minContextSlot };
  const read = (result: unknown) => readAnswer(result, addresses.length, request);
  return node.call('getMultipleAccounts', [addresses, options], read, signal);
}

interface Wire {
  readonly context?: { readonly slot?: unknown } | null;
  readonly value?: unknown;
}

function readAnswer(
  result: unknown,
  count: number,
  { minContextSlot, accountBytesMax = ACCOUNT_BYTES_MAX }: AccountsRequest,
): AccountsAnswer | null {
  if (typeof result !== 'object' || result === null) return null;
  const { context, value } = result as Wire;
  const slot = context?.slot;
  if (!isSlot(slot) || slot < minContextSlot) return null;
  if (!Array.isArray(value) || value.length !== count) return null;
  const accounts: (AccountData | null)[] = [];
  for (const item of value) {
    const account = readAccount(item, Math.ceil(accountBytesMax / 3) * 4);
    if (account === undefined) return null;
    accounts.push(account);
  }
  return { contextSlot: slot, accounts };
}

/** Returns undefined for a value that is not an account. */
function readAccount(item: unknown, base64CharsMax: number): AccountData | null | undefined {
  if (item === null) return null;
  if (typeof item !== 'object') return undefined;
  const { owner, data } = item as { owner?: unknown; data?: unknown };
  if (typeof owner !== 'string' || !isAddress(owner) || !Array.isArray(data)) {
    return undefined;
  }
  const [text, encoding] = data as readonly unknown[];
  if (typeof text !== 'string' || encoding !== 'base64') return undefined;
  if (text.length > base64CharsMax) return null;
  return { owner, bytes: Buffer.from(text, 'base64') };
}
