import { describe, expect, it } from 'vitest';
import { concat, hex } from '../../tests/support/borsh-bytes.ts';
import { buildTransaction, type InstructionDraft } from '../../tests/support/build-transaction.ts';
import {
  CAT,
  PUMP,
  selfEvent,
  systemTransfer,
  tokenTransfer,
  tradeDraft,
} from '../../tests/support/pump-drafts.ts';
import { type PumpVector, readPumpVectors } from '../../tests/support/pump-vectors.ts';
import { hasTestData } from '../../tests/support/test-data.ts';
import type { ChainEvent } from '../model/chain-event.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../model/program.ts';
import { decodeTransaction } from './decode-transaction.ts';
import { readCreateEvent } from './families/pump-create-event.ts';
import { readMigrationEvent } from './families/pump-migration-event.ts';
import { readPoolPart } from './families/pump-pool-part.ts';
import { readTradeEvent } from './families/pump-trade-event.ts';
import { Tally } from './tally.ts';
import { SELF_EVENT_TAG } from './transaction/discriminator.ts';

const EVENT_OFFSET = 16;

describe.skipIf(!hasTestData)('recorded events of October 2026', () => {
  const vectors = hasTestData ? readPumpVectors().filter(({ program }) => program === PUMP) : [];
  const of = (event: string) => vectors.filter((vector) => vector.event === event);

  it('cover every kind that the expectations below need', () => {
    const counts = [
      'TradeEvent',
      'PostCompleteBuyEvent',
      'CreateEvent',
      'CompletePumpAmmMigrationEvent',
    ].map((event) => of(event).length);
    expect(counts).toEqual([4, 2, 1, 2]);
  });

  it.each(of('TradeEvent'))('of $id: the trade, to its last byte', ({ data, decoded }) => {
    const n = amountsIn(decoded);
    const isKept = decoded.fee_recipient === SYSTEM_PROGRAM;
    expect(readTradeEvent(sent(data), EVENT_OFFSET)).toEqual({
      mint: decoded.mint,
      isBuy: decoded.is_buy,
      tokenAmount: n('token_amount'),
      quoteAmount: n('sol_amount'),
      quoteMint: WRAPPED_SOL,
      virtualReserves: {
        base: n('virtual_token_reserves'),
        quote: n('virtual_quote_reserves'),
      },
      realReserves: { base: n('real_token_reserves'), quote: n('real_quote_reserves') },
      feeQuoteRaw: n('fee') + n('creator_fee'),
      areFeesKept: isKept,
      keptQuoteRaw: isKept ? n('fee') - n('buyback_fee') + n('creator_fee') : 0n,
    });
    expect(readTradeEvent(sent(data).subarray(0, -1), EVENT_OFFSET)).toBeNull();
  });

  it.each(of('PostCompleteBuyEvent'))('of $id: the pool part', ({ data, decoded }) => {
    const n = amountsIn(decoded);
    expect(readPoolPart(sent(data))).toEqual({
      mint: decoded.mint,
      quoteMint: WRAPPED_SOL,
      baseOut: n('base_out'),
      quoteIn: n('quote_in'),
      feeQuoteRaw: n('fee') + n('creator_fee'),
      keptQuoteRaw: n('fee') - n('buyback_fee') + n('creator_fee'),
      poolReserves: {
        base: n('pool_base_reserves_after'),
        quote: n('pool_quote_reserves_after'),
      },
    });
    expect(readPoolPart(sent(data).subarray(0, -1))).toBeNull();
  });

  it.each(of('CreateEvent'))('of $id: the launch', ({ data, decoded }) => {
    const n = amountsIn(decoded);
    expect(readCreateEvent(sent(data))).toEqual({
      user: decoded.user,
      creator: decoded.creator,
      quoteMint: WRAPPED_SOL,
      reserves: {
        virtualBase: n('virtual_token_reserves'),
        virtualQuote: n('virtual_quote_reserves'),
        realBase: n('real_token_reserves'),
      },
    });
    // One byte less is the layout before the depth of a curve; two less, before holder rewards.
    expect(readCreateEvent(sent(data).subarray(0, -3))).toBeNull();
  });

  it.each(of('CompletePumpAmmMigrationEvent'))('of $id: the migration', ({ data, decoded }) => {
    const n = amountsIn(decoded);
    expect(readMigrationEvent(sent(data))).toEqual({
      baseRaw: n('mint_amount'),
      quoteRaw: n('sol_amount'),
    });
    expect(readMigrationEvent(sent(data).subarray(0, -1))).toBeNull();
  });

  it.each([
    // For each: tokens, quote, protocol and creator fees, kept fees; both parts added by hand.
    ['synthetic_1', 47_595_203_795n, 19_555_553n, 244_447n, 151_558n],
    ['synthetic_3', 1_600_000_000_000n, 656_658_803n, 8_208_236n, 5_089_107n],
  ])(
    '%s is one buy, with the reserves that its pool was opened with',
    (id, base, quote, fee, kept) => {
      const [trade, complete, part] = vectors.filter((vector) => vector.id === id);
      const events = decodeLastBuy([trade, complete, part], { base, quote, fee, kept });
      const after = amountsIn(part?.decoded ?? {});
      expect(events.map(({ kind }) => kind)).toEqual(['swap', 'curveComplete']);
      expect(events[0]).toMatchObject({
        baseMint: trade?.decoded.mint,
        pool: complete?.decoded.bonding_curve,
        trader: trade?.decoded.user,
        poolBaseDelta: -base,
        poolQuoteDelta: quote,
        keptFees: { base: 0n, quote: kept },
        traderQuoteDelta: -quote - fee,
        feeQuoteRaw: fee,
        reserves: {
          base: after('pool_base_reserves_after'),
          quote: after('pool_quote_reserves_after'),
          virtualBase: null,
          virtualQuote: null,
        },
        quarantine: null,
      });
    },
  );

  it('report the same reserves of a pool as its later migration', () => {
    const part = vectors.find(
      ({ id, event }) => id === 'synthetic_1' && event === 'PostCompleteBuyEvent',
    );
    const migration = of('CompletePumpAmmMigrationEvent').find(
      ({ id }) => id === 'migrate_of_synthetic_1',
    );
    const opened = readMigrationEvent(sent(migration?.data ?? new Uint8Array(0)));
    expect(readPoolPart(sent(part?.data ?? new Uint8Array(0)))?.poolReserves).toEqual({
      base: opened?.baseRaw,
      quote: opened?.quoteRaw,
    });
    expect(opened?.quoteRaw).toBe(85_009_452_637n);
  });
});

