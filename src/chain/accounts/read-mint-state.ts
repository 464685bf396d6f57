import { BorshReader } from '../../model/borsh-reader.ts';
import { type MetadataContent, NO_METAPLEX_FIELDS } from '../../model/metadata-content.ts';
import type { MintExtensionFact } from '../../model/mint-extension.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import { type Address, asRawAmount, type RawAmount } from '../../model/units.ts';

/** The extensions of a mint that the model keeps. */
export interface MintState {
  /** At most one of each kind. */
  readonly extensions: readonly MintExtensionFact[];
  readonly metadata: MetadataContent | null;
}

/** Returns null to leave the extension out; the other extensions are still read. */
type ReadExtension = (reader: BorshReader) => MintExtensionFact | null;

/** spl-token-2022's `ExtensionType` (interface/src/extension/mod.rs), each with its state. */
const READERS: Readonly<Record<number, ReadExtension>> = {
  1: readTransferFeeConfig,
  3: (reader) => ({ kind: 'mintCloseAuthority', closeAuthority: readKey(reader) }),
  4: () => ({ kind: 'confidentialTransfer' }),
  6: (reader) => ({ kind: 'defaultAccountState', isFrozen: reader.u8() === FROZEN }),
  9: () => ({ kind: 'nonTransferable' }),
  10: readInterestConfig,
  12: (reader) => ({ kind: 'permanentDelegate', delegate: readKey(reader) }),
  14: (reader) => ({ kind: 'transferHook', hookProgram: readKey(skipped(reader, 32)) }),
  18: (reader) => ({ kind: 'metadataPointer', metadataAddress: readKey(skipped(reader, 32)) }),
  25: readScaledUiAmount,
  26: (reader) => ({ kind: 'pausable', isPaused: skipped(reader, 32).bool() }),
};
const TOKEN_METADATA = 19;
const NO_EXTENSION = 0;
/** spl-token-2022's `AccountState::Frozen`. */
const FROZEN = 2;
/** There are fewer extension types than this, and a mint has each at most once. */
const EXTENSIONS_MAX = 64;

/**
 * Reads the extensions after a mint's type byte: type and length of two bytes each, then the state,
 * until the end or type 0. `mint` is the account that holds them. Returns null for malformed bytes.
 */
export function readMintState(bytes: Uint8Array, mint: Address): MintState | null {
  const reader = new BorshReader(bytes);
  const extensions = new Map<string, MintExtensionFact>();
  let metadata: MetadataContent | null = null;
  for (let count = 0; reader.remaining >= 4; count++) {
    const type = reader.u16();
    if (type === NO_EXTENSION) break;
    const length = reader.u16();
    const start = bytes.length - reader.remaining;
    reader.skip(length);
    if (reader.isShort || count >= EXTENSIONS_MAX) return null;
    const state = new BorshReader(bytes.subarray(start, start + length));
    if (type === TOKEN_METADATA) metadata = readTokenMetadata(state, mint);
    const fact = READERS[type]?.(state) ?? null;
    if (state.isShort) return null;
    if (fact !== null) extensions.set(fact.kind, fact);
  }
  return { extensions: [...extensions.values()], metadata };
}

/**
 * Two authorities, the withheld amount, then two fees, each with the epoch it begins at. While the
 * two fees differ, only the epoch decides which one applies: then only the later one is reported.
 */
function readTransferFeeConfig(reader: BorshReader): MintExtensionFact {
  reader.skip(32 + 32 + 8);
  const older = readTransferFee(reader);
  const newer = readTransferFee(reader);
  const isSettled = older.feeBps === newer.feeBps && older.maxFeeRaw === newer.maxFeeRaw;
  // The field order matches other producers of this fact, because the digest depends on it.
  const { feeBps, maxFeeRaw } = newer;
  return { kind: isSettled ? 'transferFee' : 'nextTransferFee', feeBps, maxFeeRaw };
}

function readTransferFee(reader: BorshReader): { feeBps: number; maxFeeRaw: RawAmount } {
  reader.skip(8);
  const maxFeeRaw = asRawAmount(reader.u64());
  return { maxFeeRaw, feeBps: reader.u16() };
}

/** Authority, start, average rate before the last change, time of that change, rate. */
function readInterestConfig(reader: BorshReader): MintExtensionFact {
  reader.skip(32 + 8 + 2 + 8);
  return { kind: 'interestBearing', rateBps: reader.i16() };
}

/** The largest time a Date can represent, positive or negative. */
const TIME_MAX_SECONDS = 8_640_000_000_000n;

/**
 * Authority, multiplier, then the time at which a new multiplier applies and that multiplier; the
 * time is 0 if there never was one.
 */
function readScaledUiAmount(reader: BorshReader): MintExtensionFact | null {
  reader.skip(32 + 8);
  const seconds = reader.i64();
  const multiplier = reader.f64();
  const isTime = seconds > 0n && seconds <= TIME_MAX_SECONDS;
  const effectiveTimeMs = isTime ? Number(seconds) * 1_000 : null;
  if (!Number.isFinite(multiplier)) return null;
  return { kind: 'scaledUiAmount', multiplier, effectiveTimeMs };
}

/**
 * spl-token-metadata-interface's `TokenMetadata`. The additional fields at its end are not kept.
 */
function readTokenMetadata(reader: BorshReader, mint: Address): MetadataContent {
  const updateAuthority = readKey(reader);
  reader.skip(32);
  return {
    standard: 'token2022',
    mint,
    name: reader.string(),
    symbol: reader.string(),
    uri: reader.string(),
    updateAuthority,
    ...NO_METAPLEX_FIELDS,
  };
}

/** A key; all zeros mean none. */
function readKey(reader: BorshReader): Address | null {
  const key = reader.address();
  return key === SYSTEM_PROGRAM ? null : key;
}

function skipped(reader: BorshReader, byteCount: number): BorshReader {
  reader.skip(byteCount);
  return reader;
}
