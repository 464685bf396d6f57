import { binomialSurvivalLog10 } from '../../lib/tail-probability.ts';
import type { CaseTransfer, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { byChainOrder } from '../readings/block-order.ts';
import { isTrader } from '../readings/traders.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';
import { longestRuns } from './longest-runs.ts';

/** A wallet that sent at least 7/10 of what it had received has moved its tokens, as in a sweep. */
const MOVED_OF_TEN = 7n;
/** First moves within this time are of one move: as long as withdrawals of one batch. */
const APART_MAX_MS = 600_000;
/** Two or three at once are a coincidence, or one person. */
const CHAINS_MIN = 4;
/**
 * Assumed share of buyers who ever move their tokens to another wallet and on from there: more than
 * do, so that few are not improbable.
 */
const CHAIN_RATE = 0.02;
/** The probability must be below one in ten thousand. */
const SURPRISE_MIN_LOG10 = 4;
/** That of a batch of withdrawals: so many cannot be a coincidence. */
const STRENGTH = 0.6;

/**
 * T-chains: buyers who at the same time each moved their tokens to a wallet that only passed them on.
 * People move tokens to another wallet of theirs, and few move them twice. Wallets to which several
 * moved are left out: these are deposit accounts, escrows or sweeps.
 */
export const tokenChains: LinkFamily = { name: 'token-chains', kind: 'market', find };

function* find(input: LinkInput): Iterable<LinkGroup> {
  const chains = chainsOf(input);
  if (chains.length < CHAINS_MIN) return;
  const boughtMs = [...input.firstBuys.values()].map(({ timeMs }) => timeMs);
  const isNear = (first: Chain, last: Chain) => last.timeMs - first.timeMs <= APART_MAX_MS;
  for (const run of longestRuns(chains, isNear)) {
    yield {
      relationship: 'coordinated_trading',
      via: null,
      strength: STRENGTH,
      members: evenly(surprisingPart(run, boughtMs).map(({ buyer }) => buyer)),
    };
  }
}

/**
 * As much of a run, from its start, as is improbable among those who had bought by then; nothing if
 * it never is. What was improbable stays so, however many buy later.
 */
function surprisingPart(run: readonly Chain[], boughtMs: readonly number[]): readonly Chain[] {
  for (let count = run.length; count >= CHAINS_MIN; count--) {
    const untilMs = run[count - 1]?.timeMs ?? 0;
    const buyers = boughtMs.filter((timeMs) => timeMs <= untilMs).length;
    const surprise = -binomialSurvivalLog10(count, buyers, CHAIN_RATE);
    if (surprise >= SURPRISE_MIN_LOG10) return run.slice(0, count);
  }
  return [];
}

/** A buyer whose tokens went to a second wallet, and from it to a third. */
interface Chain {
  readonly buyer: Address;
  /** Of the first move. */
  readonly timeMs: number;
}

/** By time. */
function chainsOf({ mintCase, firstBuys }: LinkInput): readonly Chain[] {
  if (mintCase.transfers.length < 2 * CHAINS_MIN) return [];
  const moves = movesOf(mintCase);
  const receipts = Map.groupBy(moves.values(), ({ transfer }) => transfer.to);
  const isOwn = ({ transfer: { to } }: Move) =>
    isTrader(mintCase, to) && receipts.get(to)?.length === 1;
  const chains: Chain[] = [];
  for (const [buyer, first] of moves) {
    const second = moves.get(first.transfer.to);
    if (!firstBuys.has(buyer) || second === undefined || second.isAfterTrades) continue;
    if (byChainOrder(first.transfer, second.transfer) > 0 || !isOwn(first) || !isOwn(second)) {
      continue;
    }
    if (second.transfer.to !== buyer) chains.push({ buyer, timeMs: first.transfer.timeMs });
  }
  return chains.sort((one, other) => one.timeMs - other.timeMs);
}

/** The transfer with which a wallet had sent most of what it had got until then to one other. */
interface Move {
  readonly transfer: CaseTransfer;
  /** The sender had traded before: it did not only pass tokens on. */
  readonly isAfterTrades: boolean;
}

/** The first move of each sender. A move stands when the sender gets more later. */
function movesOf({ trades, transfers }: MintCase): ReadonlyMap<Address, Move> {
  const senders = new Set(transfers.map(({ from }) => from));
  const steps = [...trades.filter(({ wallet }) => senders.has(wallet)), ...transfers];
  const gotRaw = new Map<Address, bigint>();
  const sentRaw = new Map<string, bigint>();
  const traded = new Set<Address>();
  const moves = new Map<Address, Move>();
  for (const step of steps.sort(byChainOrder)) {
    if ('side' in step) {
      traded.add(step.wallet);
      if (step.side === 'buy') addTo(gotRaw, step.wallet, step.baseRaw);
      continue;
    }
    const { from, to, amountRaw } = step;
    addTo(gotRaw, to, amountRaw);
    const sent = addTo(sentRaw, `${from} ${to}`, amountRaw);
    const got = gotRaw.get(from) ?? 0n;
    if (moves.has(from) || got === 0n || sent * 10n < got * MOVED_OF_TEN) continue;
    moves.set(from, { transfer: step, isAfterTrades: traded.has(from) });
  }
  return moves;
}

/** The sum behind it. */
function addTo<Key>(sums: Map<Key, bigint>, key: Key, raw: bigint): bigint {
  const sum = (sums.get(key) ?? 0n) + raw;
  sums.set(key, sum);
  return sum;
}
