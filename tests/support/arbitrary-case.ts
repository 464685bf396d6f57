import fc from 'fast-check';
import type { CaseFunding, CaseWallet, MintCase } from '../../src/model/mint-case.ts';
import { named } from './made-up-units.ts';
import {
  aCase,
  aFunding,
  aPayment,
  aTrade,
  aTransfer,
  LAUNCH_TIME_MS,
  sol,
  supplyShare,
} from './mint-case.ts';

/** Few names, so that wallets are connected often. */
const NAMES = Array.from('abcdefghijklmn', (letter) => `w-${letter}`);
const name = fc.constantFrom(...NAMES);
const slot = fc.integer({ min: 1_000, max: 1_020 });
const txIndex = fc.nat(5);
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(null), weight: 9 }, { arbitrary, weight: 1 });

const funding = fc
  .record({
    // Two funders have many children, so that batches occur.
    funder: fc.oneof(fc.constantFrom('w-a', 'w-b'), name),
    size: fc.constantFrom(0.2, 1, 1.003, 1.003, 1.01),
    atMs: fc.constantFrom(-700_000_000, -3_600_000, -3_500_000, -3_400_000, 5_000),
  })
  .map(({ funder, size, atMs }): CaseFunding => {
    const timeMs = LAUNCH_TIME_MS + atMs;
    return aFunding(funder, { lamports: sol(size), sinceMs: timeMs, lastMs: timeMs });
  });

const wallet: fc.Arbitrary<Partial<CaseWallet>> = fc
  .record({
    fundings: fc.uniqueArray(funding, { maxLength: 2, selector: ({ funder }) => funder }),
    kind: fc.constantFrom(null, null, null, null, 'cex', 'sponsor', 'mev_searcher'),
    isShell: fc.constantFrom(false, false, false, true),
    fanOut: fc.constantFrom(2, 20, 60, 150, 300),
    ageMs: fc.constantFrom(null, 3_600_000, 3_600_000, 90_000_000),
  })
  .map(({ fundings, kind, isShell, fanOut, ageMs }) => ({
    fundings,
    class: kind,
    isShell,
    // A shell has at most three transactions.
    fanOut: isShell ? 2 : fanOut,
    firstSeenMs: ageMs === null ? null : LAUNCH_TIME_MS - ageMs,
  }));

const trade = fc
  .record({
    who: name,
    side: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const),
    slot,
    txIndex,
    size: fc.constantFrom(0.5, 0.5, 0.5, 0.5, 0.7341, 2.2222),
    payer: seldom(name),
    cosigner: seldom(name),
    level: fc.option(fc.constantFrom('L1' as const, 'L2' as const, 'L3' as const), { freq: 2 }),
    program: seldom(fc.constantFrom('p1', 'p2')),
    isTerminal: fc.constantFrom(false, false, false, false, true),
  })
  .map(({ who, payer, cosigner, level, program, size, ...rest }) =>
    aTrade(who, {
      ...rest,
      baseRaw: supplyShare(0.001),
      lamports: sol(size),
      feePayer: named(payer ?? who),
      cosigners: cosigner === null ? [] : [named(cosigner)],
      group: level === null ? null : { id: 'g', level },
      privateProgram: program === null ? null : named(program),
    }),
  );

const transfer = fc
  .record({ from: name, to: name, slot, txIndex })
  .map(({ from, to, ...place }) => aTransfer(from, to, place));

const payment = fc
  .record({ from: name, to: name, slot, txIndex, size: fc.constantFrom(0.5, 2) })
  .map(({ from, to, size, ...place }) => aPayment(from, to, { ...place, lamports: sol(size) }));

const coTrade = fc
  .record({ one: name, other: name, mints: fc.integer({ min: 1, max: 5 }) })
  .map(({ one, other, mints }) => ({ one: named(one), other: named(other), mints }));

/** Small cases in which wallets are connected in every possible way. */
export const arbitraryCase: fc.Arbitrary<MintCase> = fc
  .record({
    wallets: fc.array(wallet, { minLength: NAMES.length, maxLength: NAMES.length }),
    trades: fc.array(trade, { minLength: 10, maxLength: 40 }),
    transfers: fc.array(transfer, { maxLength: 3 }),
    payments: fc.array(payment, { maxLength: 15 }),
    coTrades: fc.array(coTrade, { maxLength: 4 }),
    creator: name,
  })
  .map(({ wallets, creator, ...lists }) => {
    const drafts = NAMES.map((word, index): [string, Partial<CaseWallet>] => [
      word,
      wallets[index] ?? {},
    ]);
    const { launch, ...rest } = aCase({ ...lists, wallets: Object.fromEntries(drafts) });
    return { ...rest, launch: launch === null ? null : { ...launch, creator: named(creator) } };
  });

/** The same case with all lists in another order, and pairs reversed. */
export function shuffledCase(mintCase: MintCase, order: readonly number[]): MintCase {
  let next = 0;
  const shuffled = <Thing>(things: readonly Thing[]): Thing[] =>
    things
      .map((thing) => ({ thing, at: order[next++ % order.length] ?? 0 }))
      .sort((one, other) => one.at - other.at)
      .map(({ thing }) => thing);
  const wallets = [...mintCase.wallets].map(([address, wallet]): [typeof address, CaseWallet] => [
    address,
    { ...wallet, fundings: shuffled(wallet.fundings) },
  ]);
  return {
    ...mintCase,
    trades: shuffled(mintCase.trades),
    transfers: shuffled(mintCase.transfers),
    payments: shuffled(mintCase.payments),
    coTrades: shuffled(mintCase.coTrades).map(({ one, other, mints }) => ({
      one: other,
      other: one,
      mints,
    })),
    wallets: new Map(shuffled(wallets)),
  };
}
