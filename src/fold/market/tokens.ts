import { UndoLog } from '../../lib/undo-log.ts';
import type { MetadataObserved, MintObserved } from '../../model/account-observation.ts';
import type {
  AuthorityChange,
  CreatorChange,
  Launch,
  MetadataSet,
  MintCreated,
  TokenTransfer,
} from '../../model/chain-event.ts';
import type { LiquidityEvent } from '../../model/derived.ts';
import type { MintExtension, MintExtensionFact } from '../../model/mint-extension.ts';
import type { Address, RawAmount, Slot } from '../../model/units.ts';
import { knownTimeMs, type Moment } from './logical-time.ts';
import {
  carriedSupply,
  isUpToDate,
  noteKnownPart,
  noteSupplyChange,
  type OlderToken,
  olderToken,
  type TokenPart,
} from './older-token.ts';
import { applyMetadata, applyOlderMetadata } from './token-metadata.ts';
import { newToken, type TokenState } from './token-state.ts';

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
    state.older = null;
  }

  applyLaunch(event: Launch, at: Moment): void {
    const state = this.ensure(event.mint, null, at);
    this.touch(state, at);
    state.creator = event.creator;
    state.feeRecipient = event.feeRecipient ?? null;
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

  /** Somebody else is paid a token's creator fees; its creator stays who it was. */
  applyCreatorChange({ mint, feeRecipient }: CreatorChange, at: Moment): void {
    const state = this.ensure(mint, null, at);
    if (state.feeRecipient === feeRecipient) return;
    this.touch(state, at);
    state.feeRecipient = feeRecipient;
  }

  applyMetadataSet(event: MetadataSet, at: Moment): void {
    const state = this.ensure(event.mint, null, at);
    this.touch(state, at);
    state.metadata = applyMetadata(state.metadata, event);
    this.noteKnownPart(state, event.standard, at.slot);
  }

  /** Keeps the last word on each extension of a mint. */
  applyExtension({ mint, extension }: MintExtension, at: Moment): void {
    const state = this.ensure(mint, null, at);
    this.touch(state, at);
    this.keepExtension(state, extension);
    this.noteKnownPart(state, extension.kind, at.slot);
  }

  /** Mints and burns; a supply that was never seen to begin stays unknown until it is read. */
  applySupply(event: TokenTransfer, at: Moment): void {
    const state = this.states.get(event.mint);
    if (state === undefined) return;
    const deltaRaw = event.transferKind === 'burn' ? -event.amountGross : event.amountGross;
    if (state.supplyRaw !== null) {
      this.touch(state, at);
      this.setSupply(state, state.supplyRaw + deltaRaw, at);
    } else if (state.older !== null) {
      noteSupplyChange(state.older, { slot: at.slot, deltaRaw }, this.undo);
    }
  }

  /**
   * Fills in what a mint's account shows of a token older than the held history. What the chain told
   * after that slot stays, and the supply goes on from what was read.
   */
  applyMintObserved(event: MintObserved, at: Moment): void {
    const state = this.states.get(event.mint);
    if (state === undefined || state.older === null) return;
    const { older } = state;
    const { contextSlot } = event;
    const isNewEvent = (part: TokenPart) => this.isNewEvent(older, part, contextSlot);
    this.touch(state, at);
    state.tokenProgram ??= event.tokenProgram;
    state.decimals ??= event.decimals;
    if (isNewEvent('mintAuthority')) state.mintAuthority = event.mintAuthority;
    if (isNewEvent('freezeAuthority')) state.freezeAuthority = event.freezeAuthority;
    for (const extension of event.extensions) {
      if (isNewEvent(extension.kind)) this.keepExtension(state, extension);
    }
    if (state.supplyRaw !== null) return;
    const supplyRaw = carriedSupply(older, event.supplyRaw, contextSlot);
    if (supplyRaw === null) return;
    this.undo.keep(older.supplyChanges);
    older.supplyChanges.length = 0;
    this.setSupply(state, supplyRaw, at);
  }

  /** The same for what an account shows of its metadata. */
  applyMetadataObserved(event: MetadataObserved, at: Moment): void {
    const state = this.states.get(event.mint);
    if (state === undefined || state.older === null) return;
    const isNewEvent = this.isNewEvent(state.older, event.standard, event.contextSlot);
    const apply = isNewEvent ? applyMetadata : applyOlderMetadata;
    this.touch(state, at);
    state.metadata = apply(state.metadata, event);
  }

  applyAuthority(event: AuthorityChange, at: Moment): void {
    const state = this.states.get(event.mint);
    if (state === undefined) return;
    this.touch(state, at);
    if (event.authorityKind === 'mint') state.mintAuthority = event.newAuthority;
    else if (event.authorityKind === 'freeze') state.freezeAuthority = event.newAuthority;
    else state.metadata = { ...state.metadata, extensionAuthority: event.newAuthority };
    this.noteKnownPart(state, PART_OF_AUTHORITY[event.authorityKind], at.slot);
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

  /** Of a token that was touched. Less than nothing is none, from which the supply is unknown. */
  private setSupply(state: TokenState, supplyRaw: bigint, at: Moment): void {
    state.supplyRaw = supplyRaw < 0n ? null : (supplyRaw as RawAmount);
    if (supplyRaw >= 0n) return;
    this.undo.keep(this.total);
    this.total.contradictions++;
    state.older = olderToken(at.slot);
  }

  /** Of a token that was touched. */
  private keepExtension({ extensions }: TokenState, extension: MintExtensionFact): void {
    const index = extensions.findIndex(({ kind }) => kind === extension.kind);
    this.undo.keep(extensions);
    if (index < 0) extensions.push(extension);
    else extensions[index] = extension;
  }

  private noteKnownPart({ older }: TokenState, part: TokenPart, slot: Slot): void {
    if (older !== null) noteKnownPart(older, { part, slot }, this.undo);
  }

  /** Whether an account shows a part as newly as it is known; from here on it is as it shows it. */
  private isNewEvent(older: OlderToken, part: TokenPart, contextSlot: Slot): boolean {
    if (!isUpToDate(older, part, contextSlot)) return false;
    noteKnownPart(older, { part, slot: contextSlot }, this.undo);
    return true;
  }
}

const PART_OF_AUTHORITY = {
  mint: 'mintAuthority',
  freeze: 'freezeAuthority',
  metadata: 'token2022',
} as const satisfies Record<AuthorityChange['authorityKind'], TokenPart>;
