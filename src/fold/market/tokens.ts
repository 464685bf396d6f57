import { AddressIds } from '../../lib/address-ids.ts';
import { ObjectMap } from '../../lib/object-map.ts';
import { StateValue } from '../../lib/state-value.ts';
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
import type { MintExtension, MintExtensionFact } from '../../model/mint-extension.ts';
import type { LiquidityEvent } from '../../model/token-record.ts';
import { type Address, asRawAmount, type Slot } from '../../model/units.ts';
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
import { newToken, TOKEN_STATE, type TokenState } from './token-state.ts';

/**
 * Tokens by mint. A mint has a token if it was created, received metadata, or is the base of a pool
 * within the observed history; a mint that is only held in wallets has none.
 */
export class TokenBook {
  private readonly ids: AddressIds<Address>;
  private readonly states: ObjectMap<TokenState>;
  private changed = new Set<TokenState>();
  private readonly total: StateValue<{ contradictions: number }>;
  private readonly undo: UndoLog;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(undo = new UndoLog(), ids = new AddressIds<Address>(undo)) {
    this.undo = undo;
    this.ids = ids;
    this.states = new ObjectMap(TOKEN_STATE, undo, 'tokens');
    this.total = new StateValue({ contradictions: 0 }, undo, 'token counts');
  }

  get(mint: Address): TokenState | undefined {
    const id = this.ids.find(mint);
    return id === -1 ? undefined : this.states.get(id);
  }

  /** The token of a mint, created if needed; `decimals` is used if not known yet. */
  ensure(mint: Address, decimals: number | null, at: Moment): TokenState {
    const known = this.get(mint);
    if (known === undefined) {
      const state = newToken(mint, decimals, at);
      this.states.set(this.ids.idOf(mint), state);
      this.changed.add(state);
      return state;
    }
    if (known.decimals === null && decimals !== null) {
      this.touch(known, at);
      known.decimals = decimals;
    }
    return known;
  }

