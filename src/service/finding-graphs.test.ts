import { describe, expect, test } from 'vitest';
import { buildClassification, classificationId } from '../../tests/support/build-classification.ts';
import { slotFacts, transactionFacts } from '../../tests/support/build-facts.ts';
import { address, signature } from '../../tests/support/build-transaction.ts';
import { LOG_SLOTS_MAX } from '../fraud/graph/evidence-transactions.ts';
import type { WalletLinks } from '../model/finding-graph.ts';
import type { Classification } from '../model/fraud.ts';
import { asLamports, asSlot } from '../model/units.ts';
import type { ClassificationQuery } from '../store/reads/classifications.ts';
import { findingGraph, type GraphSources } from './finding-graphs.ts';

const ID = classificationId(1);
const [creator, buyer] = [address('creator'), address('buyer')];

interface Given {
  readonly versions?: readonly Classification[];
  readonly links?: Partial<WalletLinks>;
  readonly linksSlot?: number;
}

/** Findings as of slot 2000, and a log in which slot 1000 has the payment `first`. */
function sourcesWith({ versions = [buildClassification()], links = {}, linksSlot = 2_000 }: Given) {
  const read: number[] = [];
  const asked: ClassificationQuery[] = [];
  const asOf = <Data>(data: Data, slot = 2_000) => ({ slot: asSlot(slot), timeMs: 7, data });
  const sources: GraphSources = {
    findings: {
      find: async (id) => asOf(versions.findLast((one) => one.id === id) ?? null),
      ofMint: async (query) => {
        asked.push(query);
        return asOf(versions.filter(({ slot }) => slot <= (query.asOfSlot ?? Infinity)));
      },
    },
    links: () =>
      asOf(
        { trades: [], transfers: [], liquidity: [], payments: [], classes: new Map(), ...links },
        linksSlot,
      ),
    log: {
      findWith: async (slots) => {
        read.push(...slots);
        const events = [
          {
            ...{ kind: 'solTransfer' as const, transferKind: 'transfer' as const },
            ...{ from: creator, to: buyer, lamports: asLamports(9n), outerIx: 0, innerIx: -1 },
          },
        ];
        const others = transactionFacts({ txIndex: 0, signature: signature('unrelated'), events });
        const first = transactionFacts({ txIndex: 1, signature: signature('first'), events });
        return slots.includes(1_000) ? [slotFacts(1_000, 7, [others, first])] : [];
      },
    },
  };
  return { sources, read, asked };
}

describe('the graph of a finding', () => {
  test('is null for an unknown finding', async () => {
    const { sources } = sourcesWith({ versions: [] });
    expect((await findingGraph(sources, ID)).data).toBeNull();
  });

  test('reads transactions of the evidence that are not recorded from the log', async () => {
    const { sources, read } = sourcesWith({});
    const { data, slot } = await findingGraph(sources, ID);
    expect(data?.edges).toEqual([
      {
        ...{ from: creator, to: buyer, kind: 'payment', lamports: 9n, tokensRaw: null },
        ...{ slot: 1_000, txIndex: 1, signature: signature('first') },
      },
    ]);
    expect(data?.unresolved).toEqual([signature('second')]);
    expect(slot).toBe(2_000);
    // The slots that the evidence names, each once.
    expect(read).toEqual([1_000, 1_001, 1_002, 999]);
  });

  test('reads nothing from the log if all are recorded', async () => {
    const paid = (name: string) => ({
      ...{ from: creator, to: buyer, lamports: asLamports(9n), signature: signature(name) },
      ...{ slot: asSlot(1_000), timeMs: 7, txIndex: 0 },
    });
    const { sources, read } = sourcesWith({ links: { payments: [paid('first'), paid('second')] } });
    expect((await findingGraph(sources, ID)).data?.unresolved).toEqual([]);
    expect(read).toEqual([]);
  });

  test('reads a bounded number of slots', async () => {
    const slots = Array.from({ length: 100 }, (_, at) => asSlot(5_000 + at));
    const [first] = buildClassification().finding.evidence;
    if (first === undefined) throw new Error('no evidence');
    const payload = { kind: 'timing' as const, timesMs: [], slots, pattern: 'burst' as const };
    const evidence = [first, { ...first, payload }];
    const { sources, read } = sourcesWith({
      versions: [buildClassification({ finding: { evidence } })],
    });
    await findingGraph(sources, ID);
    expect(read).toHaveLength(LOG_SLOTS_MAX);
  });

  test('is of the version as of the slot of the links, which it returns', async () => {
    const earlier = buildClassification({ slot: asSlot(1_010), decimals: 3 });
    const versions = [earlier, buildClassification({ slot: asSlot(1_990) })];
    const { sources, asked } = sourcesWith({ versions, linksSlot: 1_500 });
    const { data, slot } = await findingGraph(sources, ID);
    expect([data?.decimals, slot]).toEqual([3, 1_500]);
    expect(asked).toMatchObject([{ asOfSlot: 1_500, confidenceMin: 0 }]);
    const early = sourcesWith({ versions, linksSlot: 900 });
    expect(await findingGraph(early.sources, ID)).toMatchObject({ slot: 900, data: null });
  });
});
