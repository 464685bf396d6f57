import type { InvolvedWallet, Relationship } from './fraud.ts';
import type {
  CaseClass,
  CaseLiquidity,
  CasePayment,
  CaseTrade,
  CaseTransfer,
} from './mint-case.ts';
import type { Address, Lamports, RawAmount, Signature, Slot } from './units.ts';

/** A wallet, pool or other address of a finding. */
export interface GraphNode {
  readonly address: Address;
  /** The wallet's part in the finding; null for an address that only edges name. */
  readonly involved: InvolvedWallet | null;
  /** Null for an ordinary wallet. */
  readonly class: CaseClass | null;
}

/** What happened on the chain: trades and changes of liquidity lead from the wallet to the pool. */
export const CHAIN_EDGE_KINDS = [
  'payment',
  'token_transfer',
  'buy',
  'sell',
  'liquidity_added',
  'liquidity_removed',
] as const;

/** What the finding concludes where no single transaction between the two shows it. */
export const RELATION_EDGE_KINDS = [
  'direct_funding',
  'indirect_funding',
  'same_entity',
  'coordinated_trading',
  'common_program',
] as const satisfies readonly Relationship[];

export interface GraphEdge {
  readonly from: Address;
  readonly to: Address;
  readonly kind: (typeof CHAIN_EDGE_KINDS)[number] | Relationship;
  /** SOL of a payment, trade or liquidity, other quotes at their price; null if none or unknown. */
  readonly lamports: Lamports | null;
  /** Tokens of a trade, transfer or liquidity; null if there are none. */
  readonly tokensRaw: RawAmount | null;
  /** The transaction; all three are null for a relation. */
  readonly slot: Slot | null;
  readonly txIndex: number | null;
  readonly signature: Signature | null;
}

export interface FindingGraph {
  /** Involved wallets in the order of the finding, then all others by address. */
  readonly nodes: readonly GraphNode[];
  /** In block order, relations last. */
  readonly edges: readonly GraphEdge[];
  /** Transactions of the evidence that no edge shows: they are too long ago, or too many. */
  readonly unresolved: readonly Signature[];
  readonly decimals: number;
}

/** Maximum number of edges; the earliest are shown. */
export const GRAPH_EDGES_MAX = 2_000;

/** What is recorded about some wallets and a mint, each list in block order. */
export interface WalletLinks {
  /** Trades of the mint by the wallets. */
  readonly trades: readonly CaseTrade[];
  /** Transfers of the mint between the wallets. */
  readonly transfers: readonly CaseTransfer[];
  /** Liquidity of the mint's pools that the wallets added or removed. */
  readonly liquidity: readonly CaseLiquidity[];
  /** Payments between the wallets, and the first recorded payment to each. */
  readonly payments: readonly CasePayment[];
  /** Classes of the wallets and of all addresses in the lists, except ordinary wallets. */
  readonly classes: ReadonlyMap<Address, CaseClass>;
}
