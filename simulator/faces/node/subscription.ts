import type { Address } from '../../../src/model/units.ts';
import type { ChainStep } from '../../market/world.ts';
import type { BlockFormat } from '../format-block.ts';
import type { BlockAnswers } from './block-answers.ts';
import { blockFormatOf } from './block-methods.ts';
import type { ChainView, Commitment } from './block-window.ts';
import { toJson } from './json-text.ts';
import {
  addressOf,
  commitmentOption,
  type Options,
  optionsParameter,
  rootedCommitmentOption,
} from './parameters.ts';
import { invalidParams, methodNotFound, RpcError } from './rpc-error.ts';
import { mentions } from './transaction-methods.ts';

/** The subject of a subscription. */
export type Subscription =
  | { readonly kind: 'slot' | 'root' | 'slotsUpdates' }
  | {
      readonly kind: 'block';
      readonly commitment: Commitment;
      /** Null for every block, whole. */
      readonly mentioned: Address | null;
      readonly format: BlockFormat;
    }
  | {
      readonly kind: 'logs';
      readonly commitment: Commitment;
      readonly mentioned: Address | null;
      readonly withVotes: boolean;
    };

export const SUBSCRIPTION_KINDS = ['slot', 'root', 'slotsUpdates', 'block', 'logs'] as const;

/** Parses a call such as `blockSubscribe`. Throws RpcError. */
export function parseSubscription(method: string, params: readonly unknown[]): Subscription {
  switch (method) {
    case 'slotSubscribe':
      return { kind: 'slot' };
    case 'rootSubscribe':
      return { kind: 'root' };
    case 'slotsUpdatesSubscribe':
      return { kind: 'slotsUpdates' };
    case 'blockSubscribe': {
      const options = optionsParameter(params, 1);
      return {
        kind: 'block',
        commitment: rootedCommitmentOption(options),
        mentioned: blockFilter(params[0]),
        format: blockFormatOf(options),
      };
    }
    case 'logsSubscribe': {
      const filter = params[0];
      return {
        kind: 'logs',
        commitment: commitmentOption(optionsParameter(params, 1)),
        mentioned: logsFilter(filter),
        withVotes: filter === 'allWithVotes',
      };
    }
    default:
      throw methodNotFound();
  }
}

function blockFilter(filter: unknown): Address | null {
  if (filter === 'all') return null;
  return addressOf(objectFilter(filter).mentionsAccountOrProgram);
}

function logsFilter(filter: unknown): Address | null {
  if (filter === 'all' || filter === 'allWithVotes') return null;
  const { mentions: list } = objectFilter(filter);
  if (!Array.isArray(list) || list.length !== 1) {
    throw invalidParams('Invalid Request: Only 1 address supported');
  }
  return addressOf(list[0]);
}

function objectFilter(filter: unknown): Options {
  if (typeof filter === 'object' && filter !== null) return filter as Options;
  throw invalidParams('Invalid params: unknown filter.');
}

/** One notification: its slot, and its result as JSON text. */
export interface Notification {
  readonly slot: number;
  readonly resultJson: string;
}

/** The notifications of a subscription for a new block. `before` is the previous view. */
export function notificationsOf(
  subscription: Subscription,
  before: ChainView,
  after: ChainView,
  answers: BlockAnswers,
): readonly Notification[] {
  switch (subscription.kind) {
    case 'slot':
      return newBlocks(before, after, 'processed').map(({ block: { slot, parentSlot } }) =>
        notification(slot, { parent: parentSlot, root: after.tip('finalized').slot, slot }),
      );
    case 'root':
      return newBlocks(before, after, 'finalized').map(({ block: { slot } }) =>
        notification(slot, slot),
      );
    case 'slotsUpdates':
      return slotsUpdates(before, after);
    case 'block':
      return newBlocks(before, after, subscription.commitment).flatMap((step) =>
        blockNotification(subscription, step, after, answers),
      );
    case 'logs':
      return newBlocks(before, after, subscription.commitment).flatMap((step) =>
        logsNotifications(subscription, step),
      );
  }
}

function newBlocks(before: ChainView, after: ChainView, commitment: Commitment) {
  return after.blocksBetween(before.tip(commitment).slot, Number.MAX_SAFE_INTEGER, commitment);
}

function notification(slot: number, result: unknown): Notification {
  return { slot, resultJson: toJson(result) };
}

function slotsUpdates(before: ChainView, after: ChainView): Notification[] {
  const types = { processed: 'completed', confirmed: 'optimisticConfirmation', finalized: 'root' };
  return (['processed', 'confirmed', 'finalized'] as const).flatMap((commitment) =>
    newBlocks(before, after, commitment).map(({ block: { slot, blockTime } }) =>
      notification(slot, { slot, timestamp: blockTime * 1_000, type: types[commitment] }),
    ),
  );
}

function blockNotification(
  { mentioned, format }: Subscription & { readonly kind: 'block' },
  { block }: ChainStep,
  after: ChainView,
  answers: BlockAnswers,
): Notification[] {
  const { slot } = block;
  const shown = answers.shown(block, after.tip('processed').slot);
  const transactions =
    mentioned === null
      ? shown.transactions
      : shown.transactions.filter((transaction) => mentions(transaction, mentioned));
  if (mentioned !== null && transactions.length === 0) return [];
  const context = `"context":{"slot":${slot}}`;
  try {
    const isWhole = mentioned === null;
    const part = isWhole ? shown : { ...shown, transactions };
    const key = `notified ${slot} ${mentioned ?? 'all'}`;
    const text = answers.blockText(part, format, key, isWhole);
    return [
      { slot, resultJson: `{${context},"value":{"slot":${slot},"block":${text},"err":null}}` },
    ];
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const err = '{"UnsupportedTransactionVersion":0}';
    return [
      { slot, resultJson: `{${context},"value":{"slot":${slot},"block":null,"err":${err}}}` },
    ];
  }
}

function logsNotifications(
  { mentioned, withVotes }: Subscription & { readonly kind: 'logs' },
  { block }: ChainStep,
): Notification[] {
  return block.transactions
    .filter(
      (transaction) =>
        (withVotes || mentioned !== null || !transaction.isVote) &&
        (mentioned === null || mentions(transaction, mentioned)),
    )
    .map(({ signatures, error, logs }) =>
      notification(block.slot, {
        context: { slot: block.slot },
        value: { signature: signatures[0], err: error, logs },
      }),
    );
}
