import { beforeAll, describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Classification } from '../../src/model/fraud.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { runAttack } from '../support/scenario-stage.ts';

const TYPES = ['wash_volume', 'bundle_and_launder'] as const;

/**
 * Crews that repeat their pattern: a ring that trades in a circle, one that sells and buys back.
 */
describe.each(TYPES)('a crew of %s', (type) => {
  const found: Classification[] = [];

  beforeAll(() => {
    const engine = new Engine({ fallbackSolUsd });
    for (const block of runAttack(type, 'medium', 'one crew').blocks) {
      found.push(...engine.apply(decodeBlock(toChainBlock(block))).classifications);
    }
  });

  test('is reported under one id, and at most one more where its sales look like the other type', () => {
    const idsOf = (fraudType: string) =>
      new Set(found.flatMap(({ id, finding }) => (finding.fraudType === fraudType ? [id] : [])));
    expect(idsOf(type).size).toBe(1);
    for (const other of TYPES) expect(idsOf(other).size).toBeLessThanOrEqual(1);
  });

  test('begins before it is detected', () => {
    const late = found.filter(
      ({ detectionSlot, finding }) =>
        detectionSlot !== null && finding.patternStartSlot > detectionSlot,
    );
    expect(late).toEqual([]);
  });
});
