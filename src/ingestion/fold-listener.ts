import type { SlotChanges } from '../model/derived.ts';

/** Told of each change of the state that answers, right after it. */
export interface FoldListener {
  /** A slot was folded, or taken back: what it changed is another now. */
  changed(slot: Pick<SlotChanges, 'tokens' | 'pools' | 'balances'>): void;
  /** Another fold answers from here on: everything may be another. */
  replaced(): void;
  /** One step of a source was taken: what is known of slots may be another. */
  stepped(): void;
}
