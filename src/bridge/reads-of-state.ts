import type { ServiceReads } from './service-reads.ts';

/** False for a group of which none may. */
type EachRead = {
  readonly [Group in keyof ServiceReads]:
    | Readonly<Record<keyof ServiceReads[Group] & string, boolean>>
    | false;
};

/**
 * Whether a call may be answered while a slot is applied: reads that change nothing and are as of the
 * newest complete slot when they begin. What they read afterwards, of the store and of unwritten
 * slots, is that of the same slot. Other calls change something, read the engine again after the
 * store, say how far the service is, or are answered by another thread.
 */
const IS_READ_OF_STATE: EachRead = {
  rows: { current: true },
  tokens: {
    holderPage: true,
    topTraders: true,
    firstBuyers: false,
    holderCounts: true,
    search: true,
  },
  pools: { list: true, listing: true },
  wallets: { find: true, positions: true, links: false, createdTokens: true },
  batches: { pools: true, wallets: true, fraudChecks: true },
  candles: { read: true },
  indicators: { history: true },
  trades: { page: true },
  bundles: { page: true, groups: true },
  signals: { list: true, listWithRules: true, find: true, figures: true },
  fraud: {
    check: true,
    checkWithHits: true,
    find: true,
    list: true,
    listWithHits: true,
    graph: false,
    review: false,
  },
  rules: { hits: true, hitPage: true, list: false, publish: false, withdraw: false },
  detectors: false,
  exports: false,
  triggers: false,
  webhooks: false,
  backtests: false,
  past: false,
  chain: false,
  metrics: false,
};

const READS_OF_STATE: ReadonlySet<string> = new Set(
  Object.entries(IS_READ_OF_STATE).flatMap(([group, reads]) =>
    Object.entries(reads).flatMap(([name, isRead]) => (isRead ? `${group}.${name}` : [])),
  ),
);

/** Whether a call of this name (`group.method`) may be answered while a slot is applied. */
export function isReadOfState(name: string): boolean {
  return READS_OF_STATE.has(name);
}
