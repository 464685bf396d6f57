import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { boughtFrom } from '../../../tests/support/pool-events.ts';
import { balance, readDraft } from '../../../tests/support/swap-draft.ts';
import { transfer, transferChecked } from '../../../tests/support/token-instructions.ts';
import { USDC, WRAPPED_SOL } from '../../model/program.ts';
import { asRawAmount } from '../../model/units.ts';

const MINT = address('mint');

/** A pool of 1,000 tokens and 500 SOL, in raw units, before the transaction. */
const vaults = (base: bigint, quote: bigint, quoteMint: string = WRAPPED_SOL) => [
  balance('base vault', MINT, 'pool', 1_000n, base, 6),
  balance('quote vault', quoteMint, 'pool', 500n, quote, 9),
];
const wallets = [
  balance('wallet base', MINT, 'wallet', 0n, 0n, 6),
  balance('wallet quote', WRAPPED_SOL, 'wallet', 0n, 0n, 9),
];
const pay = (amount: bigint) =>
  transfer({ from: 'wallet quote', to: 'quote vault', by: 'wallet', amount });
const get = (amount: bigint) =>
  transfer({ from: 'base vault', to: 'wallet base', by: 'pool', amount });

describe('a swap', () => {
  test('is what the two vaults received and paid', () => {
    const { reading } = readDraft({
      inner: [pay(50n), get(90n)],
      balances: [...vaults(910n, 550n), ...wallets],
    });
    expect(reading).toEqual({
      status: 'event',
      event: boughtFrom('raydium_cpmm', {
        baseMint: MINT,
        poolBaseDelta: -90n,
        poolQuoteDelta: 50n,
        traderBaseDelta: 90n,
        traderQuoteDelta: -50n,
        reserves: { base: 910n, quote: 550n, virtualBase: null, virtualQuote: null },
      }),
    });
  });

  test('names the program that called the venue', () => {
    const { swap } = readDraft({
      inner: [pay(50n), get(90n)],
      balances: [...vaults(910n, 550n), ...wallets],
      caller: 'aggregator',
    });
    expect(swap?.router).toBe(address('aggregator'));
  });

  test('is a sell when the base vault received', () => {
    const inner = [
      transfer({ from: 'wallet base', to: 'base vault', by: 'wallet', amount: 90n }),
      transfer({ from: 'quote vault', to: 'wallet quote', by: 'pool', amount: 40n }),
    ];
    const { swap } = readDraft({ inner, balances: [...vaults(1_090n, 460n), ...wallets] });
    expect(swap).toMatchObject({
      side: 'sell',
      poolBaseDelta: 90n,
      poolQuoteDelta: -40n,
      traderBaseDelta: -90n,
      traderQuoteDelta: 40n,
    });
  });

  test('has the same base and quote for either order of the vaults', () => {
    const draft = { inner: [pay(50n), get(90n)], balances: vaults(910n, 550n) };
    expect(readDraft({ ...draft, vaults: ['quote vault', 'base vault'] }).swap).toEqual(
      readDraft(draft).swap,
    );
  });

  test("counts a fee paid to a third party in the trader's payment, not in the pool's", () => {
    const fee = transfer({ from: 'wallet quote', to: 'fee account', by: 'wallet', amount: 3n });
    const { swap } = readDraft({ inner: [pay(50n), fee, get(90n)], balances: vaults(910n, 550n) });
    expect(swap).toMatchObject({ poolQuoteDelta: 50n, traderQuoteDelta: -53n });
  });

  test('has legs of different size when a transfer fee is withheld', () => {
    // 1% of 90 is 0.9, rounded up to 1: the pool paid 90, the trader has 89.
    const got = transferChecked(
      { from: 'base vault', to: 'wallet base', by: 'pool', amount: 90n },
      MINT,
    );
    const balances = [...vaults(910n, 550n), balance('wallet base', MINT, 'wallet', 0n, 89n, 6)];
    const { swap } = readDraft({ inner: [pay(50n), got], balances });
    expect(swap).toMatchObject({ poolBaseDelta: -90n, traderBaseDelta: 89n, quarantine: null });
  });

  test('counts for the pool only the amount received after the fee', () => {
    const sold = transferChecked(
      { from: 'wallet base', to: 'base vault', by: 'wallet', amount: 1_001n },
      MINT,
    );
    const got = transfer({ from: 'quote vault', to: 'wallet quote', by: 'pool', amount: 40n });
    const { swap } = readDraft({ inner: [sold, got], balances: vaults(1_995n, 460n) });
    expect(swap).toMatchObject({ poolBaseDelta: 995n, traderBaseDelta: -1_001n, quarantine: null });
  });

  test('takes fees, virtual reserves and a subset of the movements from the venue', () => {
    const { swap } = readDraft({
      inner: [pay(7n), pay(50n), get(90n)],
      balances: vaults(910n, 557n),
      firstMovement: 1,
      extras: {
        feeQuoteRaw: asRawAmount(2n),
        virtualReserves: { base: asRawAmount(11n), quote: asRawAmount(12n) },
      },
    });
    expect(swap).toMatchObject({
      poolQuoteDelta: 50n,
      feeQuoteRaw: 2n,
      reserves: { base: 910n, quote: 557n, virtualBase: 11n, virtualQuote: 12n },
    });
  });

  test('has the reserves at its own end, in the middle of the transaction', () => {
    const { swap } = readDraft({
      inner: [pay(50n), get(90n)],
      after: [transfer({ from: 'donor', to: 'quote vault', by: 'donor', amount: 1_000n })],
      balances: vaults(910n, 1_550n),
    });
    expect(swap?.reserves).toMatchObject({ base: 910n, quote: 550n });
  });

  test('conserves amounts, for any amounts', () => {
    const amount = fc.bigInt({ min: 1n, max: 2n ** 63n });
    fc.assert(
      fc.property(amount, amount, (paid, got) => {
        const { swap } = readDraft({
          inner: [pay(paid), get(got)],
          balances: [
            balance('base vault', MINT, 'pool', got, 0n, 6),
            balance('quote vault', WRAPPED_SOL, 'pool', 0n, paid, 9),
          ],
        });
        expect(swap).toMatchObject({
          poolBaseDelta: -got,
          poolQuoteDelta: paid,
          traderBaseDelta: got,
          traderQuoteDelta: -paid,
          quarantine: null,
        });
      }),
    );
  });
});

