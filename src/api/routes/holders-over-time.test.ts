import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  MINT,
  POOL,
  SLOT,
} from '../../../tests/support/fake-api-deps.ts';
import {
  fakeApiServer,
  getAsReader,
  sharedApiServer,
} from '../../../tests/support/fake-api-server.ts';
import type { HolderCountQuery } from '../../model/holder-counts.ts';

const url = `/v1/token/${MINT}/holders-over-time`;
const openMs = Date.UTC(2025, 0, 15, 12);

describe('GET /v1/token/{token_address}/holders-over-time', () => {
  test('returns the counts of whole buckets', async () => {
    const asked: HolderCountQuery[] = [];
    const holderCounts = async (query: HolderCountQuery) => {
      asked.push(query);
      return asOfFakeSlot([{ openMs, slot: SLOT, holders: 846 }]);
    };
    const server = fakeApiServer({ tokens: { ...fakeApiDeps().tokens, holderCounts } });
    const range = 'from=2025-01-15T12:10:00Z&to=2025-01-15T13:30:00Z&interval=1h';
    const response = await getAsReader(server, `${url}?${range}`);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(response.json()).toEqual({
      token_address: MINT,
      interval: '1h',
      count: 1,
      data_points: [{ timestamp: '2025-01-15T12:00:00.000Z', holders: 846, slot: SLOT }],
    });
    expect(asked).toMatchObject([
      { mint: MINT, fromMs: openMs, toMs: openMs + 7_200_000, intervalMs: 3_600_000 },
    ]);
  });

  test.each([
    [`${url}?to=2025-01-16`, 400, 'from is required.'],
    [`${url}?from=2025-01-16&to=2025-01-16`, 422, 'from must be before to.'],
    [`${url}?from=2025-01-15&to=2025-01-17`, 422, 'A range of 1m buckets is at most 24 hours.'],
    [
      `/v1/token/${POOL}/holders-over-time?from=2025-01-15&to=2025-01-16`,
      404,
      'This token is not known.',
    ],
  ])('answers for %s', async (path, code, message) => {
    expect((await getAsReader(sharedApiServer(), path)).json()).toEqual({ code, message });
  });
});
