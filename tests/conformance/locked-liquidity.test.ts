import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTransaction } from '../../src/chain/rpc-json/read-block.ts';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import { Engine } from '../../src/engine/engine.ts';
import { slotFacts } from '../support/build-facts.ts';
import { hasTestData, testData } from '../support/test-data.ts';

interface RecordedBalances {
  readonly meta: {
    readonly postTokenBalances: readonly {
      readonly mint: string;
      readonly uiTokenAmount: { readonly amount: string };
    }[];
  };
}

/** Recorded creations of pools with LP tokens. */
describe.skipIf(!hasTestData)('the locked liquidity of a recorded new pool', () => {
  test.each([
    // A launchpad burns the LP tokens of the pool it migrates to.
    ['jiangxiaop+solana-swap-scan/test/pumpswap/pumpswap-create.json', 'all'],
    // A program that is not a venue creates a pool and burns its LP tokens.
    ['ultravigilante+coinpusher/test/core/solana/data/2ex9my-raydium-cp-initialize.json', 'all'],
    ['ultravigilante+coinpusher/test/core/solana/data/28FDVn-raydium-cp-initialize.json', 'none'],
    ['ultravigilante+coinpusher/test/core/solana/data/3iySYF-raydium-v4-initialize.json', 'none'],
  ])('in %s is %s of it: the LP tokens that no account holds any more', (file, share) => {
    const text = readFileSync(resolve(testData, 'chain', file), 'utf8');
    const reading = readTransaction(JSON.parse(text));
    if (reading.status !== 'ok' || reading.value.transaction === null) throw new Error(file);
    const facts = decodeTransaction(reading.value.transaction, 0, new Tally());
    const created = facts.events.find((event) => event.kind === 'poolCreated');
    if (created === undefined) throw new Error('no pool');
    const engine = new Engine({ fallbackSolUsd: null });
    engine.apply(slotFacts(1, null, [facts]));
    const locked = engine.lockedLiquidity(created.pool);
    const left = (JSON.parse(text) as RecordedBalances).meta.postTokenBalances
      .filter(({ mint }) => mint === created.lpMint)
      .reduce((sum, { uiTokenAmount }) => sum + BigInt(uiTokenAmount.amount), 0n);
    expect(locked?.issuedRaw).toBe(created.lpRaw);
    expect((locked?.issuedRaw ?? 0n) - (locked?.lockedRaw ?? 0n)).toBe(left);
    expect(left === 0n).toBe(share === 'all');
  });
});