describe('no swap is read', () => {
  const balances = vaults(1_000n, 500n);

  test('when nothing moved', () => {
    expect(readDraft({ inner: [], balances }).reading.status).toBe('nothing');
  });

  test.each([
    { why: 'only one vault moved', inner: [pay(50n)] },
    {
      why: 'both vaults moved the same way',
      inner: [
        pay(50n),
        transfer({ from: 'wallet base', to: 'base vault', by: 'wallet', amount: 1n }),
      ],
    },
  ])('when $why', ({ why, inner }) => {
    expect(readDraft({ inner, balances }).reading).toEqual({ status: 'malformed', reason: why });
  });

  test('when an account is missing or a mint is unknown', () => {
    const inner = [pay(50n), get(90n)];
    expect(readDraft({ inner, balances, vaults: ['base vault', 'nobody'] }).reading).toEqual({
      status: 'malformed',
      reason: 'too few accounts',
    });
    expect(readDraft({ inner, balances: [] }).reading).toEqual({
      status: 'malformed',
      reason: 'a vault without a known mint or decimals',
    });
  });
});

describe('a swap is quarantined', () => {
  test('when a vault balance contradicts its transfers', () => {
    const inner = [pay(50n), get(90n)];
    expect(readDraft({ inner, balances: vaults(911n, 550n) }).swap?.quarantine).toBe(
      'base vault balance contradicts its transfers',
    );
    expect(readDraft({ inner, balances: vaults(910n, 549n, USDC) }).swap?.quarantine).toBe(
      'quote vault balance contradicts its transfers',
    );
  });
});
