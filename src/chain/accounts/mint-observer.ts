import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import type { AccountObservation } from '../../model/account-observation.ts';
import { type Address, asSlot, isAddress, type Slot } from '../../model/units.ts';
import type { NodePool } from '../rpc/nodes/node-pool.ts';
import type { RpcNode } from '../rpc/nodes/rpc-node.ts';
import type { AccountData } from './account-data.ts';
import { ACCOUNTS_MAX, type AccountsAnswer, fetchAccounts } from './fetch-accounts.ts';
import { metadataAddress } from './metadata-address.ts';
import {
  type DroppedMint,
  type MintRequest,
  MintRequests,
  type MintRequestsOptions,
} from './mint-requests.ts';
import { readMetaplexMetadata } from './read-metaplex-metadata.ts';
import { readMint } from './read-mint.ts';

export interface MintObserverOptions {
  /** Nodes to read from, each at its own rate limit. */
  readonly nodes: NodePool;
  readonly clock: Clock;
  /** Returns numbers in [0, 1), for jitter. */
  readonly random: () => number;
  readonly tuning?: Partial<MintObserverTuning>;
}

export interface MintObserverTuning extends Omit<MintRequestsOptions, 'random'> {
  /**
   * Bound on observations that wait for the log to reach their slot. At the bound no requests are
   * sent.
   */
  readonly readyMax: number;
  /** How long the observer sleeps when there is nothing to request. */
  readonly idleMs: number;
  /** Pause between two calls, which leaves the nodes' rate limit to block fetches. */
  readonly restMs: number;
}

export const MINT_OBSERVER_TUNING: MintObserverTuning = {
  waitingMax: 20_000,
  rememberedMax: 200_000,
  triesMax: 3,
  backoffMs: 250,
  backoffMaxMs: 30_000,
  readyMax: 50_000,
  idleMs: 50,
  restMs: 200,
};

/** What happened to the mints that were offered. Counts are since the start. */
export interface MintObserverStatus {
  readonly waiting: number;
  /** Read, and waiting for the log to reach their slot. */
  readonly ready: number;
  readonly calls: number;
  readonly failedCalls: number;
  readonly mintsRead: number;
  readonly metadataRead: number;
  /** Metadata accounts that could not be read. */
  readonly metadataRefused: number;
  readonly offersRefused: number;
  readonly dropped: number;
}

/** A mint and its metadata account. */
const MINTS_PER_CALL = ACCOUNTS_MAX / 2;
/** How long a node that refused the request is skipped. */
const REFUSED_MS = 60_000;

/**
 * Reads mint and metadata accounts of tokens that are older than the log, each once. An observation
 * holds the state at the end of one slot and is returned once the log has reached that slot. It is
 * appended after that slot, so later events apply on top of it.
 */
export class MintObserver {
  private readonly options: MintObserverOptions;
  private readonly tuning: MintObserverTuning;
  private readonly requests: MintRequests;
  /** Per node that refused the request: when it may be used again. */
  private readonly refusedUntilMs = new Map<RpcNode, number>();
  private ready: AccountObservation[] = [];
  private reverts = 0;
  private readonly counts = {
    calls: 0,
    failedCalls: 0,
    mintsRead: 0,
    metadataRead: 0,
    metadataRefused: 0,
  };

  constructor(options: MintObserverOptions) {
    this.options = options;
    this.tuning = { ...MINT_OBSERVER_TUNING, ...options.tuning };
    this.requests = new MintRequests({ ...this.tuning, random: options.random });
  }

  get status(): MintObserverStatus {
    const { requests, ready, counts } = this;
    return {
      ...counts,
      waiting: requests.size,
      ready: ready.length,
      offersRefused: requests.refusedCount,
      dropped: requests.droppedCount,
    };
  }

  /** The newest mints that were dropped, with the reason. */
  get dropped(): readonly DroppedMint[] {
    return this.requests.droppedMints;
  }

  /**
   * Requests the accounts of mints that the log saw in `slot`, at that slot or later, each once.
   * `isAgain` requests them once more, because the earlier answer did not help.
   */
  offer(mints: readonly Address[], slot: Slot, isAgain: boolean): void {
    for (const mint of mints) {
      if (!isAddress(mint)) continue;
      if (isAgain) this.requests.offerAgain(mint, slot);
      else this.requests.offer(mint, slot);
    }
  }

  /** Removes and returns observations of the end of `slot` or earlier, in no particular order. */
  take(slot: Slot): readonly AccountObservation[] {
    if (this.ready.length === 0) return [];
    const due = this.ready.filter(({ contextSlot }) => contextSlot <= slot);
    if (due.length > 0) this.ready = this.ready.filter(({ contextSlot }) => contextSlot > slot);
    return due;
  }

