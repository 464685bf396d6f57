import type { MetadataContent } from '../../model/account-observation.ts';
import type { Creator } from '../../model/chain-event.ts';
import type { TokenMetadata } from '../../model/derived.ts';
import { cleanText } from '../../model/text.ts';
import type { Address } from '../../model/units.ts';

/**
 * What both metadata standards said of a mint. They are kept apart, because a mint can carry both
 * and they can be updated independently; which of them counts is decided when presented.
 */
export interface MetadataState {
  readonly metaplex: NamedMetadata | null;
  readonly extension: NamedMetadata | null;
  /** Undefined until a record tells. */
  readonly metaplexAuthority: Address | null | undefined;
  readonly extensionAuthority: Address | null | undefined;
  readonly creators: readonly Creator[] | null;
  readonly sellerFeeBps: number | null;
  readonly isMutable: boolean | null;
  readonly primarySaleHappened: boolean | null;
  readonly tokenStandard: string | null;
}

/** What one standard said; null: nothing. */
export interface NamedMetadata {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly uri: string | null;
}

export const NO_METADATA: MetadataState = {
  metaplex: null,
  extension: null,
  metaplexAuthority: undefined,
  extensionAuthority: undefined,
  creators: null,
  sellerFeeBps: null,
  isMutable: null,
  primarySaleHappened: null,
  tokenStandard: null,
};

/** Longest texts kept, in code points. Metaplex allows 32, 10 and 200 bytes; Token-2022 anything. */
const NAME_LENGTH_MAX = 256;
const SYMBOL_LENGTH_MAX = 64;
const URI_LENGTH_MAX = 1_024;

/** Adds one event. What the event leaves out stays as it was. */
export function applyMetadata(state: MetadataState, event: MetadataContent): MetadataState {
  if (event.standard === 'token2022') {
    return {
      ...state,
      extension: renamed(state.extension, event),
      extensionAuthority: authorityAfter(state.extensionAuthority, event),
    };
  }
  return {
    ...state,
    metaplex: renamed(state.metaplex, event),
    metaplexAuthority: authorityAfter(state.metaplexAuthority, event),
    creators: event.creators ?? state.creators,
    sellerFeeBps: event.sellerFeeBps ?? state.sellerFeeBps,
    isMutable: event.isMutable ?? state.isMutable,
    primarySaleHappened: event.primarySaleHappened ?? state.primarySaleHappened,
    tokenStandard: event.tokenStandard ?? state.tokenStandard,
  };
}

/** Adds what was so before the events of `state`: it fills what they left open. */
export function applyOlderMetadata(state: MetadataState, older: MetadataContent): MetadataState {
  const under = applyMetadata(NO_METADATA, older);
  return {
    metaplex: filled(state.metaplex, under.metaplex),
    extension: filled(state.extension, under.extension),
    metaplexAuthority:
      state.metaplexAuthority === undefined ? under.metaplexAuthority : state.metaplexAuthority,
    extensionAuthority:
      state.extensionAuthority === undefined ? under.extensionAuthority : state.extensionAuthority,
    creators: state.creators ?? under.creators,
    sellerFeeBps: state.sellerFeeBps ?? under.sellerFeeBps,
    isMutable: state.isMutable ?? under.isMutable,
    primarySaleHappened: state.primarySaleHappened ?? under.primarySaleHappened,
    tokenStandard: state.tokenStandard ?? under.tokenStandard,
  };
}

/**
 * Name, symbol and metadata of a mint. The extension on the mint itself wins over Metaplex, as the
 * Token-2022 metadata pointer says; what it has no field for still comes from Metaplex.
 */
export function presentMetadata(state: MetadataState): {
  name: string | null;
  symbol: string | null;
  metadata: TokenMetadata | null;
} {
  const { metaplex, extension } = state;
  if (metaplex === null && extension === null) return { name: null, symbol: null, metadata: null };
  const authority = extension === null ? state.metaplexAuthority : state.extensionAuthority;
  return {
    name: extension?.name ?? metaplex?.name ?? null,
    symbol: extension?.symbol ?? metaplex?.symbol ?? null,
    metadata: {
      updateAuthority: authority ?? null,
      uri: extension?.uri ?? metaplex?.uri ?? null,
      creators: state.creators,
      primarySaleHappened: state.primarySaleHappened ?? false,
      // An extension can be changed as long as somebody may sign for it.
      isMutable: extension === null ? (state.isMutable ?? true) : authority !== null,
      tokenStandard: state.tokenStandard,
      sellerFeeBps: state.sellerFeeBps,
    },
  };
}

function filled(held: NamedMetadata | null, under: NamedMetadata | null): NamedMetadata | null {
  if (held === null || under === null) return held ?? under;
  return {
    name: held.name ?? under.name,
    symbol: held.symbol ?? under.symbol,
    uri: held.uri ?? under.uri,
  };
}

function renamed(held: NamedMetadata | null, event: MetadataContent): NamedMetadata {
  return {
    name: cleaned(event.name, NAME_LENGTH_MAX) ?? held?.name ?? null,
    symbol: cleaned(event.symbol, SYMBOL_LENGTH_MAX) ?? held?.symbol ?? null,
    uri: cleaned(event.uri, URI_LENGTH_MAX) ?? held?.uri ?? null,
  };
}

function cleaned(text: string | null, lengthMax: number): string | null {
  return text === null ? null : cleanText(text, lengthMax);
}

function authorityAfter(
  held: Address | null | undefined,
  event: MetadataContent,
): Address | null | undefined {
  return event.updateAuthority === undefined ? held : event.updateAuthority;
}
