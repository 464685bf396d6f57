import { describe, expect, test } from 'vitest';
import { asOfFakeSlot, SLOT, WRITE_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader, sendAs } from '../../../tests/support/fake-api-server.ts';
import type { CountedDetector } from '../../model/detector-listing.ts';
import { asSlot } from '../../model/units.ts';

const HASH = '0123456789abcdef'.repeat(4);
const COMMON = { version: 2, severity: 6, pattern: 'What it finds.', off: null, trial: null };

const BUILT_IN: CountedDetector = {
  ...COMMON,
  ...{ name: 'wash_volume', hash: null, fraudType: 'wash_volume', hitCount: null },
};
const PUBLISHED: CountedDetector = {
  ...COMMON,
  ...{ name: 'mintscope-detector-one', hash: HASH, fraudType: null, hitCount: 12 },
  off: { slot: asSlot(70), failure: 'threw' },
};
const TRIED: CountedDetector = {
  ...COMMON,
  ...{ name: 'mintscope-detector-two', hash: HASH, fraudType: null, hitCount: null },
  trial: { both: 1, onlyDetector: 2, onlyBuiltIn: 3, neither: 4, failed: 5, isStopped: true },
};

describe('GET /v1/detectors', () => {
  test('lists detectors with what becomes of their judgements', async () => {
    const detectors = { list: async () => asOfFakeSlot([BUILT_IN, PUBLISHED, TRIED]) };
    const response = await getAsReader(fakeApiServer({ detectors }), '/v1/detectors');
    expect(response.headers['x-slot']).toBe(String(SLOT));
    const common = { version: 2, severity: 6, pattern: 'What it finds.' };
    expect(response.json().detectors).toEqual([
      {
        ...common,
        ...{ name: 'wash_volume', hash: null, rule_id: null, author: 'built_in' },
        ...{ results: 'findings', fraud_type: 'wash_volume', is_shadow: false },
        ...{ hit_count: null, off: null, trial: null },
      },
      {
        ...common,
        ...{ name: 'mintscope-detector-one', hash: HASH, author: 'operator' },
        rule_id: 'mintscope-detector-one@2+0123456789abcdef',
        ...{ results: 'hits', fraud_type: null, is_shadow: false, hit_count: 12 },
        ...{ off: { slot: 70, failure: 'threw' }, trial: null },
      },
      {
        ...common,
        ...{ name: 'mintscope-detector-two', hash: HASH, author: 'operator' },
        rule_id: 'mintscope-detector-two@2+0123456789abcdef',
        ...{ results: 'none', fraud_type: null, is_shadow: true, hit_count: null, off: null },
        trial: {
          ...{ both: 1, only_detector: 2, only_built_in: 3, neither: 4, failed: 5 },
          is_stopped: true,
        },
      },
    ]);
  });

  test('is read with a key that may read', async () => {
    const server = fakeApiServer();
    expect((await sendAs(server, 'GET', '/v1/detectors')).statusCode).toBe(401);
    expect((await sendAs(server, 'GET', '/v1/detectors', WRITE_KEY)).statusCode).toBe(403);
    expect((await getAsReader(server, '/v1/detectors?author=account')).statusCode).toBe(400);
  });
});
