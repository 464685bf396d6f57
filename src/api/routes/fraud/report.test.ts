import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import {
  buildClassification,
  classificationId,
} from '../../../../tests/support/build-classification.ts';
import { address } from '../../../../tests/support/build-transaction.ts';
import {
  asOfFakeSlot,
  CLASSIFICATION,
  fakeApiDeps,
  fakeToken,
  SLOT,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../../tests/support/fake-api-server.ts';
import type { FindingGraph } from '../../../model/finding-graph.ts';
import { FindingReportBody } from '../../present/finding-report-body.ts';

const url = (id: string) => `/v1/fraud/classifications/${id}/report`;
const GRAPH: FindingGraph = { nodes: [], edges: [], unresolved: [], decimals: 6 };

interface Body {
  readonly sections: readonly {
    readonly section: number;
    readonly fields: readonly {
      readonly name: string;
      readonly origin: string;
      readonly value: string | null;
    }[];
  }[];
  readonly operator_fields: readonly string[];
  readonly limits: readonly string[];
  readonly recomputation: { readonly slot: number; readonly commands: readonly string[] };
}

function serverOf(simulation: { readonly seed: string; readonly startMs: number } | null = null) {
  const deps = fakeApiDeps();
  const detail = {
    ...{ classification: buildClassification(), status: 'confirmed' as const },
    ...{ confidencesWithout: [null, null, null], reviews: [] },
  };
  return fakeApiServer({
    simulation,
    tokens: {
      ...deps.tokens,
      find: () => fakeToken({ mint: address('mint'), name: 'Cat', symbol: 'CAT' }),
    },
    fraud: {
      ...deps.fraud,
      find: async (id) => asOfFakeSlot(id === CLASSIFICATION ? detail : null),
      graph: async (id) => asOfFakeSlot(id === CLASSIFICATION ? GRAPH : null),
    },
  });
}

const fieldsOf = ({ sections }: Body) =>
  sections.flatMap(({ section, fields }) =>
    fields.map((field) => ({ ...field, path: `${section}.${field.name}` })),
  );
const valueIn = (body: Body, path: string) =>
  fieldsOf(body).find((field) => field.path === path)?.value;

describe('GET /v1/fraud/classifications/{id}/report', () => {
  test('fills from the chain what the chain shows, by the sections of the template', async () => {
    const response = await getAsReader(serverOf(), url(CLASSIFICATION));
    expect(response.statusCode).toBe(200);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    const body: Body = response.json();
    expect(Value.Check(FindingReportBody, body)).toBe(true);
    expect(body.sections.map(({ section }) => section)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(valueIn(body, '2.crypto_asset_name')).toBe('Cat / CAT');
    expect(valueIn(body, '2.crypto_asset_address')).toBe(address('mint'));
    expect(valueIn(body, '2.place')).toBe(address('pool'));
    // The pattern began at slot 1,000, and the evidence names no other slot of a transaction.
    expect(valueIn(body, '2.period_slots')).toBe('1000 to 1000');
    expect(valueIn(body, '2.period_times')).toBe(
      '2025-01-15T14:32:08.000Z to 2025-01-15T14:32:09.000Z',
    );
    expect(valueIn(body, '3.reasons')).toContain('The creator paid the buyer.');
    expect(valueIn(body, '3.confidence')).toBe('0.8581 (high)');
    expect(valueIn(body, '4.wallet_addresses')).toContain(`${address('creator')} (attacker)`);
    expect(valueIn(body, '4.relationship_with_issuer')).toContain(address('creator'));
    expect(valueIn(body, '5.value_at_risk_usd')).toBe('6622.00');
    expect(valueIn(body, '5.review')).toBe('confirmed');
    expect(body.recomputation).toEqual({
      slot: 1_010,
      calibration_version: 1,
      commands: [
        expect.stringContaining(`/v1/fraud/classifications/${CLASSIFICATION}`),
        'mintscope verify finding.json blocks/',
      ],
    });
  });

  test('never fills a field of the reporting person, and names each', async () => {
    const body: Body = (await getAsReader(serverOf(), url(CLASSIFICATION))).json();
    const open = fieldsOf(body).filter(({ origin }) => origin === 'operator');
    expect(open.every(({ value }) => value === null)).toBe(true);
    expect(body.operator_fields).toEqual(open.map(({ path }) => path));
    // Section 1 is all about the reporting person, and no address names its owner.
    expect(body.operator_fields).toEqual(
      expect.arrayContaining(['1.entity_name', '3.legal_qualification', '4.name']),
    );
  });

  test('says first that a simulated chain is simulated', async () => {
    const [real, simulated] = await Promise.all(
      [null, { seed: 'seed', startMs: 0 }].map(
        async (origin): Promise<Body> =>
          (await getAsReader(serverOf(origin), url(CLASSIFICATION))).json(),
      ),
    );
    expect(simulated).toMatchObject({ is_simulated: true });
    expect(simulated?.limits[0]).toContain('simulated');
    expect(real).toMatchObject({ is_simulated: false });
    expect(simulated?.limits).toHaveLength((real?.limits.length ?? 0) + 1);
  });

  test.each([
    ['1', 400, 'id must be a UUID.'],
    [classificationId(9), 404, 'This classification is not known.'],
  ])('answers for the id %s', async (id, code, message) => {
    const response = await getAsReader(serverOf(), url(id));
    expect(response.statusCode).toBe(code);
    expect(response.json()).toEqual({ code, message });
  });
});
