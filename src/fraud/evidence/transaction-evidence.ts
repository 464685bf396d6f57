import type { EvidencePayload } from '../../model/fraud.ts';
import type { TransactionRef } from '../../model/mint-case.ts';
import type { Address, Lamports, UsdNano } from '../../model/units.ts';
import { byChainOrder } from '../readings/block-order.ts';

/** More would not be looked up by anybody. */
const SIGNATURES_MAX = 50;

/** What moved in one transaction: a trade, a payment, a change of liquidity. */
export interface EvidenceMovement extends TransactionRef {
  readonly wallets: readonly Address[];
  readonly lamports: Lamports;
  readonly usd: UsdNano | null;
}

/**
 * The first transactions of these in block order, and the totals of all. There is at least one. The
 * dollars are unknown as soon as those of one are.
 */
export function transactionEvidence(
  movements: readonly EvidenceMovement[],
  isBundled: boolean,
): EvidencePayload {
  const ordered = [...movements].sort(byChainOrder);
  const first = ordered[0];
  if (first === undefined) throw new Error('evidence of transactions without a transaction');
  let lamports = 0n;
  let usd: bigint | null = 0n;
  for (const movement of ordered) {
    lamports += movement.lamports;
    usd = usd === null || movement.usd === null ? null : usd + movement.usd;
  }
  return {
    kind: 'transaction',
    signatures: [...new Set(ordered.map(({ signature }) => signature))].slice(0, SIGNATURES_MAX),
    slot: first.slot,
    wallets: [...new Set(ordered.flatMap(({ wallets }) => wallets))].sort(),
    lamports: lamports as Lamports,
    usd: usd as UsdNano | null,
    isBundled,
  };
}

/** A trade as a movement of its wallet. */
export function tradeMovement(
  trade: TransactionRef & {
    readonly wallet: Address;
    readonly lamports: Lamports;
    readonly usd: UsdNano | null;
  },
): EvidenceMovement {
  const { slot, timeMs, txIndex, signature, wallet, lamports, usd } = trade;
  return { slot, timeMs, txIndex, signature, wallets: [wallet], lamports, usd };
}