  /** Applies a new mint account. `firstSigner` counts as creator until a launch reports one. */
  applyMintCreated(event: MintCreated, firstSigner: Address, at: Moment): void {
    const state = this.ensure(event.mint, event.decimals, at);
    this.touch(state, at);
    state.tokenProgram = event.tokenProgram;
    state.decimals = event.decimals;
    state.mintAuthority = event.mintAuthority;
    state.freezeAuthority = event.freezeAuthority;
    state.supplyRaw = asRawAmount(0n);
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
      // The reserves in the launch event exclude the part that the curve does not sell.
      baseRaw: event.supply,
      valueUsd: 0n as LiquidityEvent['valueUsd'],
      slot: at.slot,
      timeMs: knownTimeMs(at),
    };
  }

  /**
   * Call at the end of a launch transaction. If the transaction does not show the mint's creation,
   * the launch event is the only source of the supply.
   */
  settleLaunch(event: Launch, at: Moment): void {
    const state = this.ensure(event.mint, null, at);
    if (state.supplyRaw !== null || event.supply === null) return;
    this.touch(state, at);
    state.supplyRaw = event.supply;
    state.creationSlot ??= at.slot;
  }

  /** Changes the recipient of a token's creator fees. The creator itself does not change. */
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

  /** Stores the latest state of a mint extension. */
  applyExtension({ mint, extension }: MintExtension, at: Moment): void {
    const state = this.ensure(mint, null, at);
    this.touch(state, at);
    this.keepExtension(state, extension);
    this.noteKnownPart(state, extension.kind, at.slot);
  }

  /** Applies a mint or burn. A supply unknown from the beginning stays unknown until it is read. */
  applySupply(event: TokenTransfer, at: Moment): void {
    const state = this.get(event.mint);
    if (state === undefined) return;
    const deltaRaw = event.transferKind === 'burn' ? -event.amountGross : event.amountGross;
    if (state.supplyRaw !== null) {
      this.touch(state, at);
      this.setSupply(state, state.supplyRaw + deltaRaw, at);
    } else if (state.older !== null) {
      this.changing(state);
      noteSupplyChange(state.older, { slot: at.slot, deltaRaw }, this.undo);
    }
  }

  /**
   * Completes a token older than the stored history from its mint account. Values from events after
   * the read slot have precedence, and the supply is carried forward from the value read.
   */
  applyMintObserved(event: MintObserved, at: Moment): void {
    const state = this.get(event.mint);
    if (state === undefined || state.older === null) return;
    const { older } = state;
    const { contextSlot } = event;
    const accepts = (part: TokenPart) => this.acceptPart(older, part, contextSlot);
    this.touch(state, at);
    state.tokenProgram ??= event.tokenProgram;
    state.decimals ??= event.decimals;
    if (accepts('mintAuthority')) state.mintAuthority = event.mintAuthority;
    if (accepts('freezeAuthority')) state.freezeAuthority = event.freezeAuthority;
    for (const extension of event.extensions) {
      if (accepts(extension.kind)) this.keepExtension(state, extension);
    }
    if (state.supplyRaw !== null) return;
    const supplyRaw = carriedSupply(older, event.supplyRaw, contextSlot);
    if (supplyRaw === null) return;
    this.undo.keep(older.supplyChanges);
    older.supplyChanges.length = 0;
    this.setSupply(state, supplyRaw, at);
  }

  /** Completes a token from a read metadata account in the same way. */
  applyMetadataObserved(event: MetadataObserved, at: Moment): void {
    const state = this.get(event.mint);
    if (state === undefined || state.older === null) return;
    const isAccepted = this.acceptPart(state.older, event.standard, event.contextSlot);
    const apply = isAccepted ? applyMetadata : applyOlderMetadata;
    this.touch(state, at);
    state.metadata = apply(state.metadata, event);
  }

  applyAuthority(event: AuthorityChange, at: Moment): void {
    const state = this.get(event.mint);
    if (state === undefined) return;
    this.touch(state, at);
    if (event.authorityKind === 'mint') state.mintAuthority = event.newAuthority;
    else if (event.authorityKind === 'freeze') state.freezeAuthority = event.newAuthority;
    else state.metadata = { ...state.metadata, extensionAuthority: event.newAuthority };
    this.noteKnownPart(state, PART_OF_AUTHORITY[event.authorityKind], at.slot);
  }

  /**
   * Sets the first real liquidity of a token (METHODS §1). Ignored for later pools, for pools in
   * addition to a curve (its launch already set the event), and for a token that had pools before
   * the stored history.
   */
  applyFirstLiquidity(mint: Address, event: LiquidityEvent, at: Moment): void {
    const state = this.get(mint);
    if (state === undefined || state.liquidityEvent !== null || state.hasOlderPool) return;
    this.touch(state, at);
    state.liquidityEvent = event;
  }

  /** Makes the pool that a curve's liquidity moved to the token's liquidity event. */
  applyMigration(mint: Address, event: LiquidityEvent, at: Moment): void {
    const state = this.ensure(mint, null, at);
    this.touch(state, at);
    state.liquidityEvent = event;
  }

  /** Sets the pool that determines the token's price. */
  setPrimaryPool(state: TokenState, pool: Address, at: Moment): void {
    this.touch(state, at);
    state.primaryPool = pool;
  }

  /** Records that the token has a pool that was created before the stored history. */
  noteOlderPool(state: TokenState): void {
    this.changing(state);
    state.hasOlderPool = true;
  }

  /** Marks a token as changed. Must be called before the change, because it saves it for undo. */
  touch(state: TokenState, at: Moment): void {
    this.changing(state);
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

  /** Number of burns beyond the supply: events are missing, and the supply becomes unknown. */
  get contradictionCount(): number {
    return this.total.now.contradictions;
  }

  get size(): number {
    return this.states.size;
  }

  private changing(state: TokenState): void {
    this.states.changing(this.ids.idOf(state.mint));
    this.undo.keep(state);
  }

  /** Sets the supply; a negative one makes it unknown. Call `touch` first. */
  private setSupply(state: TokenState, supplyRaw: bigint, at: Moment): void {
    state.supplyRaw = supplyRaw < 0n ? null : asRawAmount(supplyRaw);
    if (supplyRaw >= 0n) return;
    this.undo.keep(this.total.now);
    this.total.now.contradictions++;
    state.older = olderToken(at.slot);
  }

  /** Stores an extension, replacing one of the same kind. Call `touch` first. */
  private keepExtension({ extensions }: TokenState, extension: MintExtensionFact): void {
    const index = extensions.findIndex(({ kind }) => kind === extension.kind);
    this.undo.keep(extensions);
    if (index < 0) extensions.push(extension);
    else extensions[index] = extension;
  }

  private noteKnownPart({ older }: TokenState, part: TokenPart, slot: Slot): void {
    if (older !== null) noteKnownPart(older, { part, slot }, this.undo);
  }

  /**
   * Whether an account read at `contextSlot` shows the current value of a part. If so, records it
   * as known at that slot.
   */
  private acceptPart(older: OlderToken, part: TokenPart, contextSlot: Slot): boolean {
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
