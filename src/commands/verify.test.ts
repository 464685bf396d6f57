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
import type { Lamports, Slot } from '../model/units.ts';
import { textOf, verdictOf } from './verify.ts';

/** As it stands in the file: JSON has been over it, as over every answer. */
const told = JSON.parse(JSON.stringify(presentDetail(fakeDetail())));

const verdictFor = (classification: Classification | null) =>
  verdictOf(told, { classification, lastSlot: 1_010 as Slot });
const differingFrom = (classification: Classification) =>
  verdictFor(classification)
    .items.filter(({ is_same }) => !is_same)
    .map(({ item }) => item);

describe('a verdict', () => {
  test('is that everything is the same where it is: score, features, evidence, wallets', () => {
    const verdict = verdictFor(buildClassification());
    expect(verdict.is_same).toBe(true);
    expect(verdict.items.map(({ item }) => item)).toEqual([
      'fraud_type',
      'token_address',
      'pair_address',
      'pattern_start_slot',
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

  test('does not heed when things were first seen, nor what people said', () => {
    const later = buildClassification({ createdMs: 0, updatedMs: 1, collectedMs: [1, 2, 3, 4] });
    expect(differingFrom(later)).toEqual([]);
    const reviewed = { ...told, status: 'confirmed', review: [{}] };
    expect(
      verdictOf(reviewed, { classification: buildClassification(), lastSlot: null }).is_same,
    ).toBe(true);
  });

  test('takes a negative zero for the zero that JSON has made of it', () => {
    const features = buildFinding().features.map((feature) =>
      feature.name === 'funding' ? { ...feature, value: -0 } : feature,
    );
    expect(differingFrom(buildClassification({ finding: { features } }))).toEqual([]);
  });

  test('names each thing that is another', () => {
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
          one.role === 'bundler' ? { ...one, spentLamports: 2_500_000_001n as Lamports } : one,
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

  test('names what was put into the file beside the figures: thresholds, sentences, labels, slots, the pool', () => {
    const [feature, ...features] = told.features;
    const [evidence, ...others] = told.evidence;
    const [wallet, ...wallets] = told.involved_wallets;
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
        { ...told, ...forged },
        { classification: buildClassification(), lastSlot: null },
      );
      expect(items.filter(({ is_same }) => !is_same).map((one) => one.item)).toEqual([item]);
    }
    const seenEarlier = { involved_wallets: [{ ...wallet, first_seen_slot: 1 }, ...wallets] };
    const verdict = verdictOf(
      { ...told, ...seenEarlier },
      { classification: buildClassification(), lastSlot: null },
    );
    expect(verdict.is_same).toBe(false);
  });

  test('names what only one of them has', () => {
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

  test('is no where the blocks come to nothing of the kind', () => {
    expect(verdictFor(null)).toMatchObject({ is_same: false, found_id: null });
    expect(textOf(verdictFor(null))).toBe(
      `different: the blocks do not come to finding ${classificationId(1)}\n`,
    );
  });
});

describe('a verdict as text', () => {
  test('has both values of what differs, and the count', () => {
    const text = textOf(verdictFor(buildClassification({ finding: { confidence: 0.5 } })));
    expect(text).toContain(
      'different  confidence_score\n  told     0.8581\n  found    0.5\ndifferent  confidence_level\n',
    );
    expect(text).toMatch(/\ndifferent: 2 of 19 items\n$/);
  });

  test('says when another finding of the type is compared with', () => {
    const text = textOf(verdictFor(buildClassification({ id: classificationId(2) })));
    expect(text).toContain(`compared with ${classificationId(2)}, of the same type and token\n`);
  });

  test('lets no text of the file near the terminal as it is', () => {
    const [feature, ...others] = told.features;
    const hostile = {
      ...told,
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

  test('answers 1 for a finding that the blocks do not come to', async () => {
    const wanted = writeLines(folder, 'later.json', [{ ...told, slot: 2 ** 40 }]);
    const { exitCode, stdout, stderr } = await runCommand(['verify', wanted, blocks, '--json']);
    expect(stderr).toMatch(/^the blocks end at slot \d+; the finding is of 1099511627776\n$/);
    expect(JSON.parse(stdout)).toEqual({
      id: classificationId(1),
      is_same: false,
      found_id: null,
      items: [],
    });
    expect(exitCode).toBe(1);
  });

  test('answers 2 for what cannot be used, in a sentence', async () => {
    const noFinding = await runCommand(['verify', blocks, blocks]);
    expect(noFinding.stderr).toMatch(/^mintscope: \S+blocks.jsonl is no JSON: [^\n]+\n$/);
    expect(noFinding.exitCode).toBe(2);
    const tooEarly = writeLines(folder, 'early.json', [{ ...told, slot: 0 }]);
    const nothing = await runCommand(['verify', tooEarly, blocks]);
    expect(nothing.stderr).toBe(
      'mintscope: The blocks hold no slot up to 0, which the finding is of.\n',
    );
    expect(nothing.exitCode).toBe(2);
  });

  test('explains itself', async () => {
    const { stdout, exitCode } = await runCommand(['verify', '--help']);
    expect(stdout).toContain('mintscope verify finding.json blocks/');
    expect(exitCode).toBe(0);
  });
});
