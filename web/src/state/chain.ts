import { signal } from '@preact/signals';

/** A slot of the topic `chain`. */
export interface ChainSlot {
  readonly slot: number;
  readonly timestamp: string | null;
  /** The newest slot that cannot be taken back. */
  readonly final_slot: number | null;
  readonly sol_price_usd: string | null;
}

/** The newest slot, live; null before the first one of the stream. */
export const newestSlot = signal<ChainSlot | null>(null);

/** Whether a fork may take a slot back still. Unknown slots are those of answers about the past. */
export function isPending(slot: number | null): boolean {
  const finalSlot = newestSlot.value?.final_slot ?? null;
  return slot !== null && finalSlot !== null && slot > finalSlot;
}
