import { ApiError } from '../../model/errors.ts';
import type { FindingQuery } from '../../model/finding-page.ts';
import { NO_TOKEN_FILTER, type TokenListing } from '../../model/market-listing.ts';
import type { Address } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { formatInstant } from './format-wire.ts';

/** What is held by the example that it replaces. */
export type HeldExamples = ReadonlyMap<unknown, string | number>;

/** Tokens among which the example is chosen. */
const CANDIDATES = 20;
const HOUR_MS = 3_600_000;

/**
 * What the examples of the OpenAPI document are replaced by, so that each request in it can be
 * repeated here: the most traded token about which most is known, its creator, one of its pools and
 * holders, a finding, a signal, and the hour before the newest slot. Empty while nothing is held or
 * the store cannot be read.
 */
export async function heldExamples(deps: ApiDeps): Promise<HeldExamples> {
  try {
    return await namesOf(deps);
  } catch (error) {
    if (error instanceof ApiError) return new Map();
    throw error;
  }
}

async function namesOf(deps: ApiDeps): Promise<HeldExamples> {
  const nowMs = deps.chain.freshness().timeMs;
  if (nowMs === null) return new Map();
  const names = new Map<unknown, string | number>([
    [EXAMPLE.instant, formatInstant(nowMs)],
    [EXAMPLE.hourBefore, formatInstant(nowMs - HOUR_MS)],
    [EXAMPLE.unixSeconds, Math.floor(nowMs / 1_000)],
  ]);
  const { data: signals } = await deps.signals.list({ ...NEWEST_SIGNAL, toMs: nowMs });
  const [signal] = signals;
  if (signal !== undefined) names.set(EXAMPLE.signalRow, signal.rowId);
  const chosen = await mostKnown(deps);
  if (chosen?.token.primaryPool == null) return names;
  const { mint, primaryPool } = chosen.token;
  names.set(EXAMPLE.mint, mint);
  names.set(EXAMPLE.pool, primaryPool);
  if (chosen.token.creator !== null) names.set(EXAMPLE.creator, chosen.token.creator);
  const { data: held } = await deps.tokens.holderPage({ mint, after: null, limit: CANDIDATES });
  const wallet = held?.page.holders.find(({ holderKind }) => holderKind === 'wallet');
  if (wallet !== undefined) names.set(EXAMPLE.wallet, wallet.owner);
  const { data: listed } = await deps.fraud.list(NEWEST_FINDING);
  const [finding] = listed.findings;
  if (finding !== undefined) names.set(EXAMPLE.uuid, finding.classification.id);
  return names;
}

const NEWEST_SIGNAL = { fromMs: 0, model: null, limit: 1, beforeRowId: null } as const;

const NEWEST_FINDING: FindingQuery = {
  fraudTypes: null,
  levels: ['critical', 'high', 'medium'],
  statuses: ['active'],
  fromMs: null,
  toMs: null,
  mint: null,
  wallet: null,
  orderBy: 'detection',
  orderDir: 'desc',
  after: null,
  limit: 1,
};

/** Of the most traded tokens the first with the most kinds of data. */
async function mostKnown(deps: ApiDeps): Promise<TokenListing | null> {
  const { data } = await deps.tokens.search({
    ...NO_TOKEN_FILTER,
    orderBy: 'volume_24h_usd',
    orderDir: 'desc',
    limit: CANDIDATES,
  });
  let best: TokenListing | null = null;
  let most = -1;
  for (const item of data.items) {
    if (item.token.primaryPool === null) continue;
    const known = await kindsKnown(deps, item.token.mint);
    if (known <= most) continue;
    best = item;
    most = known;
  }
  return best;
}

async function kindsKnown(
  { social, fraud, bundles, offchain }: ApiDeps,
  mint: Address,
): Promise<number> {
  const [{ data: findings }, { data: bundled }] = await Promise.all([
    fraud.check({ mint, asOfSlot: null }),
    bundles.page({
      mint,
      orderBy: 'slot',
      orderDir: 'desc',
      offset: 0,
      limit: 1,
      asOfSlot: null,
    }),
  ]);
  const known = [
    findings.length > 0,
    bundled.total > 0,
    social.tracked(mint) !== null,
    offchain.thumbnailHashOf(mint) !== null,
  ];
  return known.filter(Boolean).length;
}
