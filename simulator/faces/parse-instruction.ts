import { encodeBase58 } from '../../src/lib/base58.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  VOTE_PROGRAM,
} from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { integerJson } from './rust-number.ts';
import { uiTokenAmount } from './ui-token-amount.ts';

/** An instruction in the encoding `jsonParsed`. */
export interface ParsedInstruction {
  readonly program: string;
  readonly parsed: { readonly info: Readonly<Record<string, unknown>>; readonly type: string };
}

/**
 * Parses instructions of the programs in the simulation, by the rules of agave's transaction-status
 * crate; null for other programs and kinds, which nodes return partially decoded.
 */
export function parseInstruction(
  programId: Address,
  accounts: readonly Address[],
  data: Uint8Array,
): ParsedInstruction | null {
  const parser = PARSERS.get(programId);
  if (parser === undefined) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const parsed = parser.parse(view, accounts);
  if (parsed === null) return null;
  const { type, info } = parsed;
  return { parsed: { info: sorted(info), type }, program: parser.program };
}

/** The name of an instruction and its parsed fields, in any order. */
interface Parsed {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
}

interface Parser {
  readonly program: string;
  readonly parse: (data: DataView, accounts: readonly Address[]) => Parsed | null;
}

/** The layout of one kind: its length in bytes, its accounts in order, the rest of its data. */
interface Kind {
  readonly type: string;
  /** Null if it depends on the content. */
  readonly sizeBytes: number | null;
  readonly accounts: readonly string[];
  readonly info?: (data: DataView) => Readonly<Record<string, unknown>>;
}

const SYSTEM_KINDS: Readonly<Record<number, Kind>> = {
  0: {
    type: 'createAccount',
    sizeBytes: 52,
    accounts: ['source', 'newAccount'],
    info: (data) => ({ lamports: u64(data, 4), space: u64(data, 12), owner: keyAt(data, 20) }),
  },
  1: {
    type: 'assign',
    sizeBytes: 36,
    accounts: ['account'],
    info: (data) => ({ owner: keyAt(data, 4) }),
  },
  2: {
    type: 'transfer',
    sizeBytes: 12,
    accounts: ['source', 'destination'],
    info: (data) => ({ lamports: u64(data, 4) }),
  },
  8: {
    type: 'allocate',
    sizeBytes: 12,
    accounts: ['account'],
    info: (data) => ({ space: u64(data, 4) }),
  },
};

const amount = (data: DataView) => ({ amount: data.getBigUint64(1, true).toString() });
const checkedAmount = (data: DataView) => ({
  tokenAmount: uiTokenAmount(data.getBigUint64(1, true), data.getUint8(9)),
});

const TOKEN_KINDS: Readonly<Record<number, Kind>> = {
  3: {
    type: 'transfer',
    sizeBytes: 9,
    accounts: ['source', 'destination', 'authority'],
    info: amount,
  },
  6: {
    type: 'setAuthority',
    sizeBytes: null,
    accounts: ['mint', 'authority'],
    info: (data) => ({
      authorityType: ['mintTokens', 'freezeAccount'][data.getUint8(1)],
      newAuthority: optionalKeyAt(data, 2),
    }),
  },
  7: {
    type: 'mintTo',
    sizeBytes: 9,
    accounts: ['mint', 'account', 'mintAuthority'],
    info: amount,
  },
  8: { type: 'burn', sizeBytes: 9, accounts: ['account', 'mint', 'authority'], info: amount },
  9: { type: 'closeAccount', sizeBytes: 1, accounts: ['account', 'destination', 'owner'] },
  10: { type: 'freezeAccount', sizeBytes: 1, accounts: ['account', 'mint', 'freezeAuthority'] },
  11: { type: 'thawAccount', sizeBytes: 1, accounts: ['account', 'mint', 'freezeAuthority'] },
  12: {
    type: 'transferChecked',
    sizeBytes: 10,
    accounts: ['source', 'mint', 'destination', 'authority'],
    info: checkedAmount,
  },
  14: {
    type: 'mintToChecked',
    sizeBytes: 10,
    accounts: ['mint', 'account', 'mintAuthority'],
    info: checkedAmount,
  },
  15: {
    type: 'burnChecked',
    sizeBytes: 10,
    accounts: ['account', 'mint', 'authority'],
    info: checkedAmount,
  },
  17: { type: 'syncNative', sizeBytes: 1, accounts: ['account'] },
  18: {
    type: 'initializeAccount3',
    sizeBytes: 33,
    accounts: ['account', 'mint'],
    info: (data) => ({ owner: keyAt(data, 1) }),
  },
  20: {
    type: 'initializeMint2',
    sizeBytes: null,
    accounts: ['mint'],
    info: (data) => {
      const freezeAuthority = optionalKeyAt(data, 34);
      return {
        decimals: data.getUint8(1),
        mintAuthority: keyAt(data, 2),
        ...(freezeAuthority === null ? {} : { freezeAuthority }),
      };
    },
  },
  22: { type: 'initializeImmutableOwner', sizeBytes: 1, accounts: ['account'] },
};

