import { UndoLog } from '../lib/undo-log.ts';
import type {
  AuthorityChange,
  Launch,
  MetadataSet,
  MintCreated,
  MintExtension,
  MintExtensionFact,
  TokenTransfer,
} from '../model/chain-event.ts';
import type { LiquidityEvent, TokenRecord } from '../model/derived.ts';
import type { Address, PriceE18, RawAmount, Slot } from '../model/units.ts';
import { knownTimeMs, type Moment } from './logical-time.ts';
import {
  applyMetadata,
  type MetadataState,
  NO_METADATA,
  presentMetadata,
} from './token-metadata.ts';

/** What the fold knows of a mint from its own events. Prices and burns are other books' matter. */
export interface TokenState {
  readonly mint: Address;
  tokenProgram: Address | null;
  creator: Address | null;
  supplyRaw: RawAmount | null;
  decimals: number | null;
  mintAuthority: Address | null;
  freezeAuthority: Address | null;
  creationSlot: Slot | null;
  metadata: MetadataState;
  /** Of Token-2022, one of each kind, in order of first sight. */
  readonly extensions: MintExtensionFact[];
  liquidityEvent: LiquidityEvent | null;
  /** A pool was met whose beginning is older than the held history. */
  hasOlderPool: boolean;
  primaryPool: Address | null;
  readonly createdAtMs: number | null;
  updatedAtMs: number | null;
  slot: Slot;
}

/**
 * Tokens by mint: those that were created, got metadata, or are the base of a pool while we looked.
 * Mints that only lie in wallets have none.
 */
export class TokenBook {
  private readonly states = new Map<Address, TokenState>();
  private changed = new Set<TokenState>();
  private readonly total = { contradictions: 0 };
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  get(mint: Address): TokenState | undefined {
    return this.states.get(mint);
  }

  /** The token of a mint, made when it is new; `decimals` fills in what is not known yet. */
  ensure(mint: Address, decimals: number | null, at: Moment): TokenState {
    const known = this.states.get(mint);
    if (known === undefined) {
      const state = newToken(mint, decimals, at);
      this.undo.map(this.states, mint);
      this.states.set(mint, state);
      this.changed.add(state);
      return state;
    }
    if (known.decimals === null && decimals !== null) {
      this.touch(known, at);
      known.decimals = decimals;
    }
    return known;
  }

  /** A mint account came to life, empty. `firstSigner` stands as creator until a launch names one. */
  applyMintCreated(event: MintCreated, firstSigner: Address, at: Moment): void {
    const state = this.ensure(event.mint, event.decimals, at);
    this.touch(state, at);
    state.tokenProgram = event.tokenProgram;
    state.decimals = event.decimals;
    state.mintAuthority = event.mintAuthority;
    state.freezeAuthority = event.freezeAuthority;
    state.supplyRaw = 0n as RawAmount;
    state.creationSlot = at.slot;
    state.creator ??= firstSigner;
  }

  applyLaunch(event: Launch, at: Moment): void {
    const state = this.ensure(event.mint, null, at);
    this.touch(state, at);
    state.creator = event.creator;
    state.tokenProgram ??= event.tokenProgram;
    state.liquidityEvent ??= {
      pool: event.pool,
      quoteMint: event.quoteMint,
      lamports: 0n as LiquidityEvent['lamports'],
      // The reserves of the launch's event leave out what the curve does not sell.
      baseRaw: event.supply,
      valueUsd: 0n as LiquidityEvent['valueUsd'],
      slot: at.slot,
      timeMs: knownTimeMs(at),
    };
  }

  /**
   * Once a launching transaction is through: where the record shows no mint being created, the
   * launch's own word on the supply is the only one there is.
   */
  settleLaunch(event: Launch, at: Moment): void {
    const state = this.ensure(event.mint, null, at);
    if (state.supplyRaw !== null || event.supply === null) return;
    this.touch(state, at);
    state.supplyRaw = event.supply;
    state.creationSlot ??= at.slot;
  }

  applyMetadataSet(event: MetadataSet, at: Moment): void {
    const state = this.ensure(event.mint, null, at);
    this.touch(state, at);
    state.metadata = applyMetadata(state.metadata, event);
  }

  /** Keeps the last word on each extension of a mint. */
  applyExtension({ mint, extension }: MintExtension, at: Moment): void {
    const state = this.ensure(mint, null, at);
    const index = state.extensions.findIndex(({ kind }) => kind === extension.kind);
    this.touch(state, at);
    this.undo.keep(state.extensions);
    if (index < 0) state.extensions.push(extension);
    else state.extensions[index] = extension;
  }

