import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blockText } from '../simulator/faces/format-block.ts';
import { createSimulation } from '../simulator/simulation.ts';
import { PRESETS } from '../simulator/simulation-presets.ts';
import { hasTestData, testData } from '../tests/support/test-data.ts';
import { Bystanders, MAINNET_MIX, tradesOf } from './live-bystanders.ts';

const COUNT = 400;
const VOTE = 'Program Vote111111111111111111111111111111111111111';
const RECORDED = [
  'ai-nyan-bot+bot/block_326027759.json',
  'helius-labs+photon/tests/data/blocks/index_block_metadata/254170887',
];
/** Programs whose calls do not classify a transaction: fees and account creation. */
const FRAME = ['ComputeBudget1', 'MemoSq4g', 'ATokenGP'];
const SYSTEM = '11111111111111111111111111111111';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

interface RecordedTransaction {
  readonly meta: { readonly err: unknown; readonly logMessages: readonly string[] };
}

function simulatedBlocks() {
  const config = { ...PRESETS.market, seed: 'bystanders', skipRate: 0, forkRate: 0 };
  const simulation = createSimulation(config);
  const blocks = Array.from({ length: 150 }, () => simulation.step()?.block ?? null);
  return blocks.flatMap((block) => (block === null ? [] : [block])).slice(-12);
}

function mixed(seed: string) {
  const bystanders = new Bystanders(seed);
  return simulatedBlocks().map((block) => bystanders.around(block, COUNT));
}

/** Programs in its log, without those of the fee and account set-up. */
function programsOf({ meta }: RecordedTransaction): Set<string> {
  const named = meta.logMessages.flatMap((line) => /^Program (\S+) invoke/.exec(line)?.[1] ?? []);
  return new Set(named.filter((program) => !FRAME.some((start) => program.startsWith(start))));
}

describe('transactions of a block other than trades', () => {
  test.skipIf(!hasTestData)('are counted in the two whole blocks of the test data', () => {
    const all = RECORDED.flatMap((name) => {
      const read = JSON.parse(readFileSync(join(testData, 'chain', name), 'utf8'));
      return (read.result ?? read).transactions as RecordedTransaction[];
    }).filter(({ meta }) => !meta.logMessages.some((line) => line.startsWith(VOTE)));
    const succeeded = all.filter(({ meta }) => meta.err === null).map(programsOf);
    const plain = succeeded.filter((programs) => [...programs].every(isPlain));
    const { trades, failed, sol, tokens, others } = MAINNET_MIX;
    expect(all.length).toBe(trades + failed + sol + tokens + others);
    expect(all.length - succeeded.length).toBe(failed);
    expect(plain.filter((programs) => programs.has(TOKEN)).length).toBe(tokens);
    expect(plain.filter((programs) => !programs.has(TOKEN)).length).toBe(sol);
  });

  test('leave the trades of the market unchanged and in order', () => {
    const blocks = simulatedBlocks();
    const bystanders = new Bystanders('any');
    for (const block of blocks) {
      const around = bystanders.around(block, COUNT);
      const own = new Set(block.transactions);
      expect(around.transactions.filter((each) => own.has(each))).toEqual(block.transactions);
      expect(around.transactions.length).toBe(block.transactions.length + COUNT);
      expect(around.transactions.filter((each) => !own.has(each)).flatMap(factsOf)).toEqual([]);
    }
  });

  test('fail, move SOL or tokens or call programs in the same shares, and are all distinct', () => {
    const bystanders = new Bystanders('any');
    const [first, ...blocks] = simulatedBlocks();
    // Before the first trade no trade can be late.
    if (first !== undefined) bystanders.around(first, 0);
    const made = blocks.flatMap((block) => {
      const own = new Set(block.transactions);
      return bystanders.around(block, COUNT).transactions.filter((each) => !own.has(each));
    });
    const { trades, failed, sol, tokens, others } = MAINNET_MIX;
    const shareOf = (count: number) => count / (failed + sol + tokens + others);
    const isNear = (count: number, share: number) => {
      const error = Math.sqrt((share * (1 - share)) / made.length);
      expect(Math.abs(count / made.length - share)).toBeLessThan(4 * error);
    };
    isNear(made.filter(({ error }) => error !== null).length, shareOf(failed));
    isNear(
      made.filter((each) => each.error === null && each.logs.length > 30).length,
      shareOf(others),
    );
    const moved = made.filter(
      ({ error, tokenBalances }) => error === null && tokenBalances.length > 0,
    );
    isNear(moved.length, shareOf(tokens));
    expect(new Set(made.map(({ signatures }) => signatures[0])).size).toBe(made.length);
    expect(tradesOf(trades + failed + sol + tokens + others)).toBe(trades);
  });

  test('cost only the fee when they fail', () => {
    const failed = mixed('any').flatMap(({ transactions }) =>
      transactions.filter(({ error }) => error !== null),
    );
    expect(failed.length).toBeGreaterThan(100);
    for (const { lamportsBefore, lamportsAfter, feeLamports, tokenBalances, logs } of failed) {
      const lost = lamportsBefore.map((before, index) => before - (lamportsAfter[index] ?? 0n));
      expect(lost).toEqual([feeLamports, ...lost.slice(1).map(() => 0n)]);
      for (const { beforeRaw, afterRaw } of tokenBalances) expect(afterRaw).toBe(beforeRaw);
      expect(logs.at(-1)).toContain('failed: custom program error');
    }
  });

  test('are the same bytes for the same seed, and others for another', () => {
    const textOf = (seed: string) =>
      mixed(seed)
        .slice(-2)
        .map((block) => blockText(block, 'base64'));
    const text = textOf('any');
    expect(textOf('any')).toEqual(text);
    expect(textOf('other')).not.toEqual(text);
  });
});

function isPlain(program: string): boolean {
  return program === SYSTEM || program === TOKEN;
}

function factsOf({ facts }: { readonly facts: readonly object[] }): readonly object[] {
  return facts;
}
