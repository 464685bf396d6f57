import type { UndoLog } from '../../lib/undo-log.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { Address } from '../../model/units.ts';

/** Maximum number of programs counted by name, first seen first; the total includes all others. */
export const INFERRED_PROGRAMS_MAX = 256;

/** Counts a slot's inferred swaps by program. */
export function countInferred(
  programs: Map<Address, number>,
  { outcomes, transactions }: Pick<SlotFacts, 'outcomes' | 'transactions'>,
  undo: UndoLog,
): void {
  if (outcomes.inferred === undefined) return;
  for (const { events } of transactions) {
    for (const event of events) {
      if (event.kind !== 'swap' || event.program === undefined) continue;
      const { program } = event;
      if (!programs.has(program) && programs.size >= INFERRED_PROGRAMS_MAX) continue;
      undo.map(programs, program);
      programs.set(program, (programs.get(program) ?? 0) + 1);
    }
  }
}
