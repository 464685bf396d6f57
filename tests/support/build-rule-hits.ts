import fc from 'fast-check';
import type { FindingPosition } from '../../src/model/finding-page.ts';
import type { RuleHit } from '../../src/model/rule-hit.ts';
import { asSlot } from '../../src/model/units.ts';
import { FINDING_MINTS, FINDING_WALLETS } from './build-findings.ts';
import { buildRuleHit } from './build-rule-hit.ts';

/** The id of one account is the beginning of another. */
export const HIT_AUTHORS = ['one', 'one.more', 'operator'] as const;

/** Hits in order of number that agree in many keys, so that ties are frequent. */
export const arbitraryHits: fc.Arbitrary<RuleHit[]> = fc
  .array(
    fc.record({
      author: fc.constantFrom(...HIT_AUTHORS),
      kind: fc.constantFrom('fraud', 'fraud', 'alert'),
      // Among the slots in which findings were detected.
      slot: fc.constantFrom(90, 91, 92),
      confidence: fc.constantFrom(0.2, 0.4999, 0.5, 0.6999, 0.7, 0.8999, 0.9),
      createdAtMs: fc.constantFrom(1_000, 2_000),
      mint: fc.constantFrom(...FINDING_MINTS),
      wallets: fc.subarray([...FINDING_WALLETS]),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all
      .sort((one, other) => one.slot - other.slot)
      .map(({ slot, ...hit }, at) => {
        const { outcome: _, ...built } = buildRuleHit({
          rowId: at + 1,
          slot: asSlot(slot),
          ...hit,
        });
        return built;
      }),
  );

/** What lists compare, written without the code under test. */
export function hitKey({ slot, confidence, rowId }: RuleHit, orderBy: string): FindingPosition {
  const id = `h${'0'.repeat(16 - String(rowId).length)}${rowId}`;
  if (orderBy === 'value_at_risk') return { key: null, id };
  return { key: BigInt(orderBy === 'detection' ? slot : Math.round(confidence * 10_000)), id };
}

interface AskedHits {
  readonly levels: readonly ('critical' | 'high' | 'medium' | 'low')[];
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly mint: string | null;
  readonly wallet: string | null;
}

/** Whether a hit is in a list, written without the code under test. */
export function isAskedHit(hit: RuleHit, asked: AskedHits): boolean {
  const ranges = { critical: [0.9, 2], high: [0.7, 0.9], medium: [0.5, 0.7], low: [0, 0.5] };
  const { mint, wallet, fromMs, toMs } = asked;
  return (
    asked.levels.some((level) => {
      const [least = 0, beyond = 0] = ranges[level];
      return hit.confidence >= least && hit.confidence < beyond;
    }) &&
    hit.createdAtMs >= (fromMs ?? 0) &&
    hit.createdAtMs < (toMs ?? Infinity) &&
    hit.mint === (mint ?? hit.mint) &&
    (wallet === null || hit.wallets.some((one) => one === wallet))
  );
}
