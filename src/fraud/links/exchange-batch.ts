import type { CaseClass, CaseFunding, CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { isTrader } from '../readings/traders.ts';
import { isShell } from './funding-paths.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';
import { longestRuns } from './longest-runs.ts';

const APART_MAX_MS = 600_000;
/** Maximum of the larger amount in percent of the smaller one: 2 % more. */
const AMOUNT_PERCENT_MAX = 102n;
const AGE_MAX_MS = 86_400_000;
const STRENGTH = 0.45;
/** This many similar withdrawals cannot be coincidence. */
const BATCH_MIN = 5;
const BATCH_STRENGTH = 0.6;
/** Services that pay unrelated wallets: common funding alone does not link their customers. */
const HUB_CLASSES: ReadonlySet<CaseClass> = new Set(['cex', 'bridge', 'hub']);
const HUB_FAN_OUT_MIN = 101;

/**
 * F-cexsync: new wallets whose first payments came from one exchange or hub within 10 minutes, with
 * similar amounts.
 */
export const exchangeBatch: LinkFamily = { name: 'exchange-batch', kind: 'market', find };

function* find(input: LinkInput): Iterable<LinkGroup> {
  const byHub = Map.groupBy(withdrawalsOf(input), ({ hub }) => hub);
  for (const [hub, withdrawals] of byHub) {
    for (const batch of batchesOf(withdrawals)) {
      yield {
        relationship: 'indirect_funding',
        via: hub,
        strength: batch.length >= BATCH_MIN ? BATCH_STRENGTH : STRENGTH,
        members: evenly(batch.map(({ wallet }) => wallet)),
      };
    }
  }
}

interface Withdrawal {
  readonly wallet: Address;
  readonly hub: Address;
  readonly funding: CaseFunding;
}

function* withdrawalsOf({ mintCase, participants, firstBuys }: LinkInput): Iterable<Withdrawal> {
  for (const wallet of participants) {
    const funding = mintCase.wallets.get(wallet)?.firstFunding ?? null;
    if (funding === null || !isFresh(mintCase, wallet, firstBuys.get(wallet))) continue;
    const hub = sourceOf(mintCase, funding.funder);
    if (isHub(mintCase, hub)) yield { wallet, hub, funding };
  }
}

/** Whether a wallet is fresh; false when its age is unknown. */
function isFresh(mintCase: MintCase, wallet: Address, firstBuy?: CaseTrade): boolean {
  const firstSeenMs = mintCase.wallets.get(wallet)?.firstSeenMs ?? null;
  if (firstSeenMs === null || firstBuy === undefined) return false;
  return firstBuy.timeMs - firstSeenMs < AGE_MAX_MS;
}

/** The payer behind any shells. */
function sourceOf(mintCase: MintCase, funder: Address): Address {
  const seen = new Set<Address>();
  let source = funder;
  while (isShell(mintCase, source) && !seen.has(source)) {
    seen.add(source);
    source = mintCase.wallets.get(source)?.firstFunding?.funder ?? source;
  }
  return source;
}

function isHub(mintCase: MintCase, address: Address): boolean {
  const wallet = mintCase.wallets.get(address);
  if (wallet === undefined) return false;
  if (wallet.class !== null && HUB_CLASSES.has(wallet.class)) return true;
  return isTrader(mintCase, address) && wallet.fanOut >= HUB_FAN_OUT_MIN;
}

function* batchesOf(withdrawals: readonly Withdrawal[]): Iterable<readonly Withdrawal[]> {
  const byTime = withdrawals.toSorted((one, other) => one.funding.sinceMs - other.funding.sinceMs);
  const isNear = (first: Withdrawal, last: Withdrawal) =>
    last.funding.sinceMs - first.funding.sinceMs <= APART_MAX_MS;
  const isAlike = (first: Withdrawal, last: Withdrawal) =>
    last.funding.lamports * 100n <= first.funding.lamports * AMOUNT_PERCENT_MAX;
  for (const near of longestRuns(byTime, isNear)) {
    const byAmount = near.toSorted((one, other) =>
      Number(one.funding.lamports - other.funding.lamports),
    );
    yield* longestRuns(byAmount, isAlike);
  }
}
