import { describe, expect, it } from 'vitest';
import { findBundles } from '../../../src/fold/market/bundles.ts';
import { TERMINAL_OF_FEE_ACCOUNT } from '../../../src/model/terminal-accounts.ts';
import type { Address } from '../../../src/model/units.ts';
import { jitoTips, ScenarioRecord, sumOf } from '../../../tests/support/scenario-record.ts';
import { runBenign } from '../../../tests/support/scenario-stage.ts';
import { EXCHANGE_WALLETS } from '../../market/common-accounts.ts';
import { BENIGN_FAMILIES, type BenignFamily } from '../../truth/labels.ts';

const SEEDS = ['one', 'other'] as const;
const SUPPLY = 10n ** 15n;

function play(family: BenignFamily, seed: string) {
  const run = runBenign(family, `benign ${seed}`);
  const { benign } = run;
  if (benign === null || benign.endSlot === null) throw new Error(`${family} has no full label`);
  const { mint, wallets, startSlot, endSlot } = benign;
  const record = new ScenarioRecord(run);
  const byBehaviour = (behaviour: string): Address[] =>
    [...wallets].filter((wallet) => run.labels.wallets.get(wallet)?.behaviour === behaviour);
  const swaps = record.swaps(mint);
  const own = swaps.filter(({ trader, slot }) => wallets.has(trader) && slot <= endSlot);
  return { run, record, mint, wallets, startSlot, endSlot, swaps, own, byBehaviour };
}

