import { createHash } from 'node:crypto';
import { toBigintJson } from '../../lib/bigint-json.ts';
import type { PagePool } from '../../lib/pages/page-pool.ts';
import type { ProgramName } from '../../model/program.ts';
import type { Slot } from '../../model/units.ts';
import type { EngineCounters, SlotLink } from './engine-counters.ts';
import type { EngineState } from './engine-state.ts';

/** State of the engine outside of its books. */
export interface StateHead extends EngineCounters {
  readonly last: SlotLink | null;
  readonly timeMs: number;
  readonly timedSlot: Slot | null;
  readonly bundleDigest: string;
}

/** Books that the digest covers. */
export type DigestedState = Pick<
  EngineState,
  'fraud' | 'signals' | 'minutes'
>;

/** SHA-256 over lines of text, in the order given. */
export function digestOf(rows: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(row).update('\n');
  return hash.digest('hex');
}

/** A running digest for values that are not stored: over the previous digest and `values`. */
export function chainedDigest(previous: string, values: readonly unknown[]): string {
  return digestOf([previous, ...values.map(toRow)]);
}

/** All derived state as lines: sorted within each book, books in a fixed order. */
export function* stateRows(
  head: StateHead,
  pages: PagePool,
  { fraud, signals, minutes }: DigestedState,
): Iterable<string> {
  const { outcomes, inferredPrograms, ...rest } = head;
  for (const [space, name] of pages.spaceNames.entries()) yield `${name} ${pages.sumOf(space)}`;
  yield toRow(rest);
  for (const program of Object.keys(outcomes).sort()) {
    yield toRow([program, outcomes[program as ProgramName]]);
  }
  for (const [program, swaps] of [...inferredPrograms].sort()) yield toRow([program, swaps]);
  yield* minutes.digestRows();
  yield* fraud.digestRows();
  yield* signals.digestRows();
}

/**
 * One line for a value. Keys are in insertion order, which is fixed because each kind of value is
 * created in one place only. Bigints are marked: 1n, 1 and "1" differ.
 */
function toRow(value: unknown): string {
  return toBigintJson(value);
}
