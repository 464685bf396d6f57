import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTransaction } from '../../src/chain/rpc-json/read-block.ts';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import { SELF_EVENT_TAG } from '../../src/decoders/transaction/discriminator.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const FOLDER = 'jiangxiaop+solana-swap-scan/test/meteora';
/** Discriminators of the program's AddLiquidity and RemoveLiquidity, which the decoder ignores. */
const ADD = '1f5e7d5ae3343dba';
const REMOVE = '74f461e8671f983a';
/** Tag, discriminator, pool, provider and position precede the two amounts. */
const AMOUNTS_OFFSET = 16 + 3 * 32;

describe.skipIf(!hasTestData)('recorded Meteora DLMM liquidity', () => {
  test.each([
    ['add-lp.json', ADD, 1n],
    ['rm-lp.json', REMOVE, -1n],
  ])('in %s equals the amounts that the program itself reports', (file, discriminator, sign) => {
    const path = resolve(testData, 'chain', FOLDER, file);
    const reading = readTransaction(JSON.parse(readFileSync(path, 'utf8')));
    if (reading.status !== 'ok' || reading.value.transaction === null) throw new Error(file);
    const { transaction } = reading.value;
    const said = transaction.instructions
      .map(({ data }) => Buffer.from(data))
      .find((data) => data.toString('hex').startsWith(SELF_EVENT_TAG + discriminator));
    const amounts = [0, 8].map((at) => said?.readBigUInt64LE(AMOUNTS_OFFSET + at));
    const tally = new Tally();
    const { events } = decodeTransaction(transaction, 0, tally);
    const [liquidity, ...others] = events.filter((event) => event.kind === 'liquidity');
    expect(others).toEqual([]);
    expect([liquidity?.poolBaseDelta, liquidity?.poolQuoteDelta]).toEqual(
      amounts.map((amount) => (amount ?? 0n) * sign),
    );
    expect(tally.problems).toEqual([]);
  });
});
