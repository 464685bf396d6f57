import { type Described, nullable, record, shortened, text, unknownOr } from '../../model/codec.ts';
import {
  CLEARABLE_FIELDS,
  METAPLEX_FIELDS,
  type MetadataContent,
  mergeClearableFields,
  mergeMetaplexFields,
  NO_METAPLEX_FIELDS,
} from '../../model/metadata-content.ts';
import { cleanText } from '../../model/text.ts';
import type { TokenMetadata } from '../../model/token-record.ts';
import type { Address } from '../../model/units.ts';
import { maybeAddress } from '../../model/value-codecs.ts';

const NAMED_METADATA = record({
  name: nullable(text),
  symbol: nullable(text),
  uri: nullable(text),
});

/** The fields of one standard; null if not set. */
export interface NamedMetadata extends Described<typeof NAMED_METADATA> {}

export const METADATA_STATE = shortened(
  record({
    metaplex: nullable(NAMED_METADATA),
    extension: nullable(NAMED_METADATA),
    /** Undefined while unknown. */
    metaplexAuthority: unknownOr(maybeAddress),
    extensionAuthority: unknownOr(maybeAddress),
    ...METAPLEX_FIELDS,
    ...CLEARABLE_FIELDS,
  }),
);

/**
 * The metadata of a mint in both standards. They are kept separately, because a mint can have both
 * and each can be updated independently; `presentMetadata` decides which one applies.
 */
export interface MetadataState extends Described<typeof METADATA_STATE> {}

export const NO_METADATA: MetadataState = {
  metaplex: null,
  extension: null,
  metaplexAuthority: undefined,
  extensionAuthority: undefined,
  ...NO_METAPLEX_FIELDS,
};

/** Maximum text lengths in code points. Metaplex allows 32, 10 and 200 bytes; Token-2022 any. */
const NAME_LENGTH_MAX = 256;
const SYMBOL_LENGTH_MAX = 64;
const URI_LENGTH_MAX = 1_024;

/** Applies an event. Fields that the event does not contain stay unchanged. */
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
    ...mergeMetaplexFields(event, state),
    ...mergeClearableFields(event, state),
  };
}

/** Applies metadata that is older than `state`: it fills only missing fields. */
export function applyOlderMetadata(state: MetadataState, older: MetadataContent): MetadataState {
  const base = applyMetadata(NO_METADATA, older);
  return {
    metaplex: filled(state.metaplex, base.metaplex),
    extension: filled(state.extension, base.extension),
    metaplexAuthority:
      state.metaplexAuthority === undefined ? base.metaplexAuthority : state.metaplexAuthority,
    extensionAuthority:
      state.extensionAuthority === undefined ? base.extensionAuthority : state.extensionAuthority,
    ...mergeMetaplexFields(state, base),
    ...mergeClearableFields(state, base),
  };
}

/**
 * Name, symbol and metadata of a mint. The extension on the mint itself has precedence over
 * Metaplex, as the Token-2022 metadata pointer specifies; fields that it lacks come from Metaplex.
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
      // An extension can be changed as long as it has an update authority.
      isMutable: extension === null ? (state.isMutable ?? true) : authority !== null,
      tokenStandard: state.tokenStandard,
      sellerFeeBps: state.sellerFeeBps,
      editionNonce: state.editionNonce ?? null,
      collection: state.collection ?? null,
      uses: state.uses ?? null,
      collectionDetails: state.collectionDetails ?? null,
      programmableConfig: state.programmableConfig ?? null,
    },
  };
}

function filled(current: NamedMetadata | null, base: NamedMetadata | null): NamedMetadata | null {
  if (current === null || base === null) return current ?? base;
  return {
    name: current.name ?? base.name,
    symbol: current.symbol ?? base.symbol,
    uri: current.uri ?? base.uri,
  };
}

function renamed(current: NamedMetadata | null, event: MetadataContent): NamedMetadata {
  return {
    name: cleaned(event.name, NAME_LENGTH_MAX) ?? current?.name ?? null,
    symbol: cleaned(event.symbol, SYMBOL_LENGTH_MAX) ?? current?.symbol ?? null,
    uri: cleaned(event.uri, URI_LENGTH_MAX) ?? current?.uri ?? null,
  };
}

function cleaned(text: string | null, lengthMax: number): string | null {
  return text === null ? null : cleanText(text, lengthMax);
}

function authorityAfter(
  current: Address | null | undefined,
  event: MetadataContent,
): Address | null | undefined {
  return event.updateAuthority === undefined ? current : event.updateAuthority;
}
