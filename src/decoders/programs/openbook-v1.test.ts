import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, u8, u32 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import {
  accountList,
  BASE_MINT,
  decodeDraft,
  payIn,
  payOut,
  type VaultChanges,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { openbookV1, serumV3 } from './openbook-v1.ts';

const SEND_TAKE = 13;
const ACCOUNTS = accountList(12, {
  0: 'market',
  5: 'user base',
  6: 'user sol',
  7: 'wallet',
  8: 'base vault',
  9: 'quote vault',
});
const SALE = [payIn('user base', 'base vault', 40n), payOut('quote vault', 'user sol', 30n)];
const SOLD: VaultChanges = { base: [100n, 140n], quote: [100n, 70n] };

describe.each([openbookV1, serumV3])('an order book of $name', (program) => {
  const decode = (
    data: Uint8Array,
    inner: readonly InstructionDraft[] = SALE,
    accounts: readonly string[] = ACCOUNTS,
  ) =>
    decodeDraft({
      instructions: [{ program: program.programId, accounts, data, inner }],
      tokenBalances: vaultBalances(SOLD),
    });
  const tagged = (tag: number) => concat(u8(0), u32(tag), new Uint8Array(46));

  test('trades by SendTake, which is settled at once', () => {
    expect(decode(tagged(SEND_TAKE)).events).toMatchObject([
      {
        kind: 'swap',
        venue: program.name,
        pool: address('market'),
        baseMint: BASE_MINT,
        trader: address('wallet'),
        side: 'sell',
        poolBaseDelta: 40n,
        poolQuoteDelta: -30n,
        traderQuoteDelta: 30n,
        quarantine: null,
      },
    ]);
  });

  test('tells of no trade when an order is placed or settled, whatever moves', () => {
    for (let tag = 0; tag <= 20; tag++) {
      if (tag === SEND_TAKE) continue;
      const { events, outcomes } = decode(tagged(tag));
      expect(events).toEqual([]);
      expect(outcomes[program.name]?.ignored).toBe(1);
    }
  });

  test('does not know later tags, other versions and cut data', () => {
    const reasons = [tagged(21), concat(u8(1), u32(SEND_TAKE)), u8(0), new Uint8Array(0)].map(
      (data) => decode(data).problems[0]?.reason,
    );
    expect(reasons).toEqual([
      'unknown discriminator 0015000000',
      'unknown discriminator 010d000000',
      'unknown discriminator 00',
      'unknown discriminator ',
    ]);
  });

  test('is malformed without its accounts and ignored when nothing was taken', () => {
    expect(decode(tagged(SEND_TAKE), SALE, ACCOUNTS.slice(0, 9)).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
    expect(decode(tagged(SEND_TAKE), []).outcomes[program.name]?.ignored).toBe(1);
  });

  test('never throws and never invents an amount', () => {
    const words = ['user base', 'user sol', 'base vault', 'quote vault', 'wallet'];
    const word = fc.constantFrom(...words);
    const transfer = fc.tuple(word, word, fc.bigInt({ min: 0n, max: 50n }));
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.array(word.map(address), { maxLength: 14 }),
        fc.array(transfer, { maxLength: 4 }),
        (rest, accounts, transfers) => {
          const inner = transfers.map(([from, to, amount]) => payIn(from, to, amount));
          const moved = transfers.reduce((sum, [, , amount]) => sum + amount, 0n);
          const { events, problems } = decode(concat(tagged(SEND_TAKE), rest), inner, accounts);
          expect(problems.filter(({ problem }) => problem === 'failed')).toEqual([]);
          for (const event of events) {
            if (event.kind !== 'swap') continue;
            const deltas = [event.poolBaseDelta, event.poolQuoteDelta, event.traderBaseDelta];
            expect(deltas.every((delta) => delta <= moved && -delta <= moved)).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
