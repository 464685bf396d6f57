import { describe, expect, test } from 'vitest';
import {
  balanceChange,
  mintCreated,
  poolCreated,
  supplyChange,
  transactionFacts,
} from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import {
  DOLLAR,
  fold,
  mint,
  SOL,
  SUPPLY,
  second,
  TOKEN,
} from '../../tests/support/master-fixture.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import type { TransactionFacts } from '../model/slot-facts.ts';
import { asRawAmount } from '../model/units.ts';
import { Engine } from './engine.ts';

describe('a curve', () => {
  const curve = address('curve');
  const amm = address('amm');
  const reserves = {
    base: asRawAmount(793_100_000_000_000n),
    quote: asRawAmount(0n),
    virtualBase: asRawAmount(1_073_000_000_000_000n),
    virtualQuote: asRawAmount(30n * SOL),
  };
  const launched = (supply: bigint | null, ...rest: TransactionFacts['events']) =>
    transactionFacts({
      txIndex: 0,
      signers: [address('payer')],
      events: [
        {
          kind: 'launch',
          outerIx: 0,
          innerIx: -1,
          venue: 'pump',
          mint,
          quoteMint: WRAPPED_SOL,
          pool: curve,
          creator: address('creator'),
          tokenProgram: address('token-program'),
          supply: supply === null ? null : asRawAmount(supply),
          reserves,
        },
        ...rest,
      ],
    });
  const whole = () =>
    launched(SUPPLY, mintCreated(mint, { innerIx: 0 }), supplyChange('mintTo', mint, SUPPLY, 1));
  const migration = (...created: TransactionFacts['events']) =>
    transactionFacts({
      txIndex: 0,
      events: [
        {
          kind: 'migrate',
          outerIx: 0,
          innerIx: -1,
          venue: 'pump',
          mint,
          fromPool: curve,
          toPool: amm,
          baseRaw: asRawAmount(206_900_000_000_000n),
          quoteRaw: asRawAmount(84n * SOL),
        },
        ...created,
      ],
    });
  const ammCreated = poolCreated(206_900_000_000_000n, 84n * SOL, { pool: amm, venue: 'pump_amm' });

  test('reports a liquidity of 0 SOL until it migrates, even if other pools appear', () => {
    const { engine } = fold([
      second(0, whole()),
      second(1, transactionFacts({ txIndex: 0, events: [poolCreated(TOKEN, 9n * SOL)] })),
    ]);
    expect(engine.token(mint)?.liquidityEvent).toMatchObject({
      pool: curve,
      lamports: 0n,
      baseRaw: SUPPLY,
      valueUsd: 0n,
    });
    expect(engine.pool(curve)).toMatchObject({
      venue: 'pump',
      creator: address('creator'),
      baseDecimals: 6,
      createdSlot: 1_000,
      liquidityUsd: 0n,
    });
  });

  test.each([
    ['with reserves', SUPPLY, true],
    ['without reserves', SUPPLY, false],
    ['with reserves but without a mint', null, true],
  ])('has the minted tokens as its first tokens, at a launch %s', (_, supply, hasReserves) => {
    const facts = launched(supply);
    const events = facts.events.map((event) =>
      event.kind === 'launch' && !hasReserves ? { ...event, reserves: null } : event,
    );
    const { engine } = fold([second(0, { ...facts, events })]);
    expect(engine.token(mint)?.liquidityEvent?.baseRaw).toBe(supply);
  });

  test('passes liquidity and price to the pool it migrates to', () => {
    const { engine } = fold([second(0, whole()), second(50, migration(ammCreated))]);
    expect(engine.pool(curve)).toMatchObject({
      isCurveComplete: true,
      migratedTo: amm,
      liquidityUsd: 0n,
    });
    expect(engine.token(mint)).toMatchObject({
      creator: address('creator'),
      primaryPool: amm,
      liquidityEvent: {
        pool: amm,
        lamports: 84n * SOL,
        baseRaw: 206_900_000_000_000n,
        valueUsd: 16_800n * DOLLAR,
        slot: 1_050,
      },
    });
  });

  test('passes them even if an older pool of similar size exists', () => {
    const beside = transactionFacts({ txIndex: 0, events: [poolCreated(TOKEN, 90n * SOL)] });
    const { engine } = fold([
      second(0, whole()),
      second(1, beside),
      second(50, migration(ammCreated)),
    ]);
    // 90 SOL are not more than 1.1 times 84.
    expect(engine.token(mint)?.primaryPool).toBe(amm);
  });

  test('passes them even if USD is unknown and the pool appears later', () => {
    const { engine } = fold(
      [
        second(0, whole()),
        second(50, migration()),
        second(51, transactionFacts({ txIndex: 0, events: [ammCreated] })),
      ],
      new Engine({ fallbackSolUsd: null }),
    );
    expect(engine.token(mint)).toMatchObject({
      primaryPool: amm,
      liquidityEvent: { pool: amm, valueUsd: null },
    });
  });

  test('takes the supply from the mint events, or else from the launch', () => {
    expect(fold([second(0, whole())]).engine.token(mint)?.supplyRaw).toBe(SUPPLY);
    const decimals = transactionFacts({
      ...launched(SUPPLY),
      tokenBalances: [balanceChange(curve, 0n, SUPPLY)],
    });
    expect(fold([second(0, decimals)]).engine.token(mint)?.supplyRaw).toBe(SUPPLY);
    expect(fold([second(0, launched(null))]).engine.token(mint)?.supplyRaw).toBeNull();
  });

  test('is listed as a pool among its holders', () => {
    const facts = { ...whole(), tokenBalances: [balanceChange(curve, 0n, SUPPLY)] };
    const { engine } = fold([second(0, facts)]);
    expect(engine.holderCount(mint)).toBe(0);
    expect(engine.topHolders(mint, 5).map(({ isPool }) => isPool)).toEqual([true]);
  });
});
