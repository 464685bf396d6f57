import type { ChainEvent } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { type PoolExchange, poolExchangesOf } from './pool-exchanges.ts';

/**
 * Whether a transaction moved tokens through a pool, and which of its exchanges no event explains.
 */
export interface PoolMovement {
  readonly movesPools: boolean;
  /** In execution order, at most one per instruction. */
  readonly unexplained: readonly PoolExchange[];
}

/** Signed changes by mint stated by an event, and its instruction. */
interface EventLegs {
  readonly instruction: Instruction;
  readonly side: 'pool' | 'trader';
  readonly changes: ReadonlyMap<Address, bigint>;
}

/**
 * Audits a transaction's events against its token transfers, independently of which programs
 * decoders consider pools or routers: `poolExchangesOf` determines what was exchanged.
 *
 * An exchange is explained by an event with a pool, at an instruction below or above its own, whose
 * legs equal the changes of the two mints: in the authority's accounts in total or individually,
 * from the pool's or the trader's side, depending on which the authority was; or by the sum of all
 * such events. When two authorities exchanged with each other, an explanation of one also explains
 * the other.
 *
 * Limits: it does not see curves paid in lamports, or pools whose two vaults belong to two
 * authorities while a wallet trades with them directly, as in Meteora's DAMM v1.
 */
export function poolMovementOf(view: TransactionView, events: readonly ChainEvent[]): PoolMovement {
  const withPool = events.filter((event) => 'venue' in event && event.kind !== 'creatorChange');
  const exchanges = poolExchangesOf(view);
  if (exchanges.length === 0) return { movesPools: withPool.length > 0, unexplained: [] };
  const legs = legsByOuter(view, withPool);
  const matched = exchanges.filter((exchange) => {
    return isMatched(view, exchange, legs.get(exchange.instruction.outerIx) ?? []);
  });
  const open = exchanges.filter(notExplainedBy(matched));
  const unexplained = new Map(open.map((exchange) => [exchange.instruction.index, exchange]));
  return {
    movesPools: true,
    unexplained: [...unexplained].sort(([one], [other]) => one - other).map(([, found]) => found),
  };
}

/** True for exchanges that are neither matched nor the counterpart of a matched one. */
function notExplainedBy(matched: readonly PoolExchange[]) {
  const isMatch = new Set(matched);
  const byInstruction = new Map<number, PoolExchange[]>();
  for (const one of matched) {
    const list = byInstruction.get(one.instruction.index);
    if (list === undefined) byInstruction.set(one.instruction.index, [one]);
    else list.push(one);
  }
  return (exchange: PoolExchange) => {
    if (isMatch.has(exchange)) return false;
    const siblings = byInstruction.get(exchange.instruction.index) ?? [];
    return !siblings.some(({ partners }) => partners.has(exchange.authority));
  };
}

/** Calls stay within their outer instruction. */
function legsByOuter(
  view: TransactionView,
  withPool: readonly ChainEvent[],
): Map<number, EventLegs[]> {
  const instructionAt = new Map(view.transaction.instructions.map((one) => [positionOf(one), one]));
  const byOuter = new Map<number, EventLegs[]>();
  for (const event of withPool) {
    const instruction = instructionAt.get(positionOf(event));
    if (instruction === undefined) continue;
    const list = byOuter.get(event.outerIx) ?? [];
    byOuter.set(event.outerIx, list);
    list.push(...legsOf(event, instruction));
  }
  return byOuter;
}

function positionOf({ outerIx, innerIx }: Pick<Instruction, 'outerIx' | 'innerIx'>): string {
  return `${outerIx}.${innerIx}`;
}

/**
 * The legs from the pool's side and from the trader's, which differ by fees. Other events have
 * none.
 */
function legsOf(event: ChainEvent, instruction: Instruction): EventLegs[] {
  if (event.kind === 'liquidity') {
    const { baseMint, quoteMint, poolBaseDelta, poolQuoteDelta } = event;
    return [
      {
        instruction,
        side: 'pool',
        changes: changesOf(baseMint, poolBaseDelta, quoteMint, poolQuoteDelta),
      },
    ];
  }
  if (event.kind !== 'swap') return [];
  const { baseMint, quoteMint, keptFees, traderBaseDelta, traderQuoteDelta } = event;
  const base = event.poolBaseDelta + (keptFees?.base ?? 0n);
  const quote = event.poolQuoteDelta + (keptFees?.quote ?? 0n);
  const ofPool: EventLegs = {
    instruction,
    side: 'pool',
    changes: changesOf(baseMint, base, quoteMint, quote),
  };
  if (traderQuoteDelta === null) return [ofPool];
  const changes = changesOf(baseMint, traderBaseDelta, quoteMint, traderQuoteDelta);
  return [ofPool, { instruction, side: 'trader', changes }];
}

function changesOf(
  baseMint: Address,
  base: bigint,
  quoteMint: Address,
  quote: bigint,
): ReadonlyMap<Address, bigint> {
  return new Map([
    [baseMint, base],
    [quoteMint, quote],
  ]);
}

function isMatched(
  view: TransactionView,
  exchange: PoolExchange,
  legs: readonly EventLegs[],
): boolean {
  const near = legs.filter(({ instruction }) => isNear(view, instruction, exchange.instruction));
  if (near.some(({ changes }) => isMoved(exchange, changes))) return true;
  return isSum(exchange, near, 'pool') || isSum(exchange, near, 'trader');
}

function isNear(view: TransactionView, one: Instruction, other: Instruction): boolean {
  return view.isWithin(one, other) || view.isWithin(other, one);
}

/** Both legs equal the change of the authority's accounts, in total or of a single account. */
function isMoved(exchange: PoolExchange, legs: ReadonlyMap<Address, bigint>): boolean {
  return [...legs].every(
    ([mint, change]) =>
      exchange.changes.get(mint) === change ||
      [...exchange.accountChanges.values()].some(
        (account) => account.mint === mint && account.change === change,
      ),
  );
}

/**
 * True for an authority of several pools, or one that traded with several, below one instruction.
 */
function isSum(
  { changes }: PoolExchange,
  near: readonly EventLegs[],
  side: EventLegs['side'],
): boolean {
  const sums = new Map<Address, bigint>();
  for (const { changes: legs, side: legSide } of near) {
    if (legSide !== side) continue;
    for (const [mint, change] of legs) sums.set(mint, (sums.get(mint) ?? 0n) + change);
  }
  return [...changes].every(([mint, change]) => sums.get(mint) === change);
}
