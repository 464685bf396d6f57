import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockText } from '../../../simulator/faces/format-block.ts';
import { stageScenario } from '../../../simulator/scenario-stage.ts';
import { buildRule } from '../../../tests/support/build-rule.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { ScenarioRecord } from '../../../tests/support/scenario-record.ts';
import { runBenign, runInnocentVariant } from '../../../tests/support/scenario-stage.ts';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import type { RuleFile } from '../../rules/file/rule-file.ts';
import { runTestsBySlots } from './run-tests-by-slots.ts';

type Tests = NonNullable<RuleFile['tests']>;

let folder: string;
let recorded: { readonly mint: string; readonly slots: readonly number[] };

/** The blocks of a scenario as a node answers them, one a line. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-rule-slots-'));
  const { blocks, benign } = runBenign('N4', 'recorded');
  recorded = { mint: benign?.mint ?? '', slots: blocks.map(({ slot }) => slot) };
  writeFileSync(
    join(folder, 'blocks.jsonl'),
    blocks.map((block) => blockText(block, 'base64')).join('\n'),
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

async function problemsOf(
  tests: Tests,
  given: Partial<RuleFile> = {},
  options: { readonly secondsMax?: number; readonly dataFolder?: string } = {},
) {
  const rule = buildRule({ cool_down_minutes: 0, ...given, tests });
  const problems: (string | null)[] = [];
  const file = join(folder, 'rule.yaml');
  const all = { file, dataFolder: undefined, writeProgress: () => undefined, ...options };
  for await (const { problem } of runTestsBySlots(rule, all)) problems.push(problem);
  return problems;
}

const onScenario = (name: string, expected: Tests[number]['expect'], more: object = {}): Tests => [
  { name: 'a test', scenario: { name, seed: 'one', ...more }, expect: expected },
];
const onSlots = (slots: Tests[number]['slots'], expected: Tests[number]['expect']): Tests => [
  { name: 'a test', slots: slots ?? { path: '.' }, expect: expected },
];

describe('a rule tested on a scenario', () => {
  test('hits the token that the scenario is about, and not the one beside it', async () => {
    // A burst of purchases after a call: dozens buy within minutes, while the other token has few.
    const rule = { when: 'pool.wallets >= 30' };
    expect(await problemsOf(onScenario('N4', { tokens: ['subject'] }), rule)).toEqual([null]);
    expect(await problemsOf(onScenario('N4', 'none'), rule)).toEqual([
      expect.stringMatching(/^It should have no hit and has \d+, of \w+\.$/),
    ]);
  });

  // Of the two tokens of this market, the name leaves the other one out.
  test('has one hit for each minute of a pool with a trade, as the fold judges it', async () => {
    const run = runInnocentVariant('busy-pair', 'one');
    const swaps = new ScenarioRecord(run).swaps(run.benign?.mint ?? address('none'));
    const minutes = new Set(
      swaps.map(({ pool, timeMs }) => `${pool} ${Math.floor(timeMs / 60_000)}`),
    );
    expect(minutes.size).toBeGreaterThan(5);
    const rule = { when: 'pool.swaps >= 1 && token.name != "Other Token"' };
    const atLeast = (hits: number) =>
      problemsOf(onScenario('busy-pair', { hits_at_least: hits }), rule);
    expect(await atLeast(minutes.size)).toEqual([null]);
    expect(await atLeast(minutes.size + 1)).toEqual([
      expect.stringContaining(`hits and has ${minutes.size}, of ${run.benign?.mint}`),
    ]);
  });

  test('is the same with the same seed, and another market with another', async () => {
    const subjectOf = (seed: string) => {
      const stage = stageScenario({ name: 'N4', seed, difficulty: 'easy' });
      for (const _ of stage?.blocks(20_000, 200) ?? []);
      return stage?.subject ?? '';
    };
    const rule = { when: 'pool.wallets >= 30' };
    const named = { tokens: [subjectOf('one')] };
    expect(await problemsOf(onScenario('N4', named), rule)).toEqual([null]);
    expect(subjectOf('two')).not.toBe(subjectOf('one'));
  });

  test.each([
    ['N44', {}, 'There is no scenario N44. Did you mean N4?'],
    ['constructor', {}, /^There is no scenario constructor\. Known are traditional_bundle, /],
    ['N4', { difficulty: 'hard' }, 'N4 is a look-alike, which has no difficulty: leave it out.'],
  ])('says of the scenario %s with %j what is wrong', async (name, more, sentence) => {
    expect(await problemsOf(onScenario(name, 'none', more))).toEqual([
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    ]);
  });

  test('ends when its time is over', async () => {
    expect(await problemsOf(onScenario('N4', 'none'), {}, { secondsMax: 0 })).toEqual([
      'It took longer than 0 s: test fewer slots.',
    ]);
  });

  test('takes an attack as well hidden as is asked', async () => {
    // Half of the wallets of a hard bundle have traded before; nothing is hidden in an easy one.
    const rule = { when: 'token.fraud_confidence > 0.9', cool_down_minutes: 1_000 };
    const easy = onScenario('traditional_bundle', { tokens: ['subject'] }, { difficulty: 'easy' });
    expect(await problemsOf(easy, rule)).toEqual([null]);
    const seeds = ['a', 'b', 'c', 'd'].flatMap((seed) =>
      onScenario('traditional_bundle', { tokens: ['subject'] }, { difficulty: 'hard', seed }),
    );
    expect((await problemsOf(seeds, rule)).some((problem) => problem !== null)).toBe(true);
  });
});

describe('a rule tested on recorded slots', () => {
  const rule = { when: 'pool.wallets >= 30' };

  test('hits what the scenario that was recorded is about', async () => {
    const tokens = { tokens: [recorded.mint] };
    expect(await problemsOf(onSlots({ path: 'blocks.jsonl' }, tokens), rule)).toEqual([null]);
  });

  test('is judged on the slots of a range, of which the first has the publication', async () => {
    const [first = 0] = recorded.slots;
    const untilSoon = { path: 'blocks.jsonl', from: first, to: first + 300 };
    expect(await problemsOf(onSlots(untilSoon, 'none'), rule)).toEqual([null]);
    const nothing = { path: 'blocks.jsonl', from: 1, to: 2 };
    expect(await problemsOf(onSlots(nothing, 'none'), rule)).toEqual([
      'There is no slot in that range.',
    ]);
  });

  test('is no success if no minute ends in them, since nothing was judged', async () => {
    const [first = 0] = recorded.slots;
    const few = { path: 'blocks.jsonl', from: first, to: first + 2 };
    expect(await problemsOf(onSlots(few, 'none'), rule)).toEqual([
      'No minute of a traded pool ends in these slots: the rule is not judged.',
    ]);
  });

  test('begins at the folder of recorded data if one is set, and says so if nothing is there', async () => {
    const dataFolder = join(folder, 'elsewhere');
    expect(await problemsOf(onSlots({ path: 'x.jsonl' }, 'none'), rule, { dataFolder })).toEqual([
      `There are no recorded slots at ${join(dataFolder, 'x.jsonl')}. Relative paths begin at MINTSCOPE_TEST_DATA, or at the folder of the rule if it is not set.`,
    ]);
  });

  test.skipIf(!hasTestData)('reads those of the main network', async () => {
    const path = 'chain/piotrostr+listen';
    const [problem] = await problemsOf(
      onSlots({ path }, { hits_at_least: 1 }),
      {},
      { dataFolder: testData },
    );
    expect(problem).toBeNull();
  });
});

test('a test that gives several things, or a confidence of hits, is refused', async () => {
  const both: Tests = [
    { name: 'both', features: {}, scenario: { name: 'N4', seed: 'one' }, expect: 'none' },
    { name: 'sure', scenario: { name: 'N4', seed: 'one' }, expect: 'none', confidence: 1 },
  ];
  expect(await problemsOf(both)).toEqual([
    'A test has one of features, minutes, scenario, slots.',
    'Only a test by features has a confidence.',
  ]);
});