/** Lengths of kinds with an optional key at the end, without that key. */
const OPENING_BYTES: Readonly<Record<string, number>> = { setAuthority: 2, initializeMint2: 34 };

function parseSystem(data: DataView, accounts: readonly Address[]): Parsed | null {
  if (data.byteLength < 4) return null;
  return parseKind(SYSTEM_KINDS[data.getUint32(0, true)], data, accounts);
}

function parseToken(data: DataView, accounts: readonly Address[]): Parsed | null {
  if (data.byteLength < 1) return null;
  const parsed = parseKind(TOKEN_KINDS[data.getUint8(0)], data, accounts);
  // The simulation never sets authorities of token accounts or extensions.
  return parsed?.type === 'setAuthority' && parsed.info.authorityType === undefined ? null : parsed;
}

function parseKind(
  kind: Kind | undefined,
  data: DataView,
  accounts: readonly Address[],
): Parsed | null {
  if (kind === undefined || accounts.length !== kind.accounts.length) return null;
  if (!hasRightLength(kind, data)) return null;
  const named = Object.fromEntries(kind.accounts.map((name, at) => [name, accounts[at]]));
  return { type: kind.type, info: { ...named, ...kind.info?.(data) } };
}

function hasRightLength({ type, sizeBytes }: Kind, data: DataView): boolean {
  if (sizeBytes !== null) return data.byteLength === sizeBytes;
  const opening = OPENING_BYTES[type] ?? 0;
  if (data.byteLength === opening + 1) return data.getUint8(opening) === 0;
  return data.byteLength === opening + 33 && data.getUint8(opening) === 1;
}

const ASSOCIATED_KINDS = ['create', 'createIdempotent'] as const;
const ASSOCIATED_ACCOUNTS = [
  'source',
  'account',
  'wallet',
  'mint',
  'systemProgram',
  'tokenProgram',
] as const;

function parseAssociated(data: DataView, accounts: readonly Address[]): Parsed | null {
  if (data.byteLength !== 1 || accounts.length !== ASSOCIATED_ACCOUNTS.length) return null;
  const type = ASSOCIATED_KINDS[data.getUint8(0)];
  if (type === undefined) return null;
  const info = Object.fromEntries(ASSOCIATED_ACCOUNTS.map((name, at) => [name, accounts[at]]));
  return { type, info };
}

const TOWER_SYNC = 14;

/** TowerSync: root, lockouts as offsets from it, hash, time, block id. */
function parseVote(data: DataView, accounts: readonly Address[]): Parsed | null {
  if (data.byteLength < 13 || data.getUint32(0, true) !== TOWER_SYNC) return null;
  const [voteAccount, voteAuthority] = accounts;
  const root = Number(data.getBigUint64(4, true));
  const count = data.getUint8(12);
  let slot = root;
  const lockouts = Array.from({ length: count }, (_, index) => {
    slot += data.getUint8(13 + 2 * index);
    return { confirmation_count: data.getUint8(14 + 2 * index), slot };
  });
  const end = 13 + 2 * count;
  const towerSync = {
    blockId: keyAt(data, end + 41),
    hash: keyAt(data, end),
    lockouts,
    root,
    timestamp: Number(data.getBigInt64(end + 33, true)),
  };
  return { type: 'towersync', info: { towerSync, voteAccount, voteAuthority } };
}

const PARSERS: ReadonlyMap<Address, Parser> = new Map<Address, Parser>([
  [SYSTEM_PROGRAM, { program: 'system', parse: parseSystem }],
  [SPL_TOKEN_PROGRAM, { program: 'spl-token', parse: parseToken }],
  [TOKEN_2022_PROGRAM, { program: 'spl-token', parse: parseToken }],
  [ASSOCIATED_TOKEN_PROGRAM, { program: 'spl-associated-token-account', parse: parseAssociated }],
  [VOTE_PROGRAM, { program: 'vote', parse: parseVote }],
]);

function sorted(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function u64(data: DataView, offset: number) {
  return integerJson(data.getBigUint64(offset, true));
}

function keyAt(data: DataView, offset: number): string {
  const start = data.byteOffset + offset;
  return encodeBase58(new Uint8Array(data.buffer, start, 32));
}

/** Follows a flag byte; null if the flag is not set. */
function optionalKeyAt(data: DataView, offset: number): string | null {
  return data.getUint8(offset) === 1 ? keyAt(data, offset + 1) : null;
}
