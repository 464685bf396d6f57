import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signature } from '../../../tests/support/build-transaction.ts';
import { rpcBlock, rpcLoose, rpcTransaction } from '../../../tests/support/rpc-records.ts';
import { readRecordedTransactions } from './recorded-transactions.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recorded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function readAll() {
  const items: object[] = [];
  for await (const item of readRecordedTransactions([folder])) items.push(item);
  return items;
}

test('records are in the order of files, with or without a slot, without votes', async () => {
  const vote = rpcBlock(7, []).transactions[0];
  writeFileSync(
    join(folder, 'a.json'),
    JSON.stringify([rpcTransaction('a'), rpcLoose(9, 'b'), vote]),
  );
  writeFileSync(join(folder, 'b.json'), JSON.stringify(rpcBlock(8, ['c'])));
  writeFileSync(join(folder, 'c.json'), '{');
  const origin = (name: string) => join(folder, name);
  expect(await readAll()).toMatchObject([
    {
      kind: 'transaction',
      slot: null,
      blockTimeMs: null,
      origin: origin('a.json'),
      transaction: { signature: signature('a') },
    },
    {
      kind: 'transaction',
      slot: 9,
      blockTimeMs: 1_700_000_000_000,
      origin: origin('a.json'),
      transaction: { signature: signature('b') },
    },
    { kind: 'block', origin: origin('b.json'), block: { slot: 8, voteCount: 1 } },
    { kind: 'problem', problem: { code: 'not-json', origin: origin('c.json') } },
  ]);
});

test('a block without a slot yields its transactions, exact and with their index', async () => {
  const { parentSlot: _, ...block } = rpcBlock(8, ['a', 'b']);
  const text = JSON.stringify(block).replace('[10,0,1]', '[18446744073709551615,0,1]');
  writeFileSync(
    join(folder, 'a.json'),
    text.replaceAll('"preBalances":[10', '"preBalances":[9007199254740993'),
  );
  const items = await readAll();
  expect(items).toMatchObject(
    ['a', 'b'].map((word, at) => ({
      kind: 'transaction',
      slot: null,
      blockTimeMs: 1_700_000_000_000,
      transaction: {
        signature: signature(word),
        txIndex: at + 1,
        lamportsBefore: [9_007_199_254_740_993n, 0n, 1n],
      },
    })),
  );
});
