import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectStored } from '../../../../tests/support/book-trial.ts';
import { FRAUD_TYPES } from '../../../model/fraud.ts';
import { asSlot } from '../../../model/units.ts';
import { TokenBots } from './token-bots.ts';

const MINT = 3;
const WALLET = 7;
const slot = (number: number) => asSlot(number);
const finding = (sinceSlot: number, confidence = 0.8) => ({
  sinceSlot: slot(sinceSlot),
  fraudType: 'late_bundle' as const,
  confidence,
});

describe('a wallet in a mint', () => {
  test('is no bot without a reason, in no mint and for no id', () => {
    const bots = new TokenBots();
    expect(bots.has(MINT, WALLET)).toBe(false);
    expect(bots.find(MINT, WALLET)).toBeNull();
    expect(bots.find(-1, -1)).toBeNull();
    expect([...bots.ofWallet(WALLET)]).toEqual([]);
  });

  test('keeps the first slot as a sniper, and is one in that mint only', () => {
    const bots = new TokenBots();
    bots.setSniper(MINT, WALLET, { sinceSlot: slot(100), delaySlots: 0 });
    bots.setSniper(MINT, WALLET, { sinceSlot: slot(102), delaySlots: 2 });
    expect(bots.find(MINT, WALLET)).toEqual({
      mint: MINT,
      wallet: WALLET,
      sniper: { sinceSlot: 100, delaySlots: 0 },
      swarm: null,
      coordination: null,
    });
    expect(bots.has(MINT + 1, WALLET)).toBe(false);
    expect(bots.has(MINT, WALLET + 1)).toBe(false);
  });

  test('is coordinated until no finding stands, and from a later slot again after that', () => {
    const bots = new TokenBots();
    bots.setCoordination(MINT, WALLET, finding(100));
    bots.setCoordination(MINT, WALLET, finding(200, 0.9123));
    expect(bots.find(MINT, WALLET)?.coordination).toEqual(finding(100, 0.9123));
    expect(bots.coordinatedIn(MINT)).toEqual([WALLET]);
    bots.setCoordination(MINT, WALLET, null);
    expect(bots.find(MINT, WALLET)).toBeNull();
    expect(bots.coordinatedIn(MINT)).toEqual([]);
    bots.setCoordination(MINT, WALLET, finding(300));
    expect(bots.find(MINT, WALLET)?.coordination).toEqual(finding(300));
  });

  test('stays a bot for another reason when its finding is withdrawn', () => {
    const bots = new TokenBots();
    const swarm = { sinceSlot: slot(90), wallets: 10, others: 200, users: 3 };
    bots.setSwarm(MINT, WALLET, swarm);
    bots.setCoordination(MINT, WALLET, finding(100));
    bots.setCoordination(MINT, WALLET, null);
    expect(bots.find(MINT, WALLET)).toMatchObject({ swarm, coordination: null });
  });

  test('is listed with its mints, the most recent one first', () => {
    const bots = new TokenBots();
    for (const mint of [5, 1, 9]) bots.setCoordination(mint, WALLET, finding(100));
    bots.setCoordination(1, WALLET, null);
    expect([...bots.ofWallet(WALLET)].map(({ mint }) => mint)).toEqual([9, 5]);
  });
});

interface Action {
  readonly what: string;
  readonly mint: number;
  readonly wallet: number;
  readonly number: number;
}

function act(bots: TokenBots, { what, mint, wallet, number }: Action): void {
  const sinceSlot = slot(number);
  if (what === 'sniper') bots.setSniper(mint, wallet, { sinceSlot, delaySlots: 1 });
  else if (what === 'swarm') {
    bots.setSwarm(mint, wallet, { sinceSlot, wallets: 10, others: 50, users: 0 });
  } else if (what === 'found') {
    const fraudType = FRAUD_TYPES[number % FRAUD_TYPES.length] ?? 'wash_volume';
    bots.setCoordination(mint, wallet, { sinceSlot, fraudType, confidence: 0.75 });
  } else bots.setCoordination(mint, wallet, null);
}

test('slots that are undone, leave memory or are restored change no answer', () => {
  const anySlot = fc.array(
    fc.record({
      what: fc.constantFrom('sniper', 'swarm', 'found', 'withdrawn'),
      mint: fc.nat(3),
      wallet: fc.nat(40),
      number: fc.nat(1_000),
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(fc.array(anySlot, { minLength: 2, maxLength: 12 }), fc.nat(11), (slots, at) => {
      expectStored(
        {
          create: (undo) => new TokenBots(undo),
          apply: (bots, actions: (typeof slots)[number]) => {
            for (const action of actions) act(bots, action);
          },
          answers: (bots) =>
            Array.from({ length: 41 }, (_, wallet) => [...bots.ofWallet(wallet)]).concat(
              Array.from({ length: 4 }, (_, mint) => bots.coordinatedIn(mint) as never),
            ),
        },
        slots,
        at % slots.length,
      );
    }),
    { numRuns: 30 },
  );
});
