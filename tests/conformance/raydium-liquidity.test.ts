import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTransaction } from '../../src/chain/rpc-json/read-block.ts';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/** Recorded transactions with effects stated by another project's tests. */
const FOLDER = 'ultravigilante+coinpusher/test/core/solana/data';

describe.skipIf(!hasTestData)('recorded Raydium liquidity', () => {
  test.each([
    ['3iySYF-raydium-v4-initialize', 'poolCreated'],
    ['5Jiq8i-raydium-v4-add-liquidity', 'liquidity'],
    ['5FpTSt-raydium-v4-remove-liquidity', 'liquidity'],
    ['28FDVn-raydium-cp-initialize', 'poolCreated'],
    ['3YWUfe-raydium-cp-deposit', 'liquidity'],
  ])('%s has the amounts that another project expects', (name, kind) => {
    const expected = readFileSync(resolve(testData, 'chain/EXPECTED.md'), 'utf8')
      .split('\n')
      .find((line) => line.includes(`**${name}**`));
    const { events, tokenBalances } = decodeFile(`${name}.json`);
    const [event, ...others] = events.filter((candidate) => candidate.kind === kind);
    expect(others).toEqual([]);
    if (event?.kind !== 'poolCreated' && event?.kind !== 'liquidity') throw new Error('no event');
    const [base, quote, lp] =
      event.kind === 'poolCreated'
        ? [event.baseRaw, event.quoteRaw, event.lpRaw]
        : [event.poolBaseDelta, event.poolQuoteDelta, event.lpDelta];
    for (const amount of [base, quote, lp]) {
      expect(expected).toContain(`"${String(amount).replace('-', '')}"`);
    }
    const gained = tokenBalances.map(({ before, after }) => after - before);
    expect(gained).toContain(base);
    expect(gained).toContain(quote);
  });
});

function decodeFile(file: string) {
  const answer = JSON.parse(readFileSync(resolve(testData, 'chain', FOLDER, file), 'utf8'));
  const reading = readTransaction(answer);
  if (reading.status !== 'ok' || reading.value.transaction === null) {
    throw new Error(`${file} could not be read`);
  }
  return decodeTransaction(reading.value.transaction, 0, new Tally());
}
