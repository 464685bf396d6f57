import type { Address } from '../../../src/model/units.ts';
import type { SimulatedTransaction } from '../../chain/simulated-transaction.ts';
import type { ChainStep } from '../../market/world.ts';
import { TRANSACTION_ENCODINGS } from '../format-transaction.ts';
import { configuration } from './block-methods.ts';
import type { Commitment, TransactionPlace } from './block-window.ts';
import { requireContextSlot } from './chain-methods.ts';
import { toJson } from './json-text.ts';
import type { CallContext, Method } from './node-state.ts';
import {
  addressParameter,
  chosenOption,
  numberOption,
  type Options,
  optionsParameter,
  rootedCommitmentOption,
  signatureOf,
} from './parameters.ts';
import { invalidParams } from './rpc-error.ts';

const SIGNATURES_MAX = 1_000;

/** Transactions by signature and signatures by address, on the canonical branch. */
export const transactionMethods: Readonly<Record<string, Method>> = {
  getTransaction: ({ node, view }, params) => {
    if (params.length === 0) throw invalidParams('`params` should have at least 1 argument(s)');
    const signature = signatureOf(params[0]);
    const options = configuration(params, 1);
    const commitment = rootedCommitmentOption(options);
    const encoding = chosenOption(options, 'encoding', TRANSACTION_ENCODINGS) ?? 'json';
    const maxSupportedTransactionVersion =
      numberOption(options, 'maxSupportedTransactionVersion') ?? null;
    const found = node.window.find(signature);
    if (found === null || view.blockAt(found.block.slot, commitment) === null) return 'null';
    return node.answers.transactionText(found, { encoding, maxSupportedTransactionVersion });
  },
  getSignaturesForAddress: (context, params) => {
    const address = addressParameter(params, 0);
    const options = optionsParameter(params, 1);
    const limit = numberOption(options, 'limit') ?? SIGNATURES_MAX;
    if (limit === 0 || limit > SIGNATURES_MAX) {
      throw invalidParams(`Invalid limit; max ${SIGNATURES_MAX}`);
    }
    const commitment = rootedCommitmentOption(options);
    requireContextSlot(context.view.tip(commitment).slot, options);
    return toJson(signaturesFor(context, address, { ...rangeOf(options), limit, commitment }));
  },
};

interface SignatureRange {
  /** Both exclusive. */
  readonly before: string | undefined;
  readonly until: string | undefined;
}

function rangeOf({ before, until }: Options): SignatureRange {
  const read = (value: unknown) =>
    value === undefined || value === null ? undefined : signatureOf(value);
  return { before: read(before), until: read(until) };
}

/** Newest first. Empty if the signature to start before is unknown. */
function signaturesFor(
  { node, view }: CallContext,
  address: Address,
  range: SignatureRange & { readonly limit: number; readonly commitment: Commitment },
): object[] {
  const { before, until, limit, commitment } = range;
  const start = before === undefined ? null : node.window.find(before);
  if (before !== undefined && start === null) return [];
  const finalizedSlot = view.tip('finalized').slot;
  const steps = view.blocksBetween(-1, start?.block.slot ?? Number.MAX_SAFE_INTEGER, commitment);
  const found: object[] = [];
  for (const { step, transaction } of newestFirst(steps, start)) {
    if (transaction.signatures[0] === until && until !== undefined) break;
    if (!mentions(transaction, address)) continue;
    found.push(signatureLine(step, transaction, step.block.slot <= finalizedSlot));
    if (found.length === limit) break;
  }
  return found;
}

/** Transactions from the newest to the oldest, excluding those from `start` on. */
function* newestFirst(steps: readonly ChainStep[], start: TransactionPlace | null) {
  for (const step of steps.toReversed()) {
    const { slot, transactions } = step.block;
    const end = slot === start?.block.slot ? start.txIndex : transactions.length;
    for (const transaction of transactions.slice(0, end).reverse()) yield { step, transaction };
  }
}

function signatureLine({ block }: ChainStep, transaction: SimulatedTransaction, isFinal: boolean) {
  return {
    blockTime: block.blockTime,
    confirmationStatus: isFinal ? 'finalized' : 'confirmed',
    err: transaction.error,
    memo: null,
    signature: transaction.signatures[0],
    slot: block.slot,
  };
}

/** Whether a transaction refers to an address, including through tables. */
export function mentions(
  { staticKeys, loadedWritable, loadedReadonly }: SimulatedTransaction,
  address: Address,
): boolean {
  return (
    staticKeys.includes(address) ||
    loadedWritable.includes(address) ||
    loadedReadonly.includes(address)
  );
}
