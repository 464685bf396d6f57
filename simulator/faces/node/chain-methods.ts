import type { Commitment, Tip } from './block-window.ts';
import { toJson } from './json-text.ts';
import type { CallContext, Method } from './node-state.ts';
import { commitmentOption, numberOption, type Options, optionsParameter } from './parameters.ts';
import { minContextSlotNotReached } from './rpc-error.ts';

const EPOCH_SLOTS = 432_000;
/** Number of blocks for which a blockhash is valid. */
const BLOCKHASH_LIFETIME = 150;

/** The reported version; the values of a real release. */
const VERSION = { 'feature-set': 3_271_415_109, 'solana-core': '3.0.6' };

/** Methods about the state of the chain and the identity of the node. */
export const chainMethods: Readonly<Record<string, Method>> = {
  getSlot: (context, params) => String(tipOf(context, optionsParameter(params, 0)).slot),
  getBlockHeight: (context, params) =>
    String(tipOf(context, optionsParameter(params, 0)).blockHeight),
  getLatestBlockhash: (context, params) => {
    const tip = tipOf(context, optionsParameter(params, 0));
    const { blockhash, blockHeight } = tip;
    const lastValidBlockHeight = blockHeight + BLOCKHASH_LIFETIME;
    return inContext(tip.slot, { blockhash, lastValidBlockHeight });
  },
  getSlotLeader: (context, params) => {
    const { step } = tipOf(context, optionsParameter(params, 0));
    return toJson(step?.block.leader ?? context.view.tip('processed').step?.block.leader);
  },
  getEpochInfo: (context, params) => {
    const { slot: absoluteSlot, blockHeight } = tipOf(context, optionsParameter(params, 0));
    return toJson({
      absoluteSlot,
      blockHeight,
      epoch: Math.floor(absoluteSlot / EPOCH_SLOTS),
      slotIndex: absoluteSlot % EPOCH_SLOTS,
      slotsInEpoch: EPOCH_SLOTS,
      transactionCount: null,
    });
  },
  getFirstAvailableBlock: ({ view }) => String(view.firstAvailable),
  minimumLedgerSlot: ({ view }) => String(view.firstAvailable),
  getGenesisHash: ({ node }) => toJson(node.genesisHash),
  getVersion: () => toJson(VERSION),
  getHealth: () => '"ok"',
};

/** The tip of the requested commitment. Throws RpcError -32016 before `minContextSlot`. */
export function tipOf({ view }: CallContext, options: Options, fallback?: Commitment): Tip {
  const tip = view.tip(commitmentOption(options, fallback));
  requireContextSlot(tip.slot, options);
  return tip;
}

export function requireContextSlot(slot: number, options: Options): void {
  const least = numberOption(options, 'minContextSlot');
  if (least !== undefined && slot < least) throw minContextSlotNotReached(slot);
}

/** A value with the slot it refers to, as methods that read accounts answer. */
export function inContext(slot: number, value: unknown): string {
  return toJson({ context: { apiVersion: VERSION['solana-core'], slot }, value });
}
