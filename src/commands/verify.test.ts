import { describe, expect, test } from 'vitest';
import {
  buildClassification,
  buildFinding,
  classificationId,
} from '../../tests/support/build-classification.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { runCommand, temporaryFolder, writeLines } from '../../tests/support/command-line.ts';
import { fakeDetail } from '../../tests/support/fake-api-deps.ts';
import { marketBlocks } from '../../tests/support/market-blocks.ts';
import { presentDetail } from '../api/present/present-classification.ts';
import type { Classification } from '../model/fraud.ts';
import { asLamports, asSlot } from '../model/units.ts';
import { textOf, verdictOf } from './verify.ts';

/** As in the file, after JSON serialisation like every response. */
const published = JSON.parse(JSON.stringify(presentDetail(fakeDetail())));

const verdictFor = (classification: Classification | null) =>
  verdictOf(published, { classification, lastSlot: asSlot(1_010) });
const differingFrom = (classification: Classification) =>
  verdictFor(classification)
    .items.filter(({ is_same }) => !is_same)
    .map(({ item }) => item);

describe('a verdict', () => {
  test('is the same for equal score, features, evidence and wallets', () => {
    const verdict = verdictFor(buildClassification());
    expect(verdict.is_same).toBe(true);
    expect(verdict.items.map(({ item }) => item)).toEqual([
      'fraud_type',
      'token_address',
      'pair_address',
      'pattern_start_slot',
      'detection_slot',
      'bias',
      'raw_score',
      'calibration_version',
      'confidence_score',
      'confidence_level',
      'estimated_value_at_risk',
      'feature share',
      'feature atomicity',
      'feature funding',
      'evidence bundled_transaction',
      'evidence common_funding',
      'evidence supply_concentration',
      'evidence suspicious_timing',
      `wallet ${address('creator')}`,
      `wallet ${address('buyer')}`,
    ]);
  });

  test('differs when the blocks yield the finding in another slot', () => {
    const { detectionSlot } = buildClassification();
    const later = buildClassification({ detectionSlot: asSlot((detectionSlot ?? 0) + 1) });
    expect(differingFrom(later)).toEqual(['detection_slot']);
  });

  test('ignores times of detection and reviews', () => {
    const later = buildClassification({ createdMs: 0, updatedMs: 1, collectedMs: [1, 2, 3, 4] });
    expect(differingFrom(later)).toEqual([]);
    const reviewed = { ...published, status: 'confirmed', review: [{}] };
    expect(
      verdictOf(reviewed, { classification: buildClassification(), lastSlot: null }).is_same,
    ).toBe(true);
  });

  test('treats a negative zero as the zero in JSON', () => {
    const features = buildFinding().features.map((feature) =>
      feature.name === 'funding' ? { ...feature, value: -0 } : feature,
    );
    expect(differingFrom(buildClassification({ finding: { features } }))).toEqual([]);
  });

  test('lists each different item', () => {
    const { features, evidence, wallets } = buildFinding();
    const changed = buildClassification({
      finding: {
        rawScore: 0.8,
        features: features.map((one) => (one.name === 'share' ? { ...one, value: 0.9 } : one)),
        evidence: evidence.map((one) =>
          one.payload.kind === 'timing'
            ? { ...one, payload: { ...one.payload, pattern: 'burst' } }
            : one,
        ),
        wallets: wallets.map((one) =>
          one.role === 'bundler' ? { ...one, spentLamports: asLamports(2_500_000_001n) } : one,
        ),
      },
    });
    expect(differingFrom(changed)).toEqual([
      'raw_score',
      'feature share',
      'evidence suspicious_timing',
      `wallet ${address('buyer')}`,
    ]);
  });

  test('lists changes of thresholds, descriptions, labels, slots and the pool', () => {
    const [feature, ...features] = published.features;
    const [evidence, ...others] = published.evidence;
    const [wallet, ...wallets] = published.involved_wallets;
    const forgeries = {
      pair_address: { pair_address: address('another pool') },
      confidence_level: { confidence_level: 'critical' },
      [`feature ${feature.name}`]: { features: [{ ...feature, threshold: [0, 1] }, ...features] },
      [`evidence ${evidence.evidence_type}`]: {
        evidence: [{ ...evidence, description: 'They said so.' }, ...others],
      },
      [`wallet ${wallet.address}`]: {
        involved_wallets: [{ ...wallet, labels: ['known_thief'] }, ...wallets],
      },
    };
    for (const [item, forged] of Object.entries(forgeries)) {
      const { items } = verdictOf(
        { ...published, ...forged },
        { classification: buildClassification(), lastSlot: null },
      );
      expect(items.filter(({ is_same }) => !is_same).map((one) => one.item)).toEqual([item]);
    }
    const seenEarlier = { involved_wallets: [{ ...wallet, first_seen_slot: 1 }, ...wallets] };
    const verdict = verdictOf(
      { ...published, ...seenEarlier },
      { classification: buildClassification(), lastSlot: null },
    );
    expect(verdict.is_same).toBe(false);
  });

  test('lists items that only one of them has', () => {
    const { evidence, wallets } = buildFinding();
    const [first] = evidence;
    if (first === undefined) throw new Error('no evidence');
    const changed = buildClassification({
      finding: { evidence: [...evidence, first], wallets: wallets.slice(0, 1) },
    });
    const verdict = verdictFor(changed);
    expect(verdict.is_same).toBe(false);
    expect(
      verdict.items
        .filter(({ is_same }) => !is_same)
        .map(({ item, told: one, found }) => [item, one === null, found === null]),
    ).toEqual([
      [`wallet ${address('buyer')}`, false, true],
      ['evidence bundled_transaction 2', true, false],
    ]);
  });

  test('is different if the blocks yield no such finding', () => {
    expect(verdictFor(null)).toMatchObject({ is_same: false, found_id: null });
    expect(textOf(verdictFor(null))).toBe(
      `different: the blocks do not yield finding ${classificationId(1)}\n`,
    );
  });
});

