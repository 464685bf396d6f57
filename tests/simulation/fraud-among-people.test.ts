import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Classification } from '../../src/model/fraud.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { PeopleMarket } from '../support/people-market.ts';

const TEST_MS = 240_000;
const SLOTS = 1_000;
const LAUNCHES = 20;

/** The findings in a market of people without any attacks. */
function findingsAmong(seed: string): { findings: Classification[]; evaluations: number } {
  // Volume bots are left out: they do the same as wash traders.
  const people = { ...PRESETS.market.people, volumeBot: 0 };
  const market = new PeopleMarket(seed, people, { keepsBlocks: false });
  market.planLaunches(LAUNCHES, SLOTS * 0.7);
  const engine = new Engine({ fallbackSolUsd });
  const findings: Classification[] = [];
  for (let passed = 0; passed < SLOTS; passed++) {
    const step = market.world.step();
    if (step?.isCanonical !== true) continue;
    const { classifications } = engine.apply(decodeBlock(toChainBlock(step.block)));
    findings.push(...classifications.filter(({ finding }) => finding.confidence >= 0.5));
  }
  return { findings, evaluations: engine.fraudWatch.evaluations };
}

describe('a market of people', () => {
  test(
    'with snipers at every launch, terminals, copiers and market makers gives no finding',
    () => {
      const { findings, evaluations } = findingsAmong('fraud among people');
      expect(evaluations).toBeGreaterThan(LAUNCHES);
      expect(findings.map(({ finding }) => [finding.fraudType, finding.mint])).toEqual([]);
    },
    TEST_MS,
  );
});
