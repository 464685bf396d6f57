import { describe, expect, test } from 'vitest';
import { concat, hex, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws, selfEventOf } from '../../../tests/support/decoder-laws.ts';
import { boughtFrom } from '../../../tests/support/pool-events.ts';
import { PURCHASE, SALE } from '../../../tests/support/pool-legs.ts';
import { poolProgram } from '../../../tests/support/pool-program.ts';
import {
  accountList,
  BASE_MINT,
  decodeDraft,
  payOut,
  type VaultChanges,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { burn, mintTo, transferCheckedWithFee } from '../../../tests/support/token-instructions.ts';
import { SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';
import { meteoraDbc, meteoraDbcLayout } from './meteora-dbc.ts';

const { draft, decode } = poolProgram(meteoraDbc, meteoraDbcLayout);

const DAMM_V2 = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';
const SWAP = accountList(15, {
  2: 'pool',
  3: 'user sol',
  4: 'user base',
  5: 'base vault',
  6: 'quote vault',
  9: 'wallet',
}).with(7, BASE_MINT);
const STILL: VaultChanges = { base: [1n, 1n], quote: [1n, 1n] };
const COMPLETE = selfEventOf(
  meteoraDbc,
  meteoraDbcLayout.events.EvtCurveComplete.discriminator,
  new Uint8Array(80),
);

describe('a Meteora DBC trade', () => {
  test.each(['swap', 'swap2'] as const)('is read from %s, with the fee of its event', (name) => {
    const { events } = decode(
      name,
      SWAP,
      [...PURCHASE.legs, swapEvent(30n, 27n, [])],
      PURCHASE.vaults,
    );
    expect(events).toEqual([boughtFrom('meteora_dbc', { feeQuoteRaw: 3n })]);
  });

  test('that sells has its fee shares in SOL', () => {
    const inner = [...SALE.legs, swapEvent(40n, 40n, [4n, 3n, 2n])];
    const { events } = decode('swap', SWAP, inner, SALE.vaults);
    expect(events).toMatchObject([{ side: 'sell', feeQuoteRaw: 9n }]);
  });

  test('of a token with a transfer hook is read from its own instruction and event', () => {
    const name = 'swap2_with_transfer_hook';
    const event = swapEvent(30n, 27n, [], '863ba8785e3372e7');
    const complete = selfEventOf(meteoraDbc, '3b2f6dcd0d1f2c9f', new Uint8Array(80));
    const { events } = decode(name, SWAP, [...PURCHASE.legs, event, complete], PURCHASE.vaults);
    expect(events).toMatchObject([
      { kind: 'swap', pool: address('pool'), side: 'buy', poolBaseDelta: -40n, feeQuoteRaw: 3n },
      { kind: 'curveComplete', mint: BASE_MINT },
    ]);
  });

  test('that fills the curve completes it', () => {
    const { events } = decode('swap2', SWAP, [...PURCHASE.legs, COMPLETE], PURCHASE.vaults);
    expect(events).toMatchObject([
      { kind: 'swap', side: 'buy' },
      {
        kind: 'curveComplete',
        outerIx: 0,
        innerIx: -1,
        venue: 'meteora_dbc',
        mint: BASE_MINT,
        pool: address('pool'),
      },
    ]);
  });

  test.each([
    ['token a', 'token b'],
    ['token b', 'token a'],
  ])('of %s for %s has the launched token as its base', (launched, asked) => {
    const mints = [address(launched), address(asked)] as const;
    const tokenBalances = vaultBalances(PURCHASE.vaults).map((balance, at) => ({
      ...balance,
      mint: mints[at] ?? '',
    }));
    const { events } = decodeDraft({
      instructions: [draft('swap', SWAP, PURCHASE.legs)],
      tokenBalances,
    });
    expect(events).toMatchObject([{ side: 'buy', baseMint: mints[0], quoteMint: mints[1] }]);
  });

  test('is ignored when it moved nothing, malformed when it is truncated', () => {
    expect(decode('swap', SWAP, [COMPLETE], STILL).outcomes.meteora_dbc).toMatchObject({
      event: 0,
    });
    expect(decode('swap', SWAP.slice(0, 6), PURCHASE.legs, PURCHASE.vaults).problems).toMatchObject(
      [{ problem: 'malformed', reason: 'too few accounts' }],
    );
    const { discriminator } = meteoraDbcLayout.events.EvtSwap2;
    const short = selfEventOf(meteoraDbc, discriminator, new Uint8Array(83 + 71));
    expect(decode('swap', SWAP, [...PURCHASE.legs, short], PURCHASE.vaults).problems).toMatchObject(
      [{ problem: 'malformed', reason: 'swap event ends inside its fields' }],
    );
  });
});

describe('a Meteora DBC launch', () => {
  const named = { 2: 'creator', 5: 'pool', 6: 'base vault', 7: 'quote vault' };
  const launches = [
    ['initialize_virtual_pool_with_spl_token', 12, SPL_TOKEN_PROGRAM],
    ['initialize_virtual_pool_with_token2022', 10, TOKEN_2022_PROGRAM],
    ['initialize_virtual_pool_with_token2022_transfer_hook', 11, TOKEN_2022_PROGRAM],
  ] as const;
  const minted = mintTo(BASE_MINT, 'base vault', 1_000n);
  const filled: VaultChanges = { base: [0n, 1_000n], quote: [0n, 0n] };

  test.each(launches)('by %s creates a curve that holds the supply', (name, at, tokenProgram) => {
    const accounts = launchAccounts().with(at, tokenProgram);
    expect(decode(name, accounts, [minted], filled).events).toEqual([
      {
        kind: 'launch',
        outerIx: 0,
        innerIx: -1,
        venue: 'meteora_dbc',
        mint: BASE_MINT,
        quoteMint: WRAPPED_SOL,
        pool: address('pool'),
        creator: address('creator'),
        tokenProgram,
        supply: 1_000n,
        reserves: { base: 1_000n, quote: 0n, virtualBase: null, virtualQuote: null },
      },
    ]);
  });

  test('has no supply and no reserves when the record does not show them', () => {
    const data = hex(meteoraDbcLayout.instructions[launches[0][0]].discriminator);
    const launch = { program: meteoraDbc.programId, accounts: launchAccounts(), data };
    expect(decodeDraft({ instructions: [launch] }).events).toMatchObject([
      { kind: 'launch', mint: BASE_MINT, supply: null, reserves: null },
    ]);
  });

  test('is malformed without its accounts', () => {
    const accounts = launchAccounts().slice(0, 12);
    expect(decode(launches[0][0], accounts, [minted], filled).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });

  function launchAccounts() {
    return accountList(16, named).with(3, BASE_MINT).with(4, WRAPPED_SOL);
  }
});

describe('a Meteora DBC migration', () => {
  const common = { 0: 'pool', 4: 'new pool', 17: 'base vault', 18: 'quote vault' };
  const toV1 = accountList(31, { ...common, 11: 'new base', 12: 'new quote' }).with(7, BASE_MINT);
  const toV2 = accountList(25, { ...common, 15: 'new base', 16: 'new quote' }).with(13, BASE_MINT);
  const drained: VaultChanges = { base: [100n, 0n], quote: [100n, 20n] };
  const fill = [payOut('base vault', 'new base', 70n), payOut('quote vault', 'new quote', 80n)];
  const rest = burn('base vault', BASE_MINT, 30n);

  test.each([
    ['migrate_meteora_damm', toV1],
    ['migration_damm_v2', toV2],
  ] as const)('by %s has the amounts received by the vaults of the new pool', (name, accounts) => {
    const opened = { program: DAMM_V2, accounts: [], data: hex('00'.repeat(8)), inner: fill };
    const { events } = decode(name, accounts, [opened, rest], drained);
    expect(events).toEqual([
      {
        kind: 'migrate',
        outerIx: 0,
        innerIx: -1,
        venue: 'meteora_dbc',
        mint: BASE_MINT,
        fromPool: address('pool'),
        toPool: address('new pool'),
        baseRaw: 70n,
        quoteRaw: 80n,
      },
    ]);
  });

  test('has the amounts received when the token withholds a fee', () => {
    const base = transferCheckedWithFee(
      { from: 'base vault', to: 'new base', by: 'vault owner', amount: 70n },
      BASE_MINT,
      7n,
    );
    const inner = [base, ...fill.slice(1), rest];
    expect(decode('migration_damm_v2', toV2, inner, drained).events).toMatchObject([
      { kind: 'migrate', baseRaw: 63n, quoteRaw: 80n },
    ]);
  });

  test('is malformed when it filled no pool or lacks accounts', () => {
    expect(decode('migration_damm_v2', toV2, [rest], drained).problems).toMatchObject([
      { problem: 'malformed', reason: 'a migration that did not fill a pool' },
    ]);
    expect(decode('migration_damm_v2', toV2.slice(0, 18), fill, drained).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describeDecoderLaws('a Meteora DBC decoder', meteoraDbc, meteoraDbcLayout);

/**
 * Pool, configuration, flags and parameters; then the result as in DAMM v2, with one share less.
 */
function swapEvent(
  inputWithFee: bigint,
  inputWithoutFee: bigint,
  shares: readonly bigint[],
  discriminator: string = meteoraDbcLayout.events.EvtSwap2.discriminator,
): InstructionDraft {
  const filled = [...shares, 0n, 0n, 0n].slice(0, 3);
  const result = [inputWithFee, inputWithoutFee, 0n, 40n, 11n, 12n, ...filled, 99n, 98n, 97n];
  return selfEventOf(
    meteoraDbc,
    discriminator,
    concat(new Uint8Array(64 + 2 + 17), ...result.map(u64)),
  );
}
