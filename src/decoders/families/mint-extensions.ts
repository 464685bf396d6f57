import { BorshReader } from '../../model/borsh-reader.ts';
import type { MintExtensionFact } from '../../model/mint-extension.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import { authorityOrNull } from '../legs/metadata-set.ts';

/**
 * Extensions of Token-2022 mints, read from the instructions that initialise or change them: the
 * tag, usually a second tag, then the fields in the order of the program's interface
 * (solana-program/token-2022, interface/src/extension). The mint is the first account of each.
 */

/**
 * Reads the fields after the tags. If the data end early the reader is short, and the fact is
 * discarded.
 */
type ReadFact = (reader: BorshReader) => MintExtensionFact;

const MINT_CLOSE_AUTHORITY = 25;
const NON_TRANSFERABLE = 32;
const PERMANENT_DELEGATE = 35;

/** Extensions with a single instruction, by tag. */
const READERS: Readonly<Record<number, ReadFact>> = {
  [MINT_CLOSE_AUTHORITY]: (reader) => ({
    kind: 'mintCloseAuthority',
    closeAuthority: maybeAddress(reader),
  }),
  [NON_TRANSFERABLE]: () => ({ kind: 'nonTransferable' }),
  [PERMANENT_DELEGATE]: (reader) => ({ kind: 'permanentDelegate', delegate: keyOrNull(reader) }),
};

/** The other extensions, by tag and second tag. */
const SECOND_READERS: Readonly<Record<number, Readonly<Record<number, ReadFact>>>> = {
  26: { 0: readTransferFeeConfig, 5: (reader) => readTransferFee('nextTransferFee', reader) },
  27: { 0: readConfidentialTransfer },
  28: { 0: readDefaultAccountState, 1: readDefaultAccountState },
  33: { 0: readInterestConfig, 1: readInterestRate },
  36: { 0: (reader) => readHook(skipKey(reader)), 1: readHook },
  39: { 0: (reader) => readPointer(skipKey(reader)), 1: readPointer },
  43: { 0: readScaledUiAmount, 1: readMultiplierUpdate },
  44: {
    0: () => ({ kind: 'pausable', isPaused: false }),
    1: () => ({ kind: 'pausable', isPaused: true }),
    2: () => ({ kind: 'pausable', isPaused: false }),
  },
};

/**
 * True for data that begin like an instruction that initialises or changes an extension of a mint.
 */
export function isMintExtension([tag = -1, second = -1]: Uint8Array): boolean {
  return READERS[tag] !== undefined || SECOND_READERS[tag]?.[second] !== undefined;
}

/**
 * The extension state set by such an instruction; null when its data end early or contain an
 * invalid number.
 */
export function readMintExtension(data: Uint8Array): MintExtensionFact | null {
  const [tag = -1, second = -1] = data;
  const single = READERS[tag];
  const read = single ?? SECOND_READERS[tag]?.[second];
  if (read === undefined) return null;
  const reader = new BorshReader(data, single === undefined ? 2 : 1);
  const fact = read(reader);
  if (reader.isShort) return null;
  return fact.kind === 'scaledUiAmount' && !Number.isFinite(fact.multiplier) ? null : fact;
}

/** The authorities that may change the fee and withdraw withheld fees, then the fee. */
function readTransferFeeConfig(reader: BorshReader): MintExtensionFact {
  maybeAddress(reader);
  maybeAddress(reader);
  return readTransferFee('transferFee', reader);
}

function readTransferFee(
  kind: 'transferFee' | 'nextTransferFee',
  reader: BorshReader,
): MintExtensionFact {
  const feeBps = reader.u16();
  return { kind, feeBps, maxFeeRaw: asRawAmount(reader.u64()) };
}

/** Authority, auto-approval of accounts, auditor key: none is kept. */
function readConfidentialTransfer(reader: BorshReader): MintExtensionFact {
  reader.skip(32 + 1 + 32);
  return { kind: 'confidentialTransfer' };
}

/** Value of the program's `AccountState`. */
const FROZEN = 2;

function readDefaultAccountState(reader: BorshReader): MintExtensionFact {
  return { kind: 'defaultAccountState', isFrozen: reader.u8() === FROZEN };
}

function readInterestConfig(reader: BorshReader): MintExtensionFact {
  return readInterestRate(skipKey(reader));
}

function readInterestRate(reader: BorshReader): MintExtensionFact {
  return { kind: 'interestBearing', rateBps: reader.i16() };
}

function readHook(reader: BorshReader): MintExtensionFact {
  return { kind: 'transferHook', hookProgram: keyOrNull(reader) };
}

function readPointer(reader: BorshReader): MintExtensionFact {
  return { kind: 'metadataPointer', metadataAddress: keyOrNull(reader) };
}

function readScaledUiAmount(reader: BorshReader): MintExtensionFact {
  return { kind: 'scaledUiAmount', multiplier: skipKey(reader).f64(), effectiveTimeMs: null };
}

/** The maximum absolute time of a Date. */
const TIME_MAX_SECONDS = 8_640_000_000_000n;

/** The multiplier and its effective time. The program treats a time in the past as now. */
function readMultiplierUpdate(reader: BorshReader): MintExtensionFact {
  const multiplier = reader.f64();
  const seconds = reader.i64();
  const isTime = seconds > 0n && seconds <= TIME_MAX_SECONDS;
  const effectiveTimeMs = isTime ? Number(seconds) * 1_000 : null;
  return { kind: 'scaledUiAmount', multiplier, effectiveTimeMs };
}

/** A key; all zeros mean none. */
function keyOrNull(reader: BorshReader): Address | null {
  return authorityOrNull(reader.address());
}

/** A flag, then the key if the flag is set. */
function maybeAddress(reader: BorshReader): Address | null {
  return reader.bool() ? reader.address() : null;
}

function skipKey(reader: BorshReader): BorshReader {
  reader.skip(32);
  return reader;
}