describe('a verdict as text', () => {
  test('contains both values of each difference, and the count', () => {
    const text = textOf(verdictFor(buildClassification({ finding: { confidence: 0.5 } })));
    expect(text).toContain(
      'different  confidence_score\n  told     0.8581\n  found    0.5\ndifferent  confidence_level\n',
    );
    expect(text).toMatch(/\ndifferent: 2 of 20 items\n$/);
  });

  test('reports when another finding of the type was compared', () => {
    const text = textOf(verdictFor(buildClassification({ id: classificationId(2) })));
    expect(text).toContain(`compared with ${classificationId(2)}, of the same type and token\n`);
  });

  test('prints no raw text of the file', () => {
    const [feature, ...others] = published.features;
    const hostile = {
      ...published,
      features: [{ ...feature, name: '\u001b]0;x\u0007\u202e\n' }, ...others],
    };
    const text = textOf(
      verdictOf(hostile, { classification: buildClassification(), lastSlot: null }),
    );
    expect(text).toMatch(/^[\x20-\x7e\n]+$/);
    expect(text).toContain('feature \\u001b]0;x\\u0007\\u202e\\u000a\n');
  });
});

describe('mintscope verify', () => {
  const folder = temporaryFolder();
  const blocks = writeLines(folder, 'blocks.jsonl', marketBlocks(3));

  test('exits with 1 for a finding that the blocks do not yield', async () => {
    const wanted = writeLines(folder, 'later.json', [{ ...published, slot: 2 ** 40 }]);
    const { exitCode, stdout, stderr } = await runCommand(['verify', wanted, blocks, '--json']);
    expect(stderr).toMatch(/^the blocks end at slot \d+; the finding is at slot 1099511627776\n$/);
    expect(JSON.parse(stdout)).toEqual({
      id: classificationId(1),
      is_same: false,
      found_id: null,
      items: [],
    });
    expect(exitCode).toBe(1);
  });

  test('exits with 2 and one sentence for unusable input', async () => {
    const noFinding = await runCommand(['verify', blocks, blocks]);
    expect(noFinding.stderr).toMatch(/^mintscope: \S+blocks.jsonl is not JSON: [^\n]+\n$/);
    expect(noFinding.exitCode).toBe(2);
    const tooEarly = writeLines(folder, 'early.json', [{ ...published, slot: 0 }]);
    const nothing = await runCommand(['verify', tooEarly, blocks]);
    expect(nothing.stderr).toBe(
      'mintscope: The blocks have no slot up to 0, the slot of the finding.\n',
    );
    expect(nothing.exitCode).toBe(2);
  });

  test('has help', async () => {
    const { stdout, exitCode } = await runCommand(['verify', '--help']);
    expect(stdout).toContain('mintscope verify finding.json blocks/');
    expect(exitCode).toBe(0);
  });
});
