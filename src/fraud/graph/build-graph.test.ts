import { describe, expect, test } from 'vitest';
import { buildClassification } from '../../../tests/support/build-classification.ts';
import { address, signature } from '../../../tests/support/build-transaction.ts';
import { GRAPH_EDGES_MAX, type GraphEdge, type WalletLinks } from '../../model/finding-graph.ts';
import { asLamports, asRawAmount, asSlot } from '../../model/units.ts';
import { buildGraph } from './build-graph.ts';

const [creator, buyer, pool] = [address('creator'), address('buyer'), address('pool')];
const NOTHING: WalletLinks = {
  trades: [],
  transfers: [],
  liquidity: [],
  payments: [],
  classes: new Map(),
};

const ref = (name: string, slot: number, txIndex = 0) => ({
  ...{ slot: asSlot(slot), timeMs: slot * 400, txIndex },
  signature: signature(name),
});

const paid = { from: creator, to: buyer, lamports: asLamports(5n), ...ref('payment', 990) };

const bought = (name: string, slot: number): GraphEdge => ({
  ...{ from: buyer, to: pool, kind: 'buy', lamports: asLamports(2n), tokensRaw: asRawAmount(3n) },
  ...{ slot: asSlot(slot), txIndex: 1, signature: signature(name) },
});

describe('the graph of a finding', () => {
  // Its evidence: transactions first and second of buyer and creator, and creator funded buyer.
  const finding = buildClassification();

  test('has its wallets with their roles, and the pools and funders of the edges', () => {
    const exchange = address('exchange');
    const payments = [{ ...paid, from: exchange }];
    const links = { ...NOTHING, payments, classes: new Map([[exchange, 'cex' as const]]) };
    const { nodes, decimals } = buildGraph(finding, links, [bought('first', 1_000)]);
    const named = nodes.map((node) => [node.address, node.involved?.role ?? null, node.class]);
    expect(named.slice(0, 2)).toEqual([
      [creator, 'attacker', null],
      [buyer, 'bundler', null],
    ]);
    expect(new Set(named.slice(2))).toEqual(
      new Set([
        [exchange, null, 'cex'],
        [pool, null, 'pool'],
      ]),
    );
    expect(decimals).toBe(6);
  });

  test('has what is recorded and what the log shows in block order', () => {
    const transfer = {
      from: buyer,
      to: creator,
      amountRaw: asRawAmount(7n),
      ...ref('sent', 1_002),
    };
    const links = { ...NOTHING, payments: [paid], transfers: [transfer] };
    const { edges, unresolved } = buildGraph(finding, links, [bought('first', 1_000)]);
    expect(edges).toEqual([
      {
        ...{ from: creator, to: buyer, kind: 'payment', lamports: 5n, tokensRaw: null },
        ...{ slot: 990, txIndex: 0, signature: signature('payment') },
      },
      bought('first', 1_000),
      {
        ...{ from: buyer, to: creator, kind: 'token_transfer', lamports: null, tokensRaw: 7n },
        ...{ slot: 1_002, txIndex: 0, signature: signature('sent') },
      },
    ]);
    expect(unresolved).toEqual([signature('second')]);
  });

  test('shows who removed liquidity of which pool, in block order', () => {
    const change = { pool, provider: creator, baseRaw: asRawAmount(-9n), ...ref('out', 1_003) };
    const put = { ...change, baseRaw: asRawAmount(9n), ...ref('in', 1_001) };
    const liquidity = [
      { ...put, lamports: asLamports(4n) },
      { ...change, lamports: asLamports(-5n) },
    ];
    const { nodes, edges } = buildGraph(finding, { ...NOTHING, liquidity }, []);
    expect(edges.filter(({ kind }) => kind.startsWith('liquidity'))).toEqual([
      {
        ...{ from: creator, to: pool, kind: 'liquidity_added', lamports: 4n, tokensRaw: 9n },
        ...{ slot: 1_001, txIndex: 0, signature: signature('in') },
      },
      {
        ...{ from: creator, to: pool, kind: 'liquidity_removed', lamports: 5n, tokensRaw: 9n },
        ...{ slot: 1_003, txIndex: 0, signature: signature('out') },
      },
    ]);
    expect(nodes.find((node) => node.address === pool)?.class).toBe('pool');
  });

  test('names a relation that no transaction shows, without a transaction', () => {
    const { edges } = buildGraph(finding, NOTHING, []);
    expect(edges).toEqual([
      {
        ...{ from: creator, to: buyer, kind: 'direct_funding', lamports: null, tokensRaw: null },
        ...{ slot: null, txIndex: null, signature: null },
      },
    ]);
    const proven = buildGraph(
      finding,
      { ...NOTHING, payments: [{ ...paid, from: buyer, to: creator }] },
      [],
    );
    expect(proven.edges.map(({ kind }) => kind)).toEqual(['payment']);
  });

  test('names every transaction of the evidence that no edge shows', () => {
    expect(buildGraph(finding, NOTHING, []).unresolved).toEqual([
      signature('first'),
      signature('second'),
    ]);
  });

  test('has the earliest edges when there are too many', () => {
    const many = Array.from({ length: GRAPH_EDGES_MAX + 5 }, (_, at) =>
      bought(`b${at}`, 5_000 - at),
    );
    const { edges } = buildGraph(finding, NOTHING, many);
    expect(edges).toHaveLength(GRAPH_EDGES_MAX);
    expect(edges[0]).toEqual(many.at(-1));
  });

  test('has no lamports for a trade in a quote of unknown price', () => {
    const trade = {
      ...{ wallet: buyer, feePayer: buyer, cosigners: [], pool, side: 'sell' as const },
      ...{ baseRaw: asRawAmount(3n), lamports: asLamports(0n), usd: null, priceSol: null },
      ...{ poolLamports: null, group: null, isRoundTrip: false, isArbitrage: false },
      ...{ isTerminal: false, privateProgram: null, ...ref('sale', 1_001) },
    };
    const { edges } = buildGraph(finding, { ...NOTHING, trades: [trade] }, []);
    expect(edges[0]).toMatchObject({ kind: 'sell', from: buyer, to: pool, lamports: null });
  });
});
