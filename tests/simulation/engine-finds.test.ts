import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import type { AttackLabel, FraudType } from '../../simulator/truth/labels.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { runAttack, runBenign, type ScenarioRun } from '../support/scenario-stage.ts';

const TEST_MS = 400_000;
/** METHODS §7.10: bundles in slots after the pattern's last trade, all others in milliseconds. */
const LATE_SLOTS_MAX = 3;
const LATE_MS_MAX = 60_000;
const BUNDLES: readonly FraudType[] = ['traditional_bundle', 'late_bundle'];

/** The types that an engine reports, each with the slot and time of its first finding. */
function findingsOf({ blocks }: ScenarioRun) {
  const engine = new Engine({ fallbackSolUsd });
  const first = new Map<string, { readonly slot: number; readonly timeMs: number }>();
  for (const block of blocks) {
    const { classifications, slot, timeMs } = engine.apply(decodeBlock(toChainBlock(block)));
    for (const { state, finding } of classifications) {
      if (state !== 'active' || finding.confidence < 0.5) continue;
      if (!first.has(finding.fraudType)) first.set(finding.fraudType, { slot, timeMs });
    }
  }
  return first;
}

function endMsOf({ blocks }: ScenarioRun, { endSlot }: AttackLabel): number {
  const last = blocks.findLast(({ slot }) => slot <= (endSlot ?? 0));
  return (last?.blockTime ?? 0) * 1_000;
}

describe('an engine on its own schedule and with its own books', () => {
  test.each(
    (
      [
        'traditional_bundle',
        'late_bundle',
        'bundle_and_launder',
        'fake_dump',
        'coordinated_exit',
        'wash_volume',
      ] as const
    ).flatMap((type) => [[type, 'easy'] as const, [type, 'medium'] as const]),
  )(
    'reports a %s (%s) in time',
    (type, difficulty) => {
      const run = runAttack(type, difficulty, 'found by an engine');
      const label = run.attack as AttackLabel;
      const first = findingsOf(run).get(type);
      expect(first).toBeDefined();
      if (first === undefined) return;
      if (BUNDLES.includes(type)) {
        expect(first.slot - (label.endSlot ?? 0)).toBeLessThanOrEqual(LATE_SLOTS_MAX);
      } else expect(first.timeMs - endMsOf(run, label)).toBeLessThanOrEqual(LATE_MS_MAX);
    },
    TEST_MS,
  );

  test.each(['N1', 'N3', 'N4', 'N8', 'N11'] as const)(
    'reports nothing about the innocent %s',
    (family) => {
      expect([...findingsOf(runBenign(family, 'found by an engine')).keys()]).toEqual([]);
    },
    TEST_MS,
  );
});
