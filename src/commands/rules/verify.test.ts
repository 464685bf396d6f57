import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { toChainBlock } from '../../../simulator/faces/to-chain-block.ts';
import { BlockFiles } from '../../../simulator/faces/write-blocks.ts';
import { buildRule } from '../../../tests/support/build-rule.ts';
import { runCommand, temporaryFolder } from '../../../tests/support/command-line.ts';
import { itemSource } from '../../../tests/support/item-source.ts';
import { runAttack } from '../../../tests/support/scenario-stage.ts';
import { presentHit } from '../../api/present/present-rule.ts';
import { decodeBlock } from '../../decoders/decode-block.ts';
import { readPackage } from '../../detector-modules/package/read-package.ts';
import { openDetector } from '../../detector-modules/sandbox/open-detector.ts';
import { Engine } from '../../engine/engine.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { asPriceE18 } from '../../model/units.ts';
import type { CompiledRule } from '../../rules/compile-rule.ts';
import type { RuleFile } from '../../rules/file/rule-file.ts';
import { canonicalRule } from '../../rules/rule-id.ts';
import type { PublishedHit } from './read-hit.ts';
import { refoldHit } from './refold-hit.ts';
import { sentenceOf, verdictOf } from './verify.ts';

const fallbackSolUsd = asPriceE18(180n * 10n ** 18n);
const { blocks } = runAttack('wash_volume', 'easy', 'verify a rule');
const slots = blocks.map((block) => decodeBlock(toChainBlock(block)));

const FRAUD: Partial<RuleFile> = {
  name: 'washing',
  kind: 'fraud',
  scope: 'case',
  when: 'wash_volume.groups > 0',
  confidence: 'wash_volume.share / 2',
  reasons: [{ when: 'wash_volume.members > 1', add: 0.1, reason: 'Several wash together.' }],
  evidence: ['wash_volume.share', 'case.trades', 'fake_dump.drop'],
};
const RULES: readonly Partial<RuleFile>[] = [
  FRAUD,
  {
    ...{ name: 'joined', kind: 'fraud', scope: 'cluster', when: 'cluster.wallets >= 2' },
    ...{ confidence: 'cluster.strength / 2.0', evidence: ['cluster.wallets', 'case.trades'] },
  },
  { name: 'minute', when: 'pool.swaps > 2', evidence: ['pool.swaps', 'window.return_5m'] },
  { name: 'named', kind: 'label', label: 'busy', when: 'pool.swaps > 2' },
  {
    name: 'rise',
    when: 'pool.swaps > 0',
    sequence: [{ when: 'pool.buys > 2', within_minutes: 60 }],
  },
];

/** The hits of a rule that is published with the first slot, as a service gives them. */
function hitsOf(rule: CompiledRule): readonly RuleHit[] {
  const engine = new Engine({ fallbackSolUsd });
  const change = { author: 'operator', name: rule.file.name, content: canonicalRule(rule.file) };
  return slots.flatMap(
    (facts, place) =>
      engine.apply(place === 0 ? { ...facts, ruleChanges: [change] } : facts).ruleHits,
  );
}

function asAnswered(hit: RuleHit): PublishedHit {
  return JSON.parse(JSON.stringify(presentHit({ ...hit, outcome: null }, undefined)));
}

async function verdictFor(told: PublishedHit, rule: CompiledRule, from = slots) {
  const refolded = await refoldHit({
    source: itemSource(
      from.map((facts) => ({ kind: 'facts', facts })),
      true,
    ),
    author: { kind: 'rule', rule },
    wanted: { mint: told.token_address, pool: told.pair_address, slot: told.slot },
    engine: new Engine({ fallbackSolUsd }),
    onProblem: (problem) => {
      throw new Error(problem.message);
    },
  });
  return verdictOf(told, refolded);
}

describe.each(RULES)('a hit of $name', (given) => {
  const rule = buildRule({ ...given, cool_down_minutes: 1 });
  const hit = hitsOf(rule).at(-1);
  if (hit === undefined) throw new Error(`${given.name} never passed`);
  const told = asAnswered(hit);

  test('equals what its raw blocks give, whatever happened before', async () => {
    const verdict = await verdictFor(told, rule);
    expect(verdict.items.filter(({ is_same }) => !is_same)).toEqual([]);
    expect(verdict.is_same).toBe(true);
    expect(sentenceOf(verdict)).toBe(
      `The blocks give hit ${told.row_id} of ${rule.id} with the same confidence and evidence.`,
    );
  });

  test('differs when its confidence or a figure was changed', async () => {
    const [first, ...others] = told.evidence;
    if (first === undefined) throw new Error('a hit without evidence');
    const forged = { ...told, confidence: 0.99, evidence: [{ ...first, value: 77 }, ...others] };
    const verdict = await verdictFor(forged, rule);
    expect(verdict.items.filter(({ is_same }) => !is_same).map(({ item }) => item)).toEqual([
      'confidence',
      `evidence ${first.name}`,
    ]);
    expect(sentenceOf(verdict)).toContain(`confidence ${told.confidence} in place of 0.99`);
  });

  test('is not found in a slot in which the rule does not pass', async () => {
    const verdict = await verdictFor({ ...told, slot: slots[1]?.slot ?? 0 }, rule);
    expect(verdict).toMatchObject({ is_same: false, is_found: false, items: [] });
    expect(sentenceOf(verdict)).toContain('the rule does not pass there');
  });
});

