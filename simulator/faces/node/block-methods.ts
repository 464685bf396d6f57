import { type BlockFormat, TRANSACTION_DETAILS } from '../format-block.ts';
import { TRANSACTION_ENCODINGS } from '../format-transaction.ts';
import type { Commitment } from './block-window.ts';
import { requireContextSlot } from './chain-methods.ts';
import { toJson } from './json-text.ts';
import type { CallContext, Method } from './node-state.ts';
import {
  booleanOption,
  chosenOption,
  numberOption,
  type Options,
  optionsParameter,
  rootedCommitmentOption,
  slotParameter,
  wholeNumber,
} from './parameters.ts';
import {
  blockCleanedUp,
  blockNotAvailable,
  errorOfCode,
  invalidParams,
  missingInLongTermStorage,
  type RpcError,
  slotSkipped,
} from './rpc-error.ts';

const RANGE_MAX = 500_000;

/**
 * Methods for blocks by slot. Missing blocks are refused by the rules of agave's rpc/src/rpc.rs.
 */
export const blockMethods: Readonly<Record<string, Method>> = {
  getBlock: (context, params) => {
    const slot = slotParameter(params, 0);
    const options = configuration(params, 1);
    const commitment = rootedCommitmentOption(options);
    const format = blockFormatOf(options);
    const { node, view } = context;
    const step = view.blockAt(slot, commitment);
    if (step === null) throw missingBlock(context, slot);
    if (node.faults.strikes('falseSkip', context.key)) {
      throw errorOfCode(node.faults.settings.falseSkipCode, slot, 0);
    }
    const shown = node.answers.shown(step.block, view.tip('processed').slot);
    return node.answers.blockText(shown, format, context.key);
  },
  getBlockTime: (context, params) => {
    const slot = slotParameter(params, 0);
    const step = context.view.blockAt(slot, 'processed');
    const isFinal = slot <= context.view.tip('finalized').slot;
    const final = isFinal ? context.view.blockAt(slot, 'finalized') : step;
    if (final === null) throw missingBlock(context, slot);
    return String(final.block.blockTime);
  },
  getBlocks: (context, params) => {
    const first = slotParameter(params, 0);
    const hasEnd = typeof params[1] === 'number';
    const last = hasEnd ? wholeNumber(params[1]) : first + RANGE_MAX;
    const options = optionsParameter(params, hasEnd || params[1] === null ? 2 : 1);
    const commitment = rootedCommitmentOption(options);
    requireContextSlot(context.view.tip(commitment).slot, options);
    const end = Math.min(last, context.view.tip(commitment).slot);
    if (end - first > RANGE_MAX) throw invalidParams(`Slot range too large; max ${RANGE_MAX}`);
    return toJson(listedSlots(context, first, end, commitment));
  },
  getBlocksWithLimit: (context, params) => {
    const first = slotParameter(params, 0);
    const limit = slotParameter(params, 1);
    const options = optionsParameter(params, 2);
    const commitment = rootedCommitmentOption(options);
    if (limit > RANGE_MAX) throw invalidParams(`Limit too large; max ${RANGE_MAX}`);
    requireContextSlot(context.view.tip(commitment).slot, options);
    return toJson(listedSlots(context, first, Number.MAX_SAFE_INTEGER, commitment).slice(0, limit));
  },
};

/** Parses the block format options of calls and subscriptions. */
export function blockFormatOf(options: Options): BlockFormat {
  return {
    encoding: chosenOption(options, 'encoding', TRANSACTION_ENCODINGS) ?? 'json',
    transactionDetails: chosenOption(options, 'transactionDetails', TRANSACTION_DETAILS) ?? 'full',
    showRewards: booleanOption(options, 'rewards') ?? booleanOption(options, 'showRewards') ?? true,
    maxSupportedTransactionVersion: numberOption(options, 'maxSupportedTransactionVersion') ?? null,
  };
}

/** A configuration object, or the encoding alone in its position, as older clients send it. */
export function configuration(params: readonly unknown[], position: number): Options {
  const value = params[position];
  return typeof value === 'string' ? { encoding: value } : optionsParameter(params, position);
}

function listedSlots(
  { node, view, key }: CallContext,
  first: number,
  last: number,
  commitment: Commitment,
): number[] {
  return view
    .blocksBetween(first - 1, last, commitment)
    .map(({ block }) => block.slot)
    .filter((slot) => !node.faults.strikes('listHoles', `${key} ${slot}`));
}

/** The reason why there is no block: too new, no longer held, or a slot without one. */
function missingBlock({ node, view }: CallContext, slot: number): RpcError {
  if (slot > view.tip('finalized').slot) return blockNotAvailable(slot);
  if (slot >= view.firstAvailable) return slotSkipped(slot);
  return node.hasLongTermStorage
    ? missingInLongTermStorage(slot)
    : blockCleanedUp(slot, view.firstAvailable);
}
