import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import type { FraudType } from '../../simulator/truth/labels.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { inspectCase } from '../../src/fraud/detect/inspect-case.ts';
import type { PriceE18 } from '../../src/model/units.ts';
import { runAttack } from '../support/scenario-stage.ts';

const fallbackSolUsd = (180n * 10n ** 18n) as PriceE18;
const ATTACKS: readonly FraudType[] = [
  'traditional_bundle',
  'late_bundle',
  'bundle_and_launder',
  'fake_dump',
  'coordinated_exit',
  'wash_volume',
];

describe('detectors', () => {
  test.each(ATTACKS)('publish of a viewed %s what they find in the whole case', (type) => {
    const engine = new Engine({ fallbackSolUsd });
    let compared = 0;
    for (const block of runAttack(type, 'easy', `viewed ${type}`).blocks) {
      const { classifications } = engine.apply(decodeBlock(toChainBlock(block)));
      for (const { state, finding } of classifications) {
        const mintCase = engine.mintCase(finding.mint);
        if (state === 'archived' || mintCase === null) continue;
        // A finding keeps its earliest start in all later versions.
        const { patternStartSlot } = finding;
        const whole = inspectCase(mintCase).map((found) => ({ ...found, patternStartSlot }));
        expect(whole).toContainEqual(finding);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(0);
  });
});
