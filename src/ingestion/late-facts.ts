import type { SourceItem } from '../chain/source.ts';
import { decodeBlock } from '../decoders/decode-block.ts';
import { DECODER_VERSION } from '../decoders/registry.ts';
import { attachObservations, compareObservations } from '../engine/attach-observations.ts';
import { mergeSlotFacts } from '../engine/merge-slot-facts.ts';
import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { ChainBlock } from '../model/transaction.ts';
import type { Slot } from '../model/units.ts';
import { keepBundles } from './exact-bundles.ts';
import { withRefusals } from './finding-refusals.ts';
import { withRuleChanges } from './rule-changes.ts';

/** An item with a slot. Facts are those of a whole block. */
export type SlotItem = Extract<SourceItem, { readonly kind: 'block' | 'facts' }>;

export function slotOf(item: SlotItem): Slot {
  return item.kind === 'facts' ? item.facts.slot : item.block.slot;
}

export function blockhashOf(item: SlotItem): string | null {
  return item.kind === 'facts' ? item.facts.blockhash : item.block.blockhash;
}

export function factsOf(item: SlotItem): SlotFacts {
  return item.kind === 'facts' ? item.facts : decodeBlock(item.block);
}

/** Whether both are whole but different blocks of the same slot. */
export function isOtherBlock(item: SlotItem, held: SlotFacts | null): held is SlotFacts {
  const isWhole = item.kind === 'facts' ? item.facts.isWhole : item.block.isWhole;
  if (held === null || !held.isWhole || !isWhole) return false;
  const blockhash = blockhashOf(item);
  return blockhash !== null && held.blockhash !== null && blockhash !== held.blockhash;
}

/** Two different blocks of a slot, without evidence against the stored one. */
export function otherBlockProblem(item: SlotItem, held: SlotFacts): SourceProblem {
  const message =
    `another block of the slot is stored (${held.blockhash}) and no later block contradicts it: ` +
    `${blockhashOf(item)} was left out`;
  return { code: 'other-block', origin: 'the log', position: `slot ${slotOf(item)}`, message };
}

/**
 * The facts to store for a slot currently stored as `held`; null if nothing changes. Observations
 * and exact bundles of the slot, refusals and changes of rules are kept, whichever record replaces it.
 */
export function lateFacts(item: SlotItem, held: SlotFacts | null): SlotFacts | null {
  if (held === null) return factsOf(item);
  const facts = lateRecord(item, held);
  if (facts === null) return null;
  const known = facts.observations ?? [];
  const lost = (held.observations ?? []).filter((observation) =>
    known.every((other) => compareObservations(observation, other) !== 0),
  );
  const kept = keepBundles(attachObservations(facts, lost), held);
  const changes = facts.ruleChanges === undefined ? held.ruleChanges : [];
  return withRuleChanges(withRefusals(kept, held.refusedFindings), changes);
}

function lateRecord(item: SlotItem, held: SlotFacts): SlotFacts | null {
  const offered = item.kind === 'facts' ? item.facts : item.block;
  const isOlder = held.decoderVersion < DECODER_VERSION;
  if (held.isWhole) return isOlder && offered.isWhole ? factsOf(item) : null;
  if (item.kind === 'facts' || offered.isWhole) return factsOf(item);
  if (isOlder && holdsAll(item.block, held)) return factsOf(item);
  const known = new Set(held.transactions.map((transaction) => transaction.signature));
  const transactions = item.block.transactions.filter(({ signature }) => !known.has(signature));
  if (transactions.length === 0) return null;
  return mergeSlotFacts(held, decodeBlock({ ...item.block, transactions }));
}

function holdsAll(block: ChainBlock, held: SlotFacts): boolean {
  const offered = new Set(block.transactions.map(({ signature }) => signature));
  return held.transactions.every(({ signature }) => offered.has(signature));
}
