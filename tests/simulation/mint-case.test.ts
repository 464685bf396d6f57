import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import type { BenignFamily, FraudType } from '../../simulator/truth/labels.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { LogBound } from '../../src/fraud/cases/bounded-logs.ts';
import { CASE_BOUNDS } from '../../src/fraud/cases/case-bounds.ts';
import { inspectCase } from '../../src/fraud/detect/inspect-case.ts';
import { ADDRESS_REGISTRY, type AddressClass } from '../../src/model/address-registry.ts';
import type { CaseWallet, MintCase } from '../../src/model/mint-case.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address, PriceE18, Slot } from '../../src/model/units.ts';
import { naiveCase } from '../support/naive-case.ts';
import { runAttack, runBenign, type ScenarioRun } from '../support/scenario-stage.ts';
import { storedEngine } from '../support/stored-engine.ts';

const SOL_USD = 180;
const fallbackSolUsd = (BigInt(SOL_USD) * 10n ** 18n) as PriceE18;
const newEngine = () => new Engine({ fallbackSolUsd });

const ATTACKS: readonly FraudType[] = [
  'traditional_bundle',
  'late_bundle',
  'bundle_and_launder',
  'fake_dump',
  'coordinated_exit',
  'wash_volume',
];
/** Snipers and their payments, an exchange's batch, locked tokens, and transferred tokens. */
const INNOCENT: readonly BenignFamily[] = ['N3', 'N1', 'N10', 'N11'];

interface Story {
  readonly mint: Address;
  readonly slots: readonly SlotFacts[];
}

function storyOf({ blocks, attack, benign }: ScenarioRun): Story {
  const mint = (attack ?? benign)?.mint;
  if (mint === undefined) throw new Error('a run without a label');
  return { mint, slots: blocks.map((block) => decodeBlock(toChainBlock(block))) };
}

function folded(slots: readonly SlotFacts[]): Engine {
  const engine = newEngine();
  for (const facts of slots) engine.apply(facts);
  return engine;
}

/** The first entries of a list and the newest ones. */
function bounded<Entry>(list: readonly Entry[], { first, newest }: LogBound): readonly Entry[] {
  if (list.length <= first + newest) return list;
  return [...list.slice(0, first), ...list.slice(-newest)];
}

/** Addresses that the book of payments leaves out, from the registry and the pools of the story. */
const NO_PAYERS: ReadonlySet<AddressClass> = new Set([
  ...(['burn', 'pool', 'locker', 'launchpad', 'router'] as const),
  ...(['tip', 'protocol_fee', 'terminal_fee'] as const),
]);

function isFeeOrPool(wallets: MintCase['wallets'], address: Address): boolean {
  const known = wallets.get(address)?.class ?? null;
  if (known === 'pool' || known === 'protocol_fee') return true;
  return ADDRESS_REGISTRY.isAnyOf(address, NO_PAYERS);
}

/** Payments that involve a fee or tip account or a pool do not connect people. */
function withoutFees(naive: MintCase): MintCase['payments'] {
  const isLeftOut = (address: Address) => isFeeOrPool(naive.wallets, address);
  return naive.payments.filter(({ from, to }) => !isLeftOut(from) && !isLeftOut(to));
}

function expectListsAlike(own: MintCase, naive: MintCase): void {
  const inSol = ({ trades }: MintCase) => trades.map(({ usd, ...rest }) => rest);
  expect(inSol(own)).toEqual(inSol(naive));
  for (const { usd, lamports } of own.trades) expectNearPrice(Number(usd) / Number(lamports));
  expect(own.transfers).toEqual(bounded(naive.transfers, CASE_BOUNDS.transfers));
  expect(own.liquidity).toEqual(naive.liquidity);
  expect(own.locks).toEqual(naive.locks);
  expect(own.payments).toEqual(withoutFees(naive));
  const byPair = ({ one, other }: MintCase['coTrades'][number]) => `${one} ${other}`;
  expect(own.coTrades).toEqual(
    [...naive.coTrades].sort((one, other) => (byPair(one) < byPair(other) ? -1 : 1)),
  );
}

/** The engine derives dollars from trades of SOL, which vary around the initial price. */
function expectNearPrice(solUsd: number): void {
  expect(Math.abs(solUsd / SOL_USD - 1)).toBeLessThan(0.02);
}

/**
 * For venues with price ranges the naive case uses the pool's balances, the engine the liquidity at
 * its price.
 */
function expectHeadAlike(own: MintCase, naive: MintCase, engine: Engine): void {
  const head = ({ mint, decimals, supplyRaw, slot, timeMs, launch, market }: MintCase) => {
    const { solUsd, baseRaw, ...rest } = market ?? {};
    return { mint, decimals, supplyRaw, slot, timeMs, launch, market: rest };
  };
  expect(head(own)).toEqual(head(naive));
  if (own.market === null) return;
  const { solUsd, baseRaw, quoteLamports } = own.market;
  expectNearPrice(solUsd ?? 0);
  const pool = engine.pool(own.market.pool);
  if (pool?.venue !== 'meteora_dlmm' && pool?.venue !== 'raydium_clmm') {
    expect(baseRaw).toBe(naive.market?.baseRaw);
    return;
  }
  const price = Number(quoteLamports) / 1e9 / (Number(baseRaw) / 10 ** own.decimals);
  expect(price / (Number(pool.price) / 1e18)).toBeCloseTo(1, 6);
}

