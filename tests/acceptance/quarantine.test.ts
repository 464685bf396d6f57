import { describe, expect, test } from 'vitest';
import { runCommand, temporaryFolder, writeLines } from '../support/command-line.ts';
import { marketBlocks } from '../support/market-blocks.ts';

interface RawTransaction {
  readonly transaction: { readonly signatures: readonly string[] };
  readonly meta: { readonly postTokenBalances: { uiTokenAmount: { amount: string } }[] };
}

/** The block with one more unit in each account of its first transaction's mints. */
function contradicted(block: Record<string, unknown>): [RawTransaction, Record<string, unknown>] {
  const copy = structuredClone(block);
  const [first] = copy.transactions as RawTransaction[];
  if (first === undefined) throw new Error('the block is empty');
  for (const { uiTokenAmount } of first.meta.postTokenBalances) {
    uiTokenAmount.amount = String(BigInt(uiTokenAmount.amount) + 1n);
  }
  return [first, copy];
}

describe('a swap that contradicts the vault balances', () => {
  const [block = {}] = marketBlocks(1);
  const [tampered, record] = contradicted(block);
  const path = writeLines(temporaryFolder(), 'block.jsonl', [record]);
  const [signature = ''] = tampered.transaction.signatures;
  const line = new RegExp(`${signature}: raydium_cpmm instruction 0: quarantined: .*vault balance`);

  test('is listed by an audit with its signature and the reason, and counted', async () => {
    const { stdout } = await runCommand(['audit', path]);
    expect(stdout).toMatch(line);
    const json = await runCommand(['audit', path, '--json']);
    const report = JSON.parse(json.stdout) as { problems: string[] };
    expect(report).toMatchObject({
      programs: { raydium_cpmm: { event: 3, quarantined: 1 } },
    });
    expect(report.problems.filter((problem) => line.test(problem))).toHaveLength(1);
  });
});
