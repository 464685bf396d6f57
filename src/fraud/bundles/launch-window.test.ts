import { describe, expect, it } from 'vitest';
import { linksFrom, readingOf } from '../../../tests/support/linked-wallets.ts';
import { aBuy, aCase, LAUNCH_SLOT, sol, supplyShare } from '../../../tests/support/mint-case.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import type { Link } from '../links/clusters.ts';
import { traditionalBundle } from './traditional-bundle.ts';

/** Buys of 2 % of the supply each, this many slots after the creation. */
const buysAfter = (slots: readonly number[], draft: Partial<CaseTrade> = {}) =>
  slots.map((after, at) =>
    aBuy(`w${at + 1}`, {
      slot: LAUNCH_SLOT + after,
      txIndex: 7,
      baseRaw: supplyShare(0.02),
      ...draft,
    }),
  );
const fromBoss = linksFrom('boss', ['w1', 'w2', 'w3', 'w4', 'w5']);

function inspect(trades: readonly CaseTrade[], links: readonly Link[] = fromBoss) {
  return traditionalBundle.inspect(readingOf(aCase({ trades }), links));
}

describe('linked wallets that buy in the first half minute', () => {
  it('are a launch bundle that says until when they bought', () => {
    // The last one is 75 slots of 400 ms after the creation.
    const [finding] = inspect(buysAfter([3, 20, 50, 75]));
    // 2.2 · 0.15 + 0.8 · 1/7 + 1.5 · 0.5 + 2.5 − 3.2
    const logit = 0.33 + 0.8 / 7 + 0.75 + 2.5 - 3.2;
    expect(finding?.rawScore).toBeCloseTo(1 / (1 + Math.exp(-logit)), 12);
    expect(finding?.patternStartSlot).toBe(LAUNCH_SLOT);
    const bundlers = finding?.wallets.filter(({ role }) => role === 'bundler') ?? [];
    expect(bundlers.map(({ address, labels }) => [address, labels])).toEqual(
      ['w1', 'w2', 'w3', 'w4'].map((address) => [address, ['window']]),
    );
    const share = finding?.evidence.find(({ type }) => type === 'supply_concentration');
    expect(share?.description).toMatch(
      /together, in a window of 30\.0 seconds after the creation\.$/,
    );
  });

  it('are one through terminals as well', () => {
    const [own] = inspect(buysAfter([3, 20, 50, 75]));
    const [terminal] = inspect(buysAfter([3, 20, 50, 75], { isTerminal: true }));
    expect(terminal?.rawScore).toBe(own?.rawScore);
  });

  it('are counted with those of the first slots, which they do not make less certain', () => {
    const group = { id: 'bundle', level: 'L2' as const };
    const first = buysAfter([0, 0, 0], { group });
    const names = ['w1', 'w2', 'w3', 'late1', 'late2'];
    const late = names
      .slice(3)
      .map((name) => aBuy(name, { slot: LAUNCH_SLOT + 30, baseRaw: supplyShare(0.02) }));
    const links = linksFrom('boss', names);
    const [before] = inspect(first, links);
    const [after] = inspect([...first, ...late], links);
    expect(after?.confidence).toBeGreaterThan(before?.confidence ?? 1);
    expect(after?.wallets.filter(({ labels }) => labels.includes('window'))).toHaveLength(2);
  });

  it.each([
    ['later than that', buysAfter([76, 77, 78, 79]), fromBoss],
    ['without links', buysAfter([3, 20, 50, 75]), []],
    ['with money of one exchange', buysAfter([3, 20, 50, 75]), exchangeOnly()],
    ['as two', buysAfter([3, 20]), fromBoss],
    ['for less than 5 %', buysAfter([3, 20, 50], { baseRaw: supplyShare(0.016) }), fromBoss],
  ])('are none %s', (_, trades, links) => {
    expect(inspect(trades, links)).toEqual([]);
  });
});

describe('ten linked wallets with less than 5 %', () => {
  const names = Array.from({ length: 10 }, (_, at) => `w${at + 1}`);
  const links = linksFrom('boss', names);
  /** Each buys for half a SOL; strangers buy a minute later for as many. */
  const foundWith = (share: number, members: number, strangerSol: number) => {
    const each = { baseRaw: supplyShare(share / members), lamports: sol(0.5) };
    const crew = buysAfter(
      Array.from({ length: members }, (_, at) => at),
      each,
    );
    // 150 slots of 400 ms behind the last member.
    const slot = LAUNCH_SLOT + members - 1 + 150;
    const stranger = aBuy('stranger', { slot, lamports: sol(strangerSol) });
    return inspect([...crew, stranger], links).length;
  };

  it('are one where they make a quarter of the purchases in that minute', () => {
    expect(foundWith(0.04, 10, 15)).toBe(1);
    expect(foundWith(0.04, 10, 15.1)).toBe(0);
  });

  it('are none with less than 3 %, and nine are none', () => {
    expect(foundWith(0.03, 10, 1)).toBe(1);
    expect(foundWith(0.029, 10, 1)).toBe(0);
    expect(foundWith(0.04, 9, 1)).toBe(0);
  });
});

function exchangeOnly(): readonly Link[] {
  return linksFrom('w1', ['w2', 'w3', 'w4'], { family: 'exchange-batch', strength: 0.6 });
}
