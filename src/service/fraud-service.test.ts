import { describe, expect, test } from 'vitest';
import { buildClassification, classificationId } from '../../tests/support/build-classification.ts';
import { buildRuleHit } from '../../tests/support/build-rule-hit.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { Classification, FraudType } from '../model/fraud.ts';
import type { ReviewRequest, ReviewStatus } from '../model/fraud-review.ts';
import type { HitRange } from '../model/rule-hit-page.ts';
import { asSlot } from '../model/units.ts';
import type { ClassificationQuery } from '../store/reads/classifications.ts';
import { FraudService } from './fraud-service.ts';

const MINT = address('mint');
/** The slot that the findings are as of. */
const READ_SLOT = asSlot(9);

const found = (number: number, confidence: number, fraudType: FraudType = 'fake_dump') =>
  buildClassification({ id: classificationId(number), finding: { confidence, fraudType } });

/** A service with these findings and in-memory reviews. */
function serviceOver(all: Classification[], said: Record<string, ReviewStatus> = {}) {
  const asked: ClassificationQuery[] = [];
  const ranges: HitRange[] = [];
  const reviewed: ReviewRequest[] = [];
  const service = new FraudService(
    {
      ofMint: async (query) => {
        asked.push(query);
        return { slot: READ_SLOT, timeMs: null, data: all };
      },
      ofMints: async ({ mints }) => {
        const data = mints.map((mint) => all.filter(({ finding }) => finding.mint === mint));
        return { slot: READ_SLOT, timeMs: null, data };
      },
      find: async (id) => {
        const data = all.find((one) => one.id === id) ?? null;
        return { slot: READ_SLOT, timeMs: null, data };
      },
      graph: async () => ({ slot: READ_SLOT, timeMs: null, data: null }),
      pageWithHits: async () => {
        throw new Error('no list is asked for');
      },
      ofMintWithHits: async (query, range) => {
        asked.push(query);
        ranges.push(range);
        const data = { classifications: all, hits: [buildRuleHit({ kind: 'fraud' })] };
        return { slot: READ_SLOT, timeMs: null, data };
      },
      page: async () => ({ slot: READ_SLOT, timeMs: null, data: { findings: [], next: null } }),
    },
    {
      statusOf: (id) => said[id] ?? null,
      entriesOf: () => [],
      review: (request, state) => {
        reviewed.push(request);
        const from = said[request.classificationId] ?? (state === 'archived' ? state : 'active');
        const isTaken = from === 'active';
        if (isTaken) said[request.classificationId] = request.to;
        return { isTaken, from };
      },
    },
  );
  const check = async () => {
    const { data } = await service.check({ mint: MINT, asOfSlot: null });
    return data.map(({ classification, status }) => [Number(classification.id.slice(-2)), status]);
  };
  return { service, check, asked, ranges, reviewed };
}

const request = (number: number, to: ReviewStatus): ReviewRequest => ({
  classificationId: classificationId(number),
  to,
  note: null,
  accountId: 'account',
  keyId: 'key',
});

describe('a fraud check', () => {
  test('with hits has those of the token up to the slot, as confident as its findings', async () => {
    const { service, asked, ranges } = serviceOver([found(1, 0.7), found(2, 0.4999)]);
    const query = { mint: MINT, asOfSlot: asSlot(5) };
    const read = await service.checkWithHits(query, ['one']);
    expect(read.slot).toBe(READ_SLOT);
    expect(read.data.findings.map(({ classification }) => classification.id)).toEqual([
      classificationId(1),
    ]);
    expect(read.data.hits).toEqual([buildRuleHit({ kind: 'fraud' })]);
    expect(asked[0]).toEqual({ ...query, confidenceMin: 0.5 });
    expect(ranges[0]).toEqual({
      ...{ authors: ['one'], kinds: ['fraud'], levels: ['critical', 'high', 'medium'] },
      ...{ fromMs: null, toMs: null, mint: MINT, wallet: null, throughSlot: asSlot(5) },
      ...{ orderBy: 'confidence', orderDir: 'desc', after: null, limit: 100 },
    });
  });

  test('of several mints is that of each of them, as of the same slot', async () => {
    const other = buildClassification({
      id: classificationId(9),
      finding: { confidence: 0.7, mint: address('other mint') },
    });
    const mints = [other.finding.mint, address('none'), found(1, 0.6).finding.mint];
    const { service } = serviceOver([found(1, 0.6), other, found(2, 0.9), found(3, 0.4)], {
      [classificationId(2)]: 'false_positive',
    });
    const { slot, data } = await service.checkAll(mints);
    const ids = data.map((all) =>
      all.map(({ classification }) => Number(classification.id.slice(-2))),
    );
    expect([slot, ids]).toEqual([READ_SLOT, [[9], [], [1]]]);
  });

  test('returns the highest confidence first; ties by severity, then by ID', async () => {
    const { check } = serviceOver([
      found(5, 0.6, 'wash_volume'),
      found(4, 0.8, 'wash_volume'),
      found(3, 0.8, 'fake_dump'),
      found(2, 0.8, 'late_bundle'),
      found(1, 0.8, 'bundle_and_launder'),
    ]);
    // Severities of the specification: 10 for laundering, 8 for late bundles and fake dumps, 7.
    expect(await check()).toEqual([1, 2, 3, 4, 5].map((number) => [number, 'active']));
  });

  test('returns findings by their review, regardless of their own state', async () => {
    const archived = { ...found(6, 0.9), state: 'archived' as const };
    const { check } = serviceOver(
      [found(1, 0.9), found(2, 0.9), found(3, 0.9), found(4, 0.9), found(5, 0.9), archived],
      {
        [classificationId(2)]: 'reviewed',
        [classificationId(3)]: 'confirmed',
        [classificationId(4)]: 'false_positive',
        [classificationId(5)]: 'archived',
      },
    );
    expect(await check()).toEqual([
      [1, 'active'],
      [2, 'reviewed'],
      [3, 'confirmed'],
    ]);
  });

  test('queries the requested slot and the minimum confidence', async () => {
    const { service, asked } = serviceOver([]);
    await service.check({ mint: MINT, asOfSlot: asSlot(7) });
    expect(asked).toEqual([{ mint: MINT, asOfSlot: 7, confidenceMin: 0.5 }]);
  });
});

describe('a review', () => {
  test('applies to an existing finding, and returns its new state', async () => {
    const { service } = serviceOver([found(1, 0.2)]);
    expect(await service.review(request(1, 'reviewed'))).toMatchObject({
      kind: 'taken',
      detail: { status: 'reviewed', classification: { id: classificationId(1) } },
    });
    expect(await service.review(request(1, 'reviewed'))).toEqual({
      kind: 'refused',
      from: 'reviewed',
    });
  });

  test('is refused for an unknown finding, and not stored', async () => {
    const { service, reviewed } = serviceOver([found(1, 0.9)]);
    expect(await service.review(request(2, 'reviewed'))).toEqual({ kind: 'unknown' });
    expect(reviewed).toEqual([]);
  });

  test('applies again when the chain restores its finding', async () => {
    const all = [found(1, 0.9)];
    const { service } = serviceOver(all);
    await service.review(request(1, 'reviewed'));
    const withdrawn = all.splice(0);
    expect((await service.find(classificationId(1))).data).toBeNull();
    all.push(...withdrawn);
    expect((await service.find(classificationId(1))).data?.status).toBe('reviewed');
  });
});