  /** Mints and burns; a supply that was never seen to begin stays unknown. */
  applySupply(event: TokenTransfer, at: Moment): void {
    const state = this.states.get(event.mint);
    if (state === undefined || state.supplyRaw === null) return;
    const delta = event.transferKind === 'burn' ? -event.amountGross : event.amountGross;
    const supplyRaw = state.supplyRaw + delta;
    this.touch(state, at);
    if (supplyRaw < 0n) {
      this.undo.keep(this.total);
      this.total.contradictions++;
    }
    state.supplyRaw = supplyRaw < 0n ? null : (supplyRaw as RawAmount);
  }

  applyAuthority(event: AuthorityChange, at: Moment): void {
    const state = this.states.get(event.mint);
    if (state === undefined) return;
    this.touch(state, at);
    if (event.authorityKind === 'mint') state.mintAuthority = event.newAuthority;
    else if (event.authorityKind === 'freeze') state.freezeAuthority = event.newAuthority;
    else state.metadata = { ...state.metadata, extensionAuthority: event.newAuthority };
  }

  /**
   * The first real liquidity of a token (METHODS §1). Later pools do not count, nor pools beside a
   * curve, whose launch set the event already, nor the first one seen of a token that had pools
   * before the held history.
   */
  applyFirstLiquidity(mint: Address, event: LiquidityEvent, at: Moment): void {
    const state = this.states.get(mint);
    if (state === undefined || state.liquidityEvent !== null || state.hasOlderPool) return;
    this.touch(state, at);
    state.liquidityEvent = event;
  }

  /** The pool a curve's liquidity moved to is the token's liquidity event from then on. */
  applyMigration(mint: Address, event: LiquidityEvent, at: Moment): void {
    const state = this.ensure(mint, null, at);
    this.touch(state, at);
    state.liquidityEvent = event;
  }

  /** Names the pool that gives the token its price. */
  setPrimaryPool(state: TokenState, pool: Address, at: Moment): void {
    this.touch(state, at);
    state.primaryPool = pool;
  }

  /** A pool of the token was met whose beginning is older than the held history. */
  noteOlderPool(state: TokenState): void {
    this.undo.keep(state);
    state.hasOlderPool = true;
  }

  /** Names a token as changed; called before the change, which can be taken back from here on. */
  touch(state: TokenState, at: Moment): void {
    this.undo.keep(state);
    state.slot = at.slot;
    state.updatedAtMs = knownTimeMs(at);
    this.changed.add(state);
  }

  /** Tokens changed since the last call, in order of first change. */
  takeChanges(): TokenState[] {
    const changed = [...this.changed];
    this.changed = new Set();
    return changed;
  }

  /** Burns beyond the supply: something before them was missed. The supply is unknown from there. */
  get contradictionCount(): number {
    return this.total.contradictions;
  }

  get size(): number {
    return this.states.size;
  }

  /** Mints in sorted order. */
  mints(): Address[] {
    return [...this.states.keys()].sort();
  }
}

/** A token as the world sees it. Price and burns are given by the books that know them. */
export function presentToken(
  state: TokenState,
  priceUsd: PriceE18 | null,
  burnedRaw: RawAmount,
): TokenRecord {
  const { name, symbol, metadata } = presentMetadata(state.metadata);
  return {
    mint: state.mint,
    tokenProgram: state.tokenProgram,
    creator: state.creator,
    supplyRaw: state.supplyRaw,
    burnedRaw,
    decimals: state.decimals,
    name,
    symbol,
    mintAuthority: state.mintAuthority,
    freezeAuthority: state.freezeAuthority,
    creationSlot: state.creationSlot,
    metadata,
    liquidityEvent: state.liquidityEvent,
    primaryPool: state.primaryPool,
    priceUsd,
    createdAtMs: state.createdAtMs,
    updatedAtMs: state.updatedAtMs,
    slot: state.slot,
  };
}

function newToken(mint: Address, decimals: number | null, at: Moment): TokenState {
  return {
    mint,
    tokenProgram: null,
    creator: null,
    supplyRaw: null,
    decimals,
    mintAuthority: null,
    freezeAuthority: null,
    creationSlot: null,
    metadata: NO_METADATA,
    extensions: [],
    liquidityEvent: null,
    hasOlderPool: false,
    primaryPool: null,
    createdAtMs: knownTimeMs(at),
    updatedAtMs: knownTimeMs(at),
    slot: at.slot,
  };
}
