import type { SlotChanges } from '../../model/derived.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { MintObserver } from './mint-observer.ts';

/**
 * After a slot was folded: wants the accounts of tokens whose supply it left unknown. One whose
 * account was among the slot's observations already is read once more: too much had happened since.
 */
export function offerMints(
  observer: Pick<MintObserver, 'offer' | 'offerAgain'>,
  { observations = [] }: SlotFacts,
  { slot, tokens }: SlotChanges,
): void {
  const observed = new Set(observations.map(({ mint }) => mint));
  for (const { mint, supplyRaw } of tokens) {
    if (supplyRaw !== null) continue;
    if (observed.has(mint)) observer.offerAgain(mint, slot);
    else observer.offer(mint, slot);
  }
}