/**
 * The other fields of a wallet. The removed ones may differ, each for a reason:
 * - `isOrganic`: the naive case only recognises bots that buy and sell at once.
 * - `fanOut`: the naive case counts fees and tips as recipients, the book of funding does not.
 * - `firstSeen…`: unknown in the books when the first appearance was no payment; the naive case
 *   also uses dust and signatures.
 */
function comparable({ isOrganic, fanOut, firstSeenMs, firstSeenSlot, ...rest }: CaseWallet) {
  return rest;
}

function expectPeopleAlike(
  own: MintCase,
  naive: MintCase,
  paidMs: ReadonlyMap<Address, number>,
): void {
  const people = ({ wallets }: MintCase) =>
    [...wallets.values()].filter(({ address }) => !isFeeOrPool(naive.wallets, address));
  expect(people(own).map(comparable)).toEqual(people(naive).map(comparable));
  for (const wallet of people(own)) {
    const other = naive.wallets.get(wallet.address);
    expect(wallet.fanOut).toBeLessThanOrEqual(other?.fanOut ?? 0);
    if (wallet.isOrganic) expect(other?.isOrganic).toBe(true);
    const seenMs = other?.firstSeenMs ?? null;
    const wasPaidFirst = seenMs !== null && paidMs.get(wallet.address) === seenMs;
    if (wallet.firstSeenMs !== null || wasPaidFirst) expect(wallet.firstSeenMs).toBe(seenMs);
  }
}

/** When each wallet first received a payment above dust. */
function firstPaymentsMs(slots: readonly SlotFacts[]): ReadonlyMap<Address, number> {
  const paidMs = new Map<Address, number>();
  for (const { blockTimeMs, transactions } of slots) {
    for (const event of transactions.flatMap(({ events }) => events)) {
      if (event.kind !== 'solTransfer' || event.transferKind !== 'transfer') continue;
      if (event.lamports < 2_000_000n) continue;
      if (!paidMs.has(event.to)) paidMs.set(event.to, blockTimeMs ?? 0);
    }
  }
  return paidMs;
}

function expectAlike({ mint, slots }: Story): void {
  const engine = folded(slots);
  const own = engine.mintCase(mint);
  const naive = naiveCase(slots, mint, { solUsd: SOL_USD });
  expect(own).not.toBeNull();
  if (own === null) return;
  expect(naive.trades.length).toBeGreaterThan(2);
  expectHeadAlike(own, naive, engine);
  expectListsAlike(own, naive);
  expectPeopleAlike(own, naive, firstPaymentsMs(slots));
}

describe('the case of an engine', () => {
  test.each(ATTACKS)('of a %s equals the one from complete lists', (type) => {
    expectAlike(storyOf(runAttack(type, 'medium', 'case of an engine')));
  });

  test.each(INNOCENT)('of the innocent %s equals the one from complete lists', (family) => {
    expectAlike(storyOf(runBenign(family, 'case of an engine')));
  });
});

test('a case from records with trades and without payments reports unknown funding', () => {
  const { mint, slots } = storyOf(runAttack('traditional_bundle', 'easy', 'trades alone'));
  const tradesAlone = slots.map((facts) => ({
    ...facts,
    transactions: facts.transactions.map((transaction) => ({
      ...transaction,
      events: transaction.events.filter(({ kind }) => kind !== 'solTransfer'),
    })),
  }));
  expect(folded(slots).mintCase(mint)?.isFundingKnown).toBe(true);
  const mintCase = folded(tradesAlone).mintCase(mint);
  expect(mintCase?.trades.length).toBeGreaterThan(2);
  expect(mintCase?.isFundingKnown).toBe(false);
  const [finding] = mintCase === null || mintCase === undefined ? [] : inspectCase(mintCase);
  expect(finding?.fraudType).toBe('traditional_bundle');
  // METHODS §7.2 as decided in 0019: the maximum without payments.
  expect(finding?.confidence).toBeLessThanOrEqual(0.85);
});

describe('the books of cases', () => {
  const { mint, slots } = storyOf(runAttack('bundle_and_launder', 'easy', 'books of cases'));
  const half = slots.slice(0, Math.floor(slots.length / 2));
  const rest = slots.slice(half.length, half.length + 400);

  test('are restored when slots are reverted, and give the same result when these are applied again', () => {
    const engine = folded(half);
    const before = engine.digest();
    for (const facts of rest) engine.apply(facts, { isFinal: false });
    const after = engine.digest();
    const last = engine.mintCase(mint);
    expect(after).not.toBe(before);
    for (const _ of rest) engine.undo();
    expect(engine.digest()).toBe(before);
    for (const facts of rest) engine.apply(facts);
    expect(engine.digest()).toBe(after);
    expect(engine.mintCase(mint)).toEqual(last);
  });

  test('give the same case after they were written and read', () => {
    const { engine, restored: restore } = storedEngine({ fallbackSolUsd });
    for (const facts of half) engine.apply(facts);
    const restored = restore();
    expect(restored.mintCase(mint)).toEqual(engine.mintCase(mint));
    for (const facts of rest) {
      engine.apply(facts);
      restored.apply(facts);
    }
    expect(restored.mintCase(mint)).toEqual(engine.mintCase(mint));
    expect(restored.digest()).toBe(engine.digest());
  });

  test('have no case of an untraded or unknown mint', () => {
    const engine = folded(slots.slice(0, 1));
    expect(engine.mintCase(mint)).toBeNull();
    expect(newEngine().mintCase('nobody' as Address)).toBeNull();
    expect(engine.lastSlot).toBe(slots[0]?.slot as Slot);
  });
});
