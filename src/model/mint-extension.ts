import { plain, record, type UnionOf, unionByKind, type WithKind } from './codec.ts';
import { EVENT_POSITION } from './event-position.ts';
import { address, amount, maybeAddress } from './value-codecs.ts';

const TRANSFER_FEE = record({ feeBps: plain<number>(), maxFeeRaw: amount });
const NOTHING = record({});

const EXTENSIONS = {
  transferFee: TRANSFER_FEE,
  /** Replaces the transfer fee two epochs after it is set. */
  nextTransferFee: TRANSFER_FEE,
  /**
   * Yearly rate, continuously compounded. Wallets display amounts with it; balances do not change.
   */
  interestBearing: record({ rateBps: plain<number>() }),
  /**
   * Factor that wallets multiply displayed amounts by, from the effective time on if there is one.
   */
  scaledUiAmount: record({
    multiplier: plain<number>(),
    effectiveTimeMs: plain<number | null>(),
  }),
  /** Account that holds the mint's metadata. */
  metadataPointer: record({ metadataAddress: maybeAddress }),
  /** May move and burn the tokens of any holder; null once removed. */
  permanentDelegate: record({ delegate: maybeAddress }),
  /** Program called on each transfer, which may reject it. */
  transferHook: record({ hookProgram: maybeAddress }),
  /** New accounts are frozen until the freeze authority thaws them. */
  defaultAccountState: record({ isFrozen: plain<boolean>() }),
  nonTransferable: NOTHING,
  pausable: record({ isPaused: plain<boolean>() }),
  mintCloseAuthority: record({ closeAuthority: maybeAddress }),
  /** Accounts may hide amounts, so that the record does not show them. */
  confidentialTransfer: NOTHING,
};

export const MINT_EXTENSION_FACT = unionByKind(EXTENSIONS);

/** State of an extension; a mint has at most one extension of each kind. */
export type MintExtensionFact = UnionOf<typeof EXTENSIONS>;

/** The kind of an extension. */
export type MintExtensionKind = MintExtensionFact['kind'];

export const MINT_EXTENSION = record({
  ...EVENT_POSITION,
  mint: address,
  extension: MINT_EXTENSION_FACT,
});

/**
 * A Token-2022 extension of a mint was initialised or changed. Amounts in other events stay raw.
 */
export interface MintExtension extends WithKind<'mintExtension', typeof MINT_EXTENSION> {}