test('a hit of kind fraud differs when a transaction of its evidence is taken out of the blocks', async () => {
  const rule = buildRule({ ...FRAUD, cool_down_minutes: 1 });
  const hit = hitsOf(rule).at(-1);
  if (hit === undefined) throw new Error('the rule never passed');
  const [signature] = hit.signatures;
  const without = (facts: SlotFacts): SlotFacts => ({
    ...facts,
    transactions: facts.transactions.filter((one) => one.signature !== signature),
  });
  const verdict = await verdictFor(asAnswered(hit), rule, slots.map(without));
  expect(verdict.is_same).toBe(false);
});

describe('mintscope rules verify', () => {
  const rule = buildRule({ ...FRAUD, cool_down_minutes: 1 });
  const [folder, blockFolder] = [temporaryFolder(), temporaryFolder()];
  const [hitFile, ruleFile] = [join(folder, 'hit.json'), join(folder, 'rule.yaml')];
  const told = asAnswered(hitsOf(rule).at(-1) as RuleHit);
  const verify = (...options: string[]) =>
    runCommand(['rules', 'verify', hitFile, ruleFile, blockFolder, ...options], {
      MINTSCOPE_SOL_USD_FALLBACK: '180',
    });

  beforeAll(async () => {
    const files = new BlockFiles({
      folder: blockFolder,
      ...{ encoding: 'base64', compression: null, blocksPerFile: 500 },
    });
    for (const block of blocks) await files.add(block);
    await files.finish();
    writeFileSync(hitFile, JSON.stringify(told));
    writeFileSync(ruleFile, canonicalRule(rule.file));
  });

  test('says in one sentence that the hit is the same, and as JSON with each item', async () => {
    const { stdout, exitCode } = await verify();
    expect(stdout).toMatch(
      /^The blocks give hit \d+ of washing@1.* with the same confidence and evidence\.\n$/,
    );
    expect(exitCode).toBe(0);
    const json = await verify('--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      rule_id: rule.id,
      is_same: true,
      is_found: true,
    });
  });

  test('ends with 1 for a hit that says something else', async () => {
    writeFileSync(hitFile, JSON.stringify({ ...told, confidence: 0.5 }));
    const { stdout, exitCode } = await verify();
    expect(stdout).toContain(`confidence ${told.confidence} in place of 0.5`);
    expect(exitCode).toBe(1);
    writeFileSync(hitFile, JSON.stringify(told));
  });

  describe('of a hit of an installed detector', () => {
    const name = 'mintscope-detector-one-payer';
    const detectors = temporaryFolder();
    const installed = join(detectors, 'node_modules', name);
    const bundled = runAttack('traditional_bundle', 'easy', 'verify a detector').blocks;
    const [detectorHit, bundledFolder] = [join(folder, 'detector-hit.json'), temporaryFolder()];
    const ofDetector = (place = name) =>
      runCommand(
        ['rules', 'verify', detectorHit, place, bundledFolder, '--detectors-folder', detectors],
        { MINTSCOPE_SOL_USD_FALLBACK: '180' },
      );
    let hit: PublishedHit;

    beforeAll(async () => {
      cpSync(`examples/detectors/${name}`, installed, { recursive: true });
      const files = new BlockFiles({
        folder: bundledFolder,
        ...{ encoding: 'base64', compression: null, blocksPerFile: 500 },
      });
      for (const block of bundled) await files.add(block);
      await files.finish();
      const detector = openDetector(readPackage(name, detectors));
      const engine = new Engine({ fallbackSolUsd, detectors: [detector] });
      const given = bundled.flatMap(
        (block) => engine.apply(decodeBlock(toChainBlock(block))).ruleHits,
      );
      const [first] = given;
      if (first === undefined) throw new Error('the detector found nothing');
      hit = asAnswered(first);
      writeFileSync(detectorHit, JSON.stringify(hit));
    });

    test('says that it is the same, and what is not', async () => {
      const { stdout, stderr, exitCode } = await ofDetector();
      expect([stderr, exitCode]).toEqual(['', 0]);
      expect(stdout).toBe(
        `The blocks give hit ${hit.row_id} of ${hit.rule_id} with the same confidence and evidence.\n`,
      );
      writeFileSync(detectorHit, JSON.stringify({ ...hit, confidence: 0.51 }));
      const forged = await ofDetector();
      expect(forged.exitCode).toBe(1);
      expect(forged.stdout).toContain(`confidence ${hit.confidence} in place of 0.51`);
      writeFileSync(detectorHit, JSON.stringify(hit));
    });

    test('refuses a package that is not installed, or has another file', async () => {
      const absent = await ofDetector('mintscope-detector-absent');
      expect(absent.exitCode).toBe(2);
      expect(absent.stderr).toContain('judges only where it is installed');
      expect(absent.stderr).toContain('npm install --prefix');
      writeFileSync(join(installed, 'NOTES.md'), 'Another file.');
      const other = await ofDetector();
      expect(other.exitCode).toBe(2);
      expect(other.stderr).toContain(`and the hit is of ${hit.rule_id}: install that version`);
      rmSync(join(installed, 'NOTES.md'));
    });
  });

  test('ends with 2 for another version of the rule, no hit, and blocks that end before it', async () => {
    writeFileSync(ruleFile, canonicalRule({ ...rule.file, version: 2 }));
    const other = await verify();
    expect([other.exitCode, other.stderr]).toEqual([
      2,
      expect.stringContaining('and the hit is of'),
    ]);
    writeFileSync(ruleFile, canonicalRule(rule.file));
    writeFileSync(hitFile, '{"hits": []}');
    const none = await verify();
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('is not a hit')]);
    writeFileSync(hitFile, JSON.stringify({ ...told, slot: 1 }));
    const early = await verify();
    expect([early.exitCode, early.stderr]).toEqual([2, expect.stringContaining('no slot up to 1')]);
    writeFileSync(hitFile, JSON.stringify(told));
  });
});
