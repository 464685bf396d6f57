import type { PoolState } from '../../fold/market/pool-state.ts';
import type { TokenState } from '../../fold/market/token-state.ts';
import type { IndicatorRecord } from '../../model/indicators.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import { SPL_TOKEN_PROGRAM, type Venue, WRAPPED_SOL } from '../../model/program.ts';
import { isCurveVenue } from '../../model/venue-kinds.ts';
import type { PoolDepth } from '../../signals/execution/fill.ts';
import { poolDepth } from '../../signals/execution/pool-depth.ts';
import { poolFeeBps } from '../../signals/execution/pool-fee.ts';
import type { MinuteFacts } from '../../signals/features/signal-model.ts';
import type { Books } from '../books/books.ts';
import { toPoolRecord, toTokenRecord } from '../books/present-records.ts';
import type { CaseSources } from '../cases/case-sources.ts';
import type { EngineState } from '../state/engine-state.ts';
import { topClusterShare } from './top-cluster-share.ts';

/**
 * Launchpads that always burn or permanently lock the LP tokens of the pool they migrate to. Other
 * launchpads leave that choice to the creator of the token.
 */
const LOCKING_LAUNCHPADS: ReadonlySet<Venue> = new Set<Venue>(['pump', 'raydium_launchlab']);

/** Sources of the facts, in their state after the last applied slot. */
export type FactSources = Pick<EngineState, 'books' | 'walletBooks' | 'cases' | 'fraud'>;

/** The input of the models for a pool and its indicators; null for an unknown pool or time. */
export function readMinuteFacts(
  { books, walletBooks, cases, fraud }: FactSources,
  indicators: IndicatorRecord,
): MinuteFacts | null {
  const pool = books.pools.get(indicators.pool);
  const token = pool === undefined ? undefined : books.tokens.get(pool.baseMint);
  const { slot, createdAtMs: timeMs } = indicators;
  if (pool === undefined || token === undefined || timeMs === null) return null;
  const { mint } = token;
  const sources: CaseSources = { books, walletBooks, cases, slot, timeMs };
  return {
    indicators,
    pool: toPoolRecord({ books, walletBooks }, pool, timeMs),
    token: toTokenRecord(books, token),
    isCurve: isCurveVenue(pool.venue) && !pool.isCurveComplete,
    isLaunchpadLocked: isLaunchpadLocked(books, pool),
    isFreezable: isFreezable(token),
    fraudConfidence: fraud.confidenceOf(mint),
    transferFeeBps: transferFeeBps(token),
    isPriceFinal: books.prices.isFinal(pool.pool),
    entityOf: (wallet) => walletBooks.funding.clusterOf(wallet),
    heldRawOf: (wallet) => Number(books.holders.balanceOfOwner(mint, wallet)),
    topClusterShare: () => topClusterShare(sources, mint),
  };
}

/** The depth of a pool at a time; null when reserves, price or the price of SOL are unknown. */
export function readPoolDepth(
  { solPrices }: Books,
  pool: PoolRecord,
  timeMs: number,
): PoolDepth | null {
  const solUsd = solPrices.usdPerQuote(WRAPPED_SOL);
  if (solUsd === null) return null;
  return poolDepth(pool, { timeMs, feeBps: poolFeeBps(pool.venue), solUsd });
}

function isLaunchpadLocked({ pools }: Books, { pool, baseMint }: PoolState): boolean {
  return pools
    .ofMint(baseMint)
    .some(({ venue, migratedTo }) => migratedTo === pool && LOCKING_LAUNCHPADS.has(venue));
}

/** Null for a mint older than the indexed history whose freeze authority was never observed. */
function isFreezable({ freezeAuthority, older }: TokenState): boolean | null {
  if (freezeAuthority !== null) return true;
  const isKnown = older === null || older.knownParts.some(({ part }) => part === 'freezeAuthority');
  return isKnown ? false : null;
}

/** The larger of the current and the scheduled fee; null while extensions are unknown. */
function transferFeeBps({ tokenProgram, extensions, older }: TokenState): number | null {
  const fees = extensions.flatMap((extension) =>
    extension.kind === 'transferFee' || extension.kind === 'nextTransferFee'
      ? extension.feeBps
      : [],
  );
  if (fees.length > 0) return Math.max(...fees);
  return tokenProgram === SPL_TOKEN_PROGRAM || older === null ? 0 : null;
}