interface LastBuy {
  readonly base: bigint;
  readonly quote: bigint;
  readonly fee: bigint;
  readonly kept: bigint;
}

/** Decodes a buy that emits these events and moves the sum of its parts. */
function decodeLastBuy(
  vectors: readonly (PumpVector | undefined)[],
  { base, quote, fee, kept }: LastBuy,
): ChainEvent[] {
  const { mint = '', user = '' } = vectors[0]?.decoded ?? {};
  const curve = String(vectors[1]?.decoded.bonding_curve);
  const names = new Map([
    [CAT.mint, String(mint)],
    [CAT.curve, curve],
    [CAT.alice, String(user)],
  ] as [string, string][]);
  const renamed = (draft: InstructionDraft): InstructionDraft => ({
    ...draft,
    accounts: (draft.accounts ?? []).map((account) => names.get(account) ?? account),
    inner: (draft.inner ?? []).map(renamed),
  });
  const instruction = tradeDraft('buy_v3', [
    tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, base),
    systemTransfer(CAT.alice, CAT.curve, quote + kept),
    systemTransfer(CAT.alice, CAT.buybackRecipient, fee - kept),
    ...vectors.map((vector) => {
      const data = vector?.data ?? new Uint8Array(8);
      return selfEvent(Buffer.from(data.subarray(0, 8)).toString('hex'), data.subarray(8));
    }),
  ]);
  const initial = 10n ** 15n;
  const transaction = buildTransaction({
    signers: [String(user)],
    instructions: [renamed(instruction)],
    tokenBalances: [
      {
        account: CAT.baseVault,
        mint: String(mint),
        owner: curve,
        before: initial,
        after: initial - base,
      },
      { account: CAT.aliceBase, mint: String(mint), owner: String(user), after: base },
    ],
    lamports: { [curve]: [initial, initial + quote + kept] },
  });
  return decodeTransaction(transaction, 0, new Tally()).events.filter(
    ({ kind }) => kind !== 'tokenTransfer' && kind !== 'solTransfer',
  );
}

/** The event as emitted by a call of its program to itself. */
function sent(data: Uint8Array): Uint8Array {
  return concat(hex(SELF_EVENT_TAG), data);
}

function amountsIn(decoded: PumpVector['decoded']): (field: string) => bigint {
  return (field) => BigInt(String(decoded[field]));
}
