import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { buildGraph } from '../../src/fraud/graph/build-graph.ts';
import { namedWallets } from '../../src/fraud/graph/evidence-transactions.ts';
import type { Classification } from '../../src/model/fraud.ts';
import { compareEdges } from '../support/edge-transactions.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { runAttack } from '../support/scenario-stage.ts';

const TEST_MS = 400_000;

describe('the graph of a finding', () => {
  test.each(['traditional_bundle', 'bundle_and_launder', 'wash_volume'] as const)(
    'of a %s has edges that its transactions show, and names no other',
    (type) => {
      const run = runAttack(type, 'easy', 'found by an engine');
      const blocks = run.blocks.map(toChainBlock);
      const engine = new Engine({ fallbackSolUsd });
      let found: Classification | null = null;
      for (const block of blocks) {
        const { classifications } = engine.apply(decodeBlock(block));
        found = classifications.findLast(({ finding }) => finding.fraudType === type) ?? found;
      }
      if (found === null) throw new Error(`no ${type} was found`);
      const { mint } = found.finding;
      const links = engine.walletReads.links(mint, namedWallets(found));
      const graph = buildGraph(found, links, []);
      const compared = compareEdges(graph.edges, blocks, mint);
      expect(compared.payments).toBeGreaterThan(0);
      expect(compared.holdings).toBeGreaterThan(0);
      expect(graph.unresolved).toEqual([]);
      const named = new Set(graph.nodes.map(({ address }) => address));
      for (const { address } of found.finding.wallets) expect(named).toContain(address);
      for (const { from, to } of graph.edges) {
        expect(named).toContain(from);
        expect(named).toContain(to);
      }
    },
    TEST_MS,
  );
});
