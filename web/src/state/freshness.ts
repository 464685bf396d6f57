import { signal } from '@preact/signals';
import type { Success } from '../api/client.ts';

/** What the newest answer of the page's view is as of. */
export interface ShownFreshness {
  readonly slot: number | null;
  readonly ageMs: number | null;
  readonly isComplete: boolean;
  /** When it was received, on this machine's clock. */
  readonly receivedAtMs: number;
}

/** Shown in the status line; null before the first answer. */
export const freshness = signal<ShownFreshness | null>(null);

/** Whether the service says that the chain is simulated. */
export const isSimulated = signal(false);

/**
 * Shows an answer's slot, age and completeness in the status line. An answer that does not depend on
 * slots, as a list of triggers, leaves what is shown of the others.
 */
export function showFreshness({ slot, ageMs, isComplete, ...answer }: Success<unknown>): void {
  if (slot !== null) freshness.value = { slot, ageMs, isComplete, receivedAtMs: Date.now() };
  isSimulated.value = answer.isSimulated;
}