describe.each(SEEDS)('look-alikes, seed %s', (seed) => {
  it('N1: one hot wallet pays thirty unrelated wallets different amounts, and they buy minutes apart', () => {
    const { record, wallets, own } = play('N1', seed);
    const payments = record.payments().filter(({ to }) => wallets.has(to));
    const [from] = new Set(payments.map((payment) => payment.from));
    expect(new Set(payments.map((payment) => payment.from)).size).toBe(1);
    expect(EXCHANGE_WALLETS).toContain(from);
    expect(payments.length).toBeGreaterThanOrEqual(26);
    expect(new Set(payments.map(({ lamports }) => lamports)).size).toBeGreaterThan(12);
    const times = own.map(({ timeMs }) => timeMs);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(90_000);
  });

  it('N2: a sponsor pays for a dozen users who each pay the terminal and a tip', () => {
    const { own, byBehaviour } = play('N2', seed);
    const [relay] = byBehaviour('terminal relay');
    const purchases = own.filter(({ side }) => side === 'buy');
    expect(new Set(purchases.map(({ trader }) => trader)).size).toBeGreaterThanOrEqual(12);
    for (const { transaction, trader } of purchases) {
      expect(transaction.feePayer).toBe(relay);
      expect(transaction.signers).toContain(trader);
      expect(transaction.terminal).not.toBeNull();
      expect(jitoTips(transaction)).toBe(1);
    }
    const fees = purchases.flatMap(({ transaction }) =>
      transaction.events.filter(
        (event) => event.kind === 'solTransfer' && TERMINAL_OF_FEE_ACCOUNT.has(event.to),
      ),
    );
    expect(fees).toHaveLength(purchases.length);
  });

  it('N3: eight snipers buy with the creation, with one tip each and no common payer', () => {
    const { record, own, mint, wallets, endSlot } = play('N3', seed);
    const launchSlot = record.launchSlot(mint);
    const first = own.filter(({ slot, side }) => slot === launchSlot && side === 'buy');
    expect(new Set(first.map(({ trader }) => trader)).size).toBe(8);
    expect(first.map(({ transaction }) => jitoTips(transaction))).toEqual(Array(8).fill(1));
    for (const wallet of wallets) {
      const payers = [...record.funders(wallet, endSlot).keys()];
      expect(payers.every((payer) => EXCHANGE_WALLETS.includes(payer))).toBe(true);
    }
    const facts = record.slots.find(({ slot }) => slot === launchSlot);
    if (facts === undefined) throw new Error('no slot');
    const bundled = findBundles(facts, ({ traderQuoteDelta }) => traderQuoteDelta);
    expect(bundled.filter(({ level }) => level === 'L1' || level === 'L2')).toEqual([]);
  });

  it('N4: more independent wallets buy within a minute than in all the time before', () => {
    const { own, swaps, startSlot } = play('N4', seed);
    const firstMs = own[0]?.timeMs ?? 0;
    const burst = own.filter(({ timeMs }) => timeMs < firstMs + 60_000);
    const before = swaps.filter(({ slot, side }) => slot < startSlot && side === 'buy');
    expect(burst.length).toBeGreaterThanOrEqual(28);
    expect(burst.length).toBeGreaterThan(before.length);
  });

  it('N5: each copier buys one to six slots after the leader, on three tokens', () => {
    const { record, byBehaviour } = play('N5', seed);
    const [leader] = byBehaviour('leader');
    const copiers = new Set(byBehaviour('copy trader'));
    let mints = 0;
    for (const { mint } of launchesOf(record)) {
      const purchases = record.swaps(mint).filter(({ side }) => side === 'buy');
      const led = purchases.find(({ trader }) => trader === leader);
      if (led === undefined) continue;
      mints++;
      const copies = purchases.filter(({ trader }) => copiers.has(trader));
      expect(copies.length).toBe(copiers.size);
      for (const { slot } of copies) {
        expect(slot - led.slot).toBeGreaterThanOrEqual(1);
        expect(slot - led.slot).toBeLessThanOrEqual(6);
      }
    }
    expect(mints).toBe(3);
  });

  it('N6: the maker changes direction at least ten times and moves liquidity both ways', () => {
    const { record, own, wallets } = play('N6', seed);
    const turns = own.filter(({ side }, index) => index > 0 && own[index - 1]?.side !== side);
    expect(turns.length).toBeGreaterThanOrEqual(10);
    const pool = own[0]?.pool;
    if (pool === undefined) throw new Error('the maker has not traded');
    const moves = record.liquidity(pool).filter(({ provider }) => wallets.has(provider));
    expect(moves.some(({ poolQuoteDelta }) => poolQuoteDelta > 0n)).toBe(true);
    expect(moves.some(({ poolQuoteDelta }) => poolQuoteDelta < 0n)).toBe(true);
  });

  it('N7: each arbitrage transaction buys in one pool, sells in another, and makes a profit', () => {
    const { own } = play('N7', seed);
    const byTransaction = Map.groupBy(own, ({ transaction }) => transaction);
    expect(byTransaction.size).toBeGreaterThanOrEqual(2);
    for (const [bought, sold] of byTransaction.values()) {
      if (bought === undefined || sold === undefined) throw new Error('one side only');
      expect([bought.side, sold.side]).toEqual(['buy', 'sell']);
      expect(bought.pool).not.toBe(sold.pool);
      expect(sold.quoteRaw).toBeGreaterThan(bought.quoteRaw);
    }
  });

  it('N8: each victim trades between purchase and sale of the sandwicher, who makes a profit', () => {
    const { own, byBehaviour } = play('N8', seed);
    const [sandwicher] = byBehaviour('sandwicher');
    const victims = new Set(byBehaviour('sandwiched user'));
    const attacked = own.filter(({ trader }) => victims.has(trader));
    expect(attacked.length).toBeGreaterThanOrEqual(3);
    for (const { transaction, slot } of attacked) {
      const at = (offset: number) =>
        own.find(
          (swap) => swap.slot === slot && swap.transaction.txIndex === transaction.txIndex + offset,
        );
      const [front, back] = [at(-1), at(1)];
      expect([front?.trader, front?.side]).toEqual([sandwicher, 'buy']);
      expect([back?.trader, back?.side]).toEqual([sandwicher, 'sell']);
      expect(back?.quoteRaw ?? 0n).toBeGreaterThan(front?.quoteRaw ?? 0n);
    }
  });

  it('N9: most of thirty unconnected holders sell within two minutes', () => {
    const { record, own, wallets, startSlot, endSlot } = play('N9', seed);
    const sellers = new Set(
      own.filter(({ side, slot }) => side === 'sell' && slot >= startSlot).map((s) => s.trader),
    );
    expect(sellers.size).toBeGreaterThanOrEqual(wallets.size * 0.5);
    expect(wallets.size).toBeGreaterThanOrEqual(24);
    expect(record.timeOf(endSlot) - record.timeOf(startSlot)).toBeLessThan(120_000);
    for (const wallet of wallets) {
      const payers = [...record.funders(wallet, endSlot).keys()];
      expect(payers.every((payer) => EXCHANGE_WALLETS.includes(payer))).toBe(true);
    }
  });

  it('N10: the team locks at least a tenth of the supply for at least a month', () => {
    const { record, mint, own } = play('N10', seed);
    const locks = record.transactions.flatMap(({ events }) =>
      events.flatMap((event) => (event.kind === 'tokenLock' && event.mint === mint ? [event] : [])),
    );
    expect(locks.length).toBeGreaterThanOrEqual(3);
    expect(sumOf(locks, ({ escrowDelta }) => escrowDelta) * 10n).toBeGreaterThanOrEqual(SUPPLY);
    const monthAheadMs = Date.UTC(2026, 0, 1) + 30 * 86_400_000;
    for (const { terms } of locks) {
      expect(terms?.firstUnlockTimeMs ?? 0).toBeGreaterThan(monthAheadMs);
    }
    expect(own.filter(({ side }) => side === 'sell')).toEqual([]);
  });

  it('N11: a creator sends tokens to at least a thousand wallets', () => {
    const { record, mint, byBehaviour } = play('N11', seed);
    const [creator] = byBehaviour('creator');
    const given = record.tokenTransfers(mint).filter(({ fromOwner }) => fromOwner === creator);
    expect(new Set(given.map(({ toOwner }) => toOwner)).size).toBeGreaterThanOrEqual(1_000);
  });

  it('N12: one account receives a fee in every purchase of the users and buys back with it', () => {
    const { own, byBehaviour } = play('N12', seed);
    const [treasury] = byBehaviour('buy-back account');
    const users = new Set(byBehaviour('project user'));
    const purchases = own.filter(({ trader, side }) => users.has(trader) && side === 'buy');
    expect(purchases.length).toBeGreaterThanOrEqual(20);
    for (const { transaction } of purchases) {
      const paid = transaction.events.some(
        (event) => event.kind === 'solTransfer' && event.to === treasury,
      );
      expect(paid).toBe(true);
    }
    expect(own.filter(({ trader }) => trader === treasury).length).toBeGreaterThanOrEqual(2);
  });

  it('N13: a wallet pays a second one, and both together hold under 2 % of the supply', () => {
    const { record, mint, byBehaviour, startSlot, endSlot, wallets } = play('N13', seed);
    const [main] = byBehaviour('main wallet');
    const [burner] = byBehaviour('burner wallet');
    const paid = record.payments(startSlot).some(({ from, to }) => from === main && to === burner);
    expect(paid).toBe(true);
    for (const { slot } of record.slots) {
      if (slot < startSlot || slot > endSlot || slot % 20 > 0) continue;
      expect(record.held(wallets, mint, slot) * 50n).toBeLessThan(SUPPLY);
    }
  });

  it('N14: a bridge pays more than 200 wallets, many of which buy the token', () => {
    const { record, own, byBehaviour } = play('N14', seed);
    const [bridge] = byBehaviour('bridge');
    const paid = record.payments().filter(({ from }) => from === bridge);
    expect(new Set(paid.map(({ to }) => to)).size).toBeGreaterThan(200);
    expect(new Set(own.map(({ trader }) => trader)).size).toBeGreaterThanOrEqual(15);
  });

  it('N15: holders send tokens to one vault and to lockers, which do not sell them', () => {
    const { record, mint, startSlot, wallets } = play('N15', seed);
    const moved = record.tokenTransfers(mint).filter(({ slot }) => slot >= startSlot);
    const toVault = Map.groupBy(moved, ({ toOwner }) => toOwner);
    const most = Math.max(...[...toVault.values()].map(({ length }) => length));
    expect(most).toBeGreaterThanOrEqual(8);
    const locks = record.transactions.flatMap(({ events }) =>
      events.filter((event) => event.kind === 'tokenLock' && event.mint === mint),
    );
    expect(locks.length).toBeGreaterThanOrEqual(4);
    const [vault] = wallets;
    expect(record.swaps(mint).filter(({ trader }) => trader === vault)).toEqual([]);
  });

  it('N16: a vault buys for all within two slots of the opening, and gives each its share', () => {
    const { record, mint, swaps, wallets, startSlot, byBehaviour } = play('N16', seed);
    const members = byBehaviour('whitelisted user');
    const [crank] = byBehaviour('crank');
    const vault = [...wallets].find((wallet) => ![...members, crank].includes(wallet));
    const bought = swaps.filter(({ transaction }) =>
      transaction.tokenBalances.some(
        ({ owner, mint: of, before, after }) => owner === vault && of === mint && after > before,
      ),
    );
    // The vault's tokens changed; the crank only signed for the call.
    expect(bought.map(({ side, trader }) => [side, trader])).toEqual([['buy', vault]]);
    expect((bought[0]?.slot ?? 0) - startSlot).toBeLessThanOrEqual(2);
    const claims = record
      .tokenTransfers(mint)
      .filter(
        ({ fromOwner, toOwner }) =>
          fromOwner === vault && toOwner !== null && members.includes(toOwner),
      );
    expect(claims.length).toBe(members.length);
    const claimed = sumOf(claims, ({ amountGross }) => amountGross);
    expect(Number(claimed) / Number(bought[0]?.baseRaw ?? 1n)).toBeGreaterThan(0.999);
  });

  it.each(BENIGN_FAMILIES)(
    '%s is not an attack, and every wallet it lists is on chain',
    (family) => {
      const { run, record, wallets, startSlot, endSlot } = play(family, seed);
      expect(run.isOver).toBe(true);
      expect(run.labels.attacks).toEqual([]);
      expect(run.labels.benign).toHaveLength(1);
      expect(record.problems).toEqual([]);
      expect(startSlot).toBeLessThanOrEqual(endSlot);
      const { addresses } = record;
      expect([...wallets].filter((wallet) => !addresses.has(wallet))).toEqual([]);
      expect(run.labels.benign[0]?.family).toBe(family);
    },
  );
});

function launchesOf(record: ScenarioRecord) {
  return record.transactions.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'launch' ? [event] : [])),
  );
}
