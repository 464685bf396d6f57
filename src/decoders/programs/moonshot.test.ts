import { describe, expect, test } from 'vitest';
import { concat, hex, key, text, u8, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import {
  accountList,
  BASE_MINT,
  decodeDraft,
  payIn,
  payOut,
} from '../../../tests/support/pool-transaction.ts';
import { mintTo, sendLamports, transfer } from '../../../tests/support/token-instructions.ts';
import { SPL_TOKEN_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';
import { moonshot, moonshotLayout } from './moonshot.ts';

const { buy, sell, token_mint, migrate_funds } = moonshotLayout.instructions;
const CURVE = address('curve');
const TRADE = accountList(11, {
  0: 'wallet',
  1: 'user base',
  2: 'curve',
  3: 'base vault',
  4: 'dex fee',
  5: 'helio fee',
  6: 'base mint',
});
const FEES = { dexFee: 6n, helioFee: 4n };

describe('a Moonshot buy', () => {
  const inner = [
    transfer({ from: 'base vault', to: 'user base', by: 'curve', amount: 5_000n }),
    sendLamports('wallet', CURVE, 1_000n),
    sendLamports('wallet', 'dex fee', 6n),
    sendLamports('wallet', 'helio fee', 4n),
  ];
  const tip = sendLamports('wallet', 'tip account', 10_000n);

  test('is the lamports and tokens of the curve, without fees, tip and network fee', () => {
    const { events } = decode(buy.discriminator, inner, {
      base: [9_000n, 4_000n],
      curve: [70_000n, 71_000n],
      after: [tip],
    });
    expect(events.filter(({ kind }) => kind === 'swap')).toEqual([
      {
        kind: 'swap',
        outerIx: 0,
        innerIx: -1,
        venue: 'moonshot',
        pool: CURVE,
        baseMint: BASE_MINT,
        quoteMint: WRAPPED_SOL,
        baseDecimals: 9,
        quoteDecimals: 9,
        trader: address('wallet'),
        side: 'buy',
        poolBaseDelta: -5_000n,
        poolQuoteDelta: 1_000n,
        traderBaseDelta: 5_000n,
        traderQuoteDelta: -1_010n,
        reserves: null,
        feeQuoteRaw: 10n,
        router: null,
        isIntermediateHop: false,
        isAtomicRoundTrip: false,
        isPureArbitrage: false,
        quarantine: null,
      },
    ]);
  });

  test("is quarantined when the curve's gain or its event differs", () => {
    const changes = { base: [9_000n, 4_000n] as const, curve: [70_000n, 70_999n] as const };
    expect(decode(buy.discriminator, inner, changes).events).toMatchObject([
      { quarantine: 'curve gained 999 lamports, its swaps explain 1000' },
    ]);
    const logMessages = [tradeEvent({ isBuy: true, tokens: 5_000n, quote: 1_001n, ...FEES })];
    const withEvents = { ...changes, curve: [70_000n, 71_000n] as const, logMessages };
    expect(decode(buy.discriminator, inner, withEvents).events).toMatchObject([
      { poolQuoteDelta: 1_000n, quarantine: 'event says 1001 of quote, 1000 moved' },
    ]);
  });

  test('is malformed without lamports for the curve', () => {
    const { problems } = decode(buy.discriminator, inner.slice(0, 1), {
      base: [9_000n, 4_000n],
      curve: [70_000n, 70_000n],
    });
    expect(problems).toMatchObject([
      { problem: 'malformed', reason: 'tokens left the curve and no lamports reached it' },
    ]);
  });
});

describe('a Moonshot sell', () => {
  const inner = [payIn('user base', 'base vault', 5_000n)];
  const sold = { base: [4_000n, 9_000n] as const, curve: [71_000n, 70_000n] as const };
  const first = tradeEvent({ isBuy: false, tokens: 5_000n, quote: 1_000n, ...FEES });

  test('pays what the curve lost; the event contains the fees in it', () => {
    expect(
      decode(sell.discriminator, inner, { ...sold, logMessages: [first] }).events,
    ).toMatchObject([
      {
        side: 'sell',
        poolBaseDelta: 5_000n,
        poolQuoteDelta: -1_000n,
        traderBaseDelta: -5_000n,
        traderQuoteDelta: 990n,
        feeQuoteRaw: 10n,
        quarantine: null,
      },
    ]);
  });

  test('leaves fees and proceeds unknown without its event', () => {
    const others = [
      tradeEvent({ isBuy: true, tokens: 5_000n, quote: 1n, ...FEES }),
      tradeEvent({ isBuy: false, tokens: 4_999n, quote: 1n, ...FEES }),
      tradeEvent({ isBuy: false, tokens: 5_000n, quote: 1n, ...FEES }, 'other curve'),
      `${first.slice(0, 60)}`,
    ];
    expect(
      decode(sell.discriminator, inner, { ...sold, logMessages: others }).events,
    ).toMatchObject([
      { poolQuoteDelta: -1_000n, traderQuoteDelta: null, feeQuoteRaw: null, quarantine: null },
    ]);
  });

  test('next to another sell is read from its event and checked against the sum', () => {
    const again = {
      program: moonshot.programId,
      accounts: TRADE,
      data: hex(sell.discriminator),
      inner: [payIn('user base', 'base vault', 50n)],
    };
    const second = tradeEvent({ isBuy: false, tokens: 50n, quote: 7n, dexFee: 0n, helioFee: 0n });
    const both = {
      base: [4_000n, 9_050n] as const,
      curve: [71_007n, 70_000n] as const,
      logMessages: [first, second],
      after: [again],
    };
    expect(decode(sell.discriminator, inner, both).events).toMatchObject([
      { poolQuoteDelta: -1_000n, quarantine: null },
      { poolQuoteDelta: -7n, quarantine: null },
    ]);
    const { problems } = decode(sell.discriminator, inner, { ...both, logMessages: [] });
    expect(problems).toMatchObject([
      { reason: 'lamports of the curve that no transfer and no event tells' },
      { reason: 'lamports of the curve that no transfer and no event tells' },
    ]);
  });

  test('without its accounts is malformed, without tokens ignored', () => {
    const still = { base: [1n, 1n] as const, curve: [1n, 1n] as const };
    expect(decode(sell.discriminator, [], still).outcomes.moonshot?.ignored).toBe(1);
    const short = decode(sell.discriminator, inner, { ...sold, accounts: TRADE.slice(0, 6) });
    expect(short.problems).toMatchObject([{ reason: 'too few accounts' }]);
  });
});

describe('a Moonshot launch', () => {
  const accounts = accountList(11, {
    0: 'wallet',
    2: 'curve',
    3: 'base mint',
    5: 'base vault',
    7: 'token program',
  }).with(7, SPL_TOKEN_PROGRAM);

  test('creates a curve that holds the whole supply', () => {
    const { events } = decode(token_mint.discriminator, [mintTo(BASE_MINT, 'base vault', 900n)], {
      base: [0n, 900n],
      curve: [0n, 2_000n],
      accounts,
    });
    expect(events).toEqual([
      {
        kind: 'launch',
        outerIx: 0,
        innerIx: -1,
        venue: 'moonshot',
        mint: BASE_MINT,
        quoteMint: WRAPPED_SOL,
        pool: CURVE,
        creator: address('wallet'),
        tokenProgram: SPL_TOKEN_PROGRAM,
        supply: 900n,
        reserves: { base: 900n, quote: 0n, virtualBase: null, virtualQuote: null },
      },
    ]);
  });

  test('leaves unknown what the record does not show', () => {
    const { events } = decode(token_mint.discriminator, [], { accounts, curve: [0n, 2_000n] });
    expect(events).toMatchObject([{ kind: 'launch', supply: null, reserves: null }]);
  });
});

describe('the migration of Moonshot funds', () => {
  const accounts = accountList(12, { 2: 'curve', 3: 'base vault', 5: 'base mint' });

  test('completes the curve and names no pool', () => {
    const inner = [payOut('base vault', 'operator base', 900n)];
    const changes = { base: [900n, 0n] as const, curve: [5n, 0n] as const, accounts };
    expect(decode(migrate_funds.discriminator, inner, changes).events).toEqual([
      {
        kind: 'curveComplete',
        outerIx: 0,
        innerIx: -1,
        venue: 'moonshot',
        mint: BASE_MINT,
        pool: CURVE,
      },
    ]);
  });

  test('is ignored when it took no tokens', () => {
    const { outcomes } = decode(migrate_funds.discriminator, [], { accounts, curve: [5n, 5n] });
    expect(outcomes.moonshot?.ignored).toBe(1);
  });
});

describeDecoderLaws('Moonshot', moonshot, moonshotLayout);

interface ToldTrade {
  readonly isBuy: boolean;
  readonly tokens: bigint;
  readonly quote: bigint;
  readonly dexFee: bigint;
  readonly helioFee: bigint;
}

function tradeEvent(
  { isBuy, tokens, quote, dexFee, helioFee }: ToldTrade,
  curve = 'curve',
): string {
  const data = concat(
    hex('bddb7fd34ee661ee'),
    ...[tokens, quote, dexFee, helioFee, 1n].map(u64),
    ...[curve, 'cost token', 'wallet'].map((word) => key(address(word))),
    u8(isBuy ? 0 : 1),
    text('trade'),
  );
  return `Program data: ${Buffer.from(data).toString('base64')}`;
}

interface Changes {
  readonly base?: readonly [bigint, bigint];
  /** Lamports. */
  readonly curve: readonly [bigint, bigint];
  readonly accounts?: readonly string[];
  readonly logMessages?: readonly string[];
  readonly after?: readonly InstructionDraft[];
}

function decode(
  discriminator: string,
  inner: readonly InstructionDraft[],
  { base, curve, accounts = TRADE, logMessages = [], after = [] }: Changes,
) {
  const data = concat(hex(discriminator), u64(1n), u64(2n), u8(0), u64(100n));
  const [before = 0n, end = 0n] = base ?? [];
  const vault = { account: address('base vault'), mint: BASE_MINT, owner: CURVE, decimals: 9 };
  const { events, ...rest } = decodeDraft({
    instructions: [{ program: moonshot.programId, accounts, data, inner }, ...after],
    tokenBalances: base === undefined ? [] : [{ ...vault, before, after: end }],
    lamports: { [CURVE]: curve },
    logMessages,
  });
  return { events: events.filter(({ kind }) => kind !== 'solTransfer'), ...rest };
}
