import { describe, expect, it } from 'vitest';
import { linkBy, numbered, strengthBy } from '../../../tests/support/link-readings.ts';
import {
  aBuy,
  aCase,
  aTransfer,
  type CaseDraft,
  supplyShare,
} from '../../../tests/support/mint-case.ts';
import type { CaseTrade, CaseTransfer, MintCase } from '../../model/mint-case.ts';

const PAIR = ['buyer01', 'buyer02'] as const;
const BOUGHT = { baseRaw: supplyShare(0.01) };

interface ChainsDraft {
  /** Wallets that bought 1 %, and how many of them moved it twice. */
  readonly buyers?: number;
  readonly chains?: number;
  /** Slots between the first moves of two chains. */
  readonly apartSlots?: number;
  /** What the last wallet of each chain is, by its number. */
  readonly endOf?: (at: number) => string;
  readonly stopOf?: (at: number) => string;
  /** Shares of the supply that the first and the second transfer move. */
  readonly moved?: readonly [first: number, second: number];
  readonly extra?: { readonly trades?: CaseTrade[]; readonly transfers?: CaseTransfer[] };
  readonly wallets?: CaseDraft['wallets'];
}

function caseOf(draft: ChainsDraft): MintCase {
  const { buyers = 40, chains = 7, apartSlots = 1, moved = [0.01, 0.01], extra } = draft;
  const { stopOf = (at) => `stop${at}`, endOf = (at) => `end${at}` } = draft;
  const names = numbered('buyer', buyers);
  const transfers = names.slice(0, chains).flatMap((name, at) => {
    const slot = 2_000 + at * apartSlots;
    return [
      aTransfer(name, stopOf(at), { slot, amountRaw: supplyShare(moved[0]) }),
      aTransfer(stopOf(at), endOf(at), { slot: slot + 100, amountRaw: supplyShare(moved[1]) }),
    ];
  });
  return aCase({
    trades: [...names.map((name) => aBuy(name, BOUGHT)), ...(extra?.trades ?? [])],
    transfers: [...transfers, ...(extra?.transfers ?? [])],
    wallets: draft.wallets ?? {},
  });
}

const strengthOf = (draft: ChainsDraft) => strengthBy('token-chains', caseOf(draft), PAIR);

describe('chains of tokens', () => {
  it('link buyers who each moved their tokens twice', () => {
    expect(linkBy('token-chains', caseOf({}), PAIR)).toEqual({
      one: 'buyer01',
      other: 'buyer02',
      family: 'token-chains',
      strength: 0.6,
      relationship: 'coordinated_trading',
      via: null,
    });
  });

  it('need a number that is improbable among so many buyers', () => {
    // P[X >= 6] and P[X >= 7] of 40 at 0.02 each: 1.37e-4 and 1.34e-5.
    expect(strengthOf({ chains: 6 })).toBe(0);
    expect(strengthOf({ chains: 7 })).toBe(0.6);
    // Of 80 buyers seven are 1.14e-3.
    expect(strengthOf({ buyers: 80, chains: 7 })).toBe(0);
  });

  it('begin within ten minutes', () => {
    // Slots of 400 ms: six gaps of 250 are 600 s.
    expect(strengthOf({ apartSlots: 250 })).toBe(0.6);
    expect(strengthOf({ apartSlots: 251 })).toBe(0);
  });

  it('move seven tenths of what a wallet had', () => {
    expect(strengthOf({ moved: [0.007, 0.004_9] })).toBe(0.6);
    expect(strengthOf({ moved: [0.006_9, 0.006_9] })).toBe(0);
    expect(strengthOf({ moved: [0.01, 0.006_9] })).toBe(0);
  });

  it('stand when their wallets get more later, or others buy', () => {
    const more = [aBuy('buyer01', { slot: 3_000, baseRaw: supplyShare(0.05) })];
    expect(strengthOf({ extra: { trades: more } })).toBe(0.6);
    const others = numbered('late', 80).map((name) => aBuy(name, { slot: 3_000 }));
    expect(strengthOf({ extra: { trades: others } })).toBe(0.6);
  });

  it.each([
    ['only moved once', { moved: [0.01, 0] as const }],
    ['passed through one escrow', { stopOf: () => 'escrow' }],
    ['went to one account', { endOf: () => 'deposit' }],
    ['came back', { endOf: (at: number) => numbered('buyer', 7)[at] ?? '' }],
    [
      'ended at an exchange',
      { wallets: Object.fromEntries([0, 1].map((at) => [`end${at}`, { class: 'cex' as const }])) },
    ],
    [
      'passed through traders',
      {
        extra: {
          trades: [0, 1].map((at) =>
            aBuy(`stop${at}`, { slot: 1_500, baseRaw: 1n as CaseTrade['baseRaw'] }),
          ),
        },
      },
    ],
  ])('are none where tokens %s', (_, draft) => {
    expect(strengthOf(draft)).toBe(0);
  });
});