  /**
   * The log was reverted to `toSlot`. Observations made at or before that slot are returned again.
   * Later ones may come from the losing branch; their mints are requested again.
   */
  revert(toSlot: Slot, observations: readonly AccountObservation[]): void {
    this.reverts++;
    const candidates = [...this.ready, ...observations];
    this.ready = candidates.filter(({ contextSlot }) => contextSlot <= toSlot);
    for (const { contextSlot, mint } of candidates) {
      if (contextSlot > toSlot) this.requests.offerAgain(mint, toSlot);
    }
  }

  /** Sends requests, one call at a time, until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.options;
    while (!signal.aborted) {
      const waitMs = await this.step(signal);
      if (waitMs > 0) await clock.sleep(waitMs, signal);
    }
  }

  /** Makes one call if possible. Returns how long to wait, in milliseconds. */
  private async step(signal: AbortSignal): Promise<number> {
    const { clock, nodes } = this.options;
    const { idleMs, readyMax, restMs } = this.tuning;
    if (this.requests.size === 0 || this.ready.length >= readyMax) return idleMs;
    const nowMs = clock.nowMs();
    const isRefusing = (node: RpcNode) => nowMs < (this.refusedUntilMs.get(node) ?? 0);
    const refusing = nodes.nodes.filter(isRefusing);
    const choice = nodes.choose(nowMs, new Set(refusing));
    if (choice.kind === 'wait') return Math.min(idleMs, Math.max(1, choice.ms));
    const requests = this.requests.take(nowMs, MINTS_PER_CALL);
    if (requests.length === 0) return idleMs;
    await this.readAccounts(requests, choice.node, signal);
    return restMs;
  }

  private async readAccounts(
    requests: readonly MintRequest[],
    node: RpcNode,
    signal: AbortSignal,
  ): Promise<void> {
    const { reverts } = this;
    const addresses = await addressesOf(requests);
    const sinceSlot = asSlot(Math.max(...requests.map((request) => request.sinceSlot)));
    this.counts.calls++;
    const answer = await fetchAccounts(node, addresses, { minContextSlot: sinceSlot }, signal);
    const nowMs = this.options.clock.nowMs();
    // An answer requested before slots were reverted may come from the losing branch.
    const isUsable = answer.status === 'ok' && reverts === this.reverts;
    for (const [index, request] of requests.entries()) {
      if (isUsable) this.takeMint(request, answer.result, index, nowMs);
      else this.requests.delay(request, nowMs);
    }
    if (answer.status === 'ok') return;
    this.counts.failedCalls++;
    if (answer.failure.action === 'refused') this.refusedUntilMs.set(node, nowMs + REFUSED_MS);
  }

  private takeMint(
    request: MintRequest,
    { contextSlot, accounts }: AccountsAnswer,
    index: number,
    nowMs: number,
  ): void {
    const { mint } = request;
    const account = accounts[2 * index] ?? null;
    const reading = account === null ? NO_ACCOUNT : readMint(mint, account, contextSlot);
    if (reading.status === 'refused') {
      this.requests.fail(request, reading.reason, nowMs);
      return;
    }
    this.counts.mintsRead++;
    this.ready.push(reading.mint);
    if (reading.metadata !== null) this.ready.push(reading.metadata);
    this.takeMetadata(mint, accounts[2 * index + 1] ?? null, contextSlot);
  }

  private takeMetadata(mint: Address, account: AccountData | null, contextSlot: Slot): void {
    if (account === null) return;
    const reading = readMetaplexMetadata(mint, account, contextSlot);
    if (reading.status === 'refused') {
      this.counts.metadataRefused++;
      return;
    }
    this.counts.metadataRead++;
    this.ready.push(reading.metadata);
  }
}

const NO_ACCOUNT = { status: 'refused', reason: 'there is no such account' } as const;

/** Each derivation takes up to milliseconds: after this many, other tasks get a turn. */
const DERIVATIONS_PER_TURN = 8;

/** Mint, metadata, mint, metadata … */
async function addressesOf(requests: readonly MintRequest[]): Promise<Address[]> {
  const addresses: Address[] = [];
  for (const [index, { mint }] of requests.entries()) {
    addresses.push(mint, metadataAddress(mint) ?? mint);
    if (index % DERIVATIONS_PER_TURN === DERIVATIONS_PER_TURN - 1) await nextTurn();
  }
  return addresses;
}
