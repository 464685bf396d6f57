import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, u8, u32 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { soldTo } from '../../../tests/support/pool-events.ts';
import { SALE } from '../../../tests/support/pool-legs.ts';
import {
  accountList,
  decodeDraft,
  payIn,
  payOut,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { openbookV1, serumV3 } from './openbook-v1.ts';

const SEND_TAKE = 13;
const IMMEDIATE = 1;
const RESTING = 0;
const ACCOUNTS = accountList(12, {
  0: 'market',
  5: 'user base',
  6: 'user sol',
  7: 'wallet',
  8: 'base vault',
  9: 'quote vault',
});

describe.each([openbookV1, serumV3])('an order book of $name', (program) => {
  const decode = (
    data: Uint8Array,
    inner: readonly InstructionDraft[] = SALE.legs,
    accounts: readonly string[] = ACCOUNTS,
  ) =>
    decodeDraft({
      instructions: [{ program: program.programId, accounts, data, inner }],
      tokenBalances: vaultBalances(SALE.vaults),
    });
  const tagged = (tag: number) => concat(u8(0), u32(tag), new Uint8Array(46));

  test('reads a trade from SendTake, which settles at once', () => {
    expect(decode(tagged(SEND_TAKE)).events).toMatchObject([
      soldTo(program.name, { pool: address('market') }),
    ]);
  });

  test('reads a trade from orders filled at once and their settlement, as their sum', () => {
    // A router sells 50: 10 of them find no buyer and are returned with the proceeds of the others.
    const placed = order(IMMEDIATE, [payIn('user base', 'base vault', 50n)]);
    const settled = settlement([
      payOut('base vault', 'user base', 10n),
      payOut('quote vault', 'user sol', 30n),
    ]);
    const { events } = decodeRouted([placed, settled]);
    expect(events).toMatchObject([
      {
        kind: 'swap',
        venue: program.name,
        pool: address('market'),
        outerIx: 0,
        innerIx: 2,
        trader: address('wallet'),
        side: 'sell',
        poolBaseDelta: 40n,
        poolQuoteDelta: -30n,
        traderBaseDelta: -40n,
        traderQuoteDelta: 30n,
        router: address('router'),
        quarantine: null,
      },
    ]);
  });

  test('reads no trade from a settlement that also covers resting orders, or other orders', () => {
    const paid = payIn('user base', 'base vault', 40n);
    const settled = settlement([payOut('quote vault', 'user sol', 30n)]);
    for (const calls of [
      [order(RESTING, [paid]), settled],
      [order(IMMEDIATE, [paid]), order(RESTING, []), settled],
      [order(IMMEDIATE, [paid], 'other open orders'), settled],
      [settled],
      [order(IMMEDIATE, [paid]), settlement([]), settled],
    ]) {
      const swaps = decodeRouted(calls).events.filter(({ kind }) => kind === 'swap');
      expect(swaps).toEqual([]);
    }
  });

  function decodeRouted(inner: readonly InstructionDraft[]) {
    return decodeDraft({
      instructions: [{ program: address('router'), data: u8(1), inner }],
      tokenBalances: vaultBalances(SALE.vaults),
    });
  }

  /** Side, price, quantities, self-trade rule, type, client and limit after the tag. */
  function order(type: number, inner: readonly InstructionDraft[], openOrders = 'open orders') {
    const accounts = accountList(12, { 0: 'market', 1: openOrders, 6: 'user base', 7: 'wallet' });
    const quantities = new Uint8Array(4 + 8 + 8 + 8 + 4);
    const data = concat(u8(0), u32(10), quantities, u32(type), new Uint8Array(10));
    return { program: program.programId, accounts, data, inner };
  }

  function settlement(inner: readonly InstructionDraft[]) {
    const accounts = accountList(9, {
      ...{ 0: 'market', 1: 'open orders', 2: 'wallet', 3: 'base vault', 4: 'quote vault' },
      ...{ 5: 'user base', 6: 'user sol' },
    });
    return { program: program.programId, accounts, data: concat(u8(0), u32(5)), inner };
  }

  test('reads no trade from placing or settling an order, whatever moves', () => {
    for (let tag = 0; tag <= 20; tag++) {
      if (tag === SEND_TAKE) continue;
      const { events, outcomes } = decode(tagged(tag));
      expect(events).toEqual([]);
      expect(outcomes[program.name]?.ignored).toBe(1);
    }
  });

  test('treats later tags, other versions and truncated data as unknown', () => {
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
    expect(decode(tagged(SEND_TAKE), SALE.legs, ACCOUNTS.slice(0, 9)).problems).toMatchObject([
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
