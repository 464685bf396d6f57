import type { EvidencePayload } from '../../model/fraud.ts';
import type { TransactionRef } from '../../model/mint-case.ts';
import {
  type Address,
  asLamports,
  asUsdNano,
  type Lamports,
  type UsdNano,
} from '../../model/units.ts';
import { byChainOrder } from '../readings/block-order.ts';

/** Maximum number of listed signatures; further ones add nothing for a reader. */
const SIGNATURES_MAX = 50;

/** A movement in one transaction: a trade, a payment, a change of liquidity. */
export interface EvidenceMovement extends TransactionRef {
  readonly wallets: readonly Address[];
  readonly lamports: Lamports;
  readonly usd: UsdNano | null;
}

/**
 * Lists the first movements in block order, with the totals of all. There must be at least one. The
 * dollar total is null if that of any movement is unknown.
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
    lamports: asLamports(lamports),
    usd: usd === null ? null : asUsdNano(usd),
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
