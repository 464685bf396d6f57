import { describe, expect, test } from 'vitest';
import { buildListing } from '../../../tests/support/build-signal.ts';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakeDetail,
  fakeIndicators,
  fakeToken,
  fakeTokenListing,
  MINT,
  OTHER_MINT,
  OTHER_POOL,
  POOL,
  SIGNAL,
  WALLET,
} from '../../../tests/support/fake-api-deps.ts';
import { ApiError } from '../../model/errors.ts';
import { asRawAmount, asUsdNano } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { heldExamples } from './held-examples.ts';

const listing = (mint: typeof MINT, primaryPool: typeof POOL) =>
  fakeTokenListing({
    token: fakeToken({ mint, primaryPool, creator: OTHER_POOL }),
    volume24hUsd: asUsdNano(1n),
    indicators: fakeIndicators(),
  });

/** Two traded tokens, of which the less traded one has a finding. */
function depsWith(overrides: Partial<ApiDeps> = {}): ApiDeps {
  const deps = fakeApiDeps();
  const items = [listing(MINT, POOL), listing(OTHER_MINT, OTHER_POOL)];
  const holder = (owner: typeof WALLET, holderKind: 'pool' | 'wallet') => ({
    ...{ mint: OTHER_MINT, owner, balanceRaw: asRawAmount(1n), holderKind },
    ...{ isPool: holderKind === 'pool', firstSeenMs: null, slot: deps.chain.freshness().slot },
  });
  const holders = [holder(OTHER_POOL, 'pool'), holder(WALLET, 'wallet')] as never;
  return fakeApiDeps({
    tokens: {
      ...deps.tokens,
      search: async () => asOfFakeSlot({ items, total: 2, next: null, isComplete: true }),
      holderPage: async () =>
        asOfFakeSlot({ token: fakeToken(), page: { holders, count: 1, next: null } }),
    },
    fraud: {
      ...deps.fraud,
      check: async ({ mint }) => asOfFakeSlot(mint === OTHER_MINT ? [fakeDetail()] : []),
      list: async () => asOfFakeSlot({ findings: [fakeDetail()], next: null }),
    },
    social: { ...deps.social, tracked: () => null },
    signals: { ...deps.signals, list: async () => asOfFakeSlot([buildListing({ rowId: SIGNAL })]) },
    ...overrides,
  });
}

describe('the examples of the OpenAPI document', () => {
  test('name the token about which most is known, its pool and creator, a holder, a finding, a signal and the last hour', async () => {
    const names = await heldExamples(depsWith());
    expect(Object.fromEntries(names)).toEqual({
      [EXAMPLE.mint]: OTHER_MINT,
      [EXAMPLE.pool]: OTHER_POOL,
      [EXAMPLE.creator]: OTHER_POOL,
      [EXAMPLE.wallet]: WALLET,
      [EXAMPLE.uuid]: fakeDetail().classification.id,
      [EXAMPLE.instant]: '2025-01-15T14:32:08.000Z',
      [EXAMPLE.hourBefore]: '2025-01-15T13:32:08.000Z',
      [EXAMPLE.unixSeconds]: Date.UTC(2025, 0, 15, 14, 32, 8) / 1_000,
      [EXAMPLE.signalRow]: SIGNAL,
    });
  });

  test('name only the last hour where no token is traded, and nothing before the first slot', async () => {
    const names = await heldExamples(fakeApiDeps());
    expect([...names.keys()]).toEqual([
      ...[EXAMPLE.instant, EXAMPLE.hourBefore, EXAMPLE.unixSeconds],
    ]);
    const { chain } = fakeApiDeps();
    const freshness = () => ({ slot: null, timeMs: null, isComplete: true });
    expect((await heldExamples(depsWith({ chain: { ...chain, freshness } }))).size).toBe(0);
  });

  test('stay as they are while the store cannot be read', async () => {
    const { tokens } = fakeApiDeps();
    const search = () => Promise.reject(new ApiError(503, 'later'));
    expect((await heldExamples(depsWith({ tokens: { ...tokens, search } }))).size).toBe(0);
  });
});
