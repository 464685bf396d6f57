import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import {
  buildClassification,
  classificationId,
} from '../../../../tests/support/build-classification.ts';
import { address, signature } from '../../../../tests/support/build-transaction.ts';
import {
  asOfFakeSlot,
  CLASSIFICATION,
  fakeApiDeps,
  SLOT,
} from '../../../../tests/support/fake-api-deps.ts';
import {
  fakeApiServer,
  getAsReader,
  sharedApiServer,
} from '../../../../tests/support/fake-api-server.ts';
import type { FindingGraph } from '../../../model/finding-graph.ts';
import { asLamports, asRawAmount, asSlot } from '../../../model/units.ts';
import { FindingGraphBody } from '../../present/finding-graph-body.ts';

const url = (id: string) => `/v1/fraud/classifications/${id}/graph`;
const [buyer, pool] = [address('buyer'), address('pool')];

const GRAPH: FindingGraph = {
  nodes: [
    { address: buyer, involved: buildClassification().finding.wallets[1] ?? null, class: null },
    { address: pool, involved: null, class: 'pool' },
  ],
  edges: [
    {
      ...{ from: buyer, to: pool, kind: 'buy', lamports: asLamports(2_500_000_000n) },
      ...{ tokensRaw: asRawAmount(310_000_000n), slot: asSlot(1_000), txIndex: 3 },
      signature: signature('first'),
    },
    {
      ...{ from: buyer, to: pool, kind: 'same_entity', lamports: null, tokensRaw: null },
      ...{ slot: null, txIndex: null, signature: null },
    },
  ],
  unresolved: [signature('second')],
  decimals: 6,
};

describe('GET /v1/fraud/classifications/{id}/graph', () => {
  test('returns nodes and edges, each edge with its transaction', async () => {
    const graph = async () => asOfFakeSlot(GRAPH);
    const server = fakeApiServer({ fraud: { ...fakeApiDeps().fraud, graph } });
    const response = await getAsReader(server, url(CLASSIFICATION));
    expect(response.statusCode).toBe(200);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(Value.Check(FindingGraphBody.schema, response.json())).toBe(true);
    expect(response.json()).toEqual({
      classification_id: CLASSIFICATION,
      nodes: [
        {
          ...{ address: buyer, role: 'bundler', class: null, tokens_acquired: '310.000000' },
          ...{ sol_spent: '2.500000000', sol_received: '0.000000000', labels: [] },
        },
        {
          ...{ address: pool, role: null, class: 'pool', tokens_acquired: null },
          ...{ sol_spent: null, sol_received: null, labels: [] },
        },
      ],
      edges: [
        {
          ...{ from: buyer, to: pool, kind: 'buy', sol_amount: '2.500000000' },
          ...{ token_amount: '310.000000', slot: 1_000, signature: signature('first') },
        },
        {
          ...{ from: buyer, to: pool, kind: 'same_entity', sol_amount: null, token_amount: null },
          ...{ slot: null, signature: null },
        },
      ],
      unresolved_signatures: [signature('second')],
    });
  });

  test.each([
    ['1', 400, 'id must be a UUID.'],
    [classificationId(9), 404, 'This classification is not known.'],
  ])('answers for the id %s', async (id, code, message) => {
    const response = await getAsReader(sharedApiServer(), url(id));
    expect(response.json()).toEqual({ code, message });
  });
});
