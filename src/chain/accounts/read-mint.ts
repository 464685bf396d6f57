import type { MetadataObserved, MintObserved } from '../../model/account-observation.ts';
import { BorshReader } from '../../model/borsh-reader.ts';
import { SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM } from '../../model/program.ts';
import { type Address, asRawAmount, type Slot } from '../../model/units.ts';
import type { AccountData } from './account-data.ts';
import { readMintState } from './read-mint-state.ts';

export type MintReading =
  | {
      readonly status: 'ok';
      readonly mint: MintObserved;
      /** The metadata that a Token-2022 mint stores in its own account. */
      readonly metadata: MetadataObserved | null;
    }
  | { readonly status: 'refused'; readonly reason: string };

/** Lengths of spl-token's `Mint`, `Account` and `Multisig`. */
const MINT_BYTES = 82;
const TOKEN_ACCOUNT_BYTES = 165;
const MULTISIG_BYTES = 355;
/** spl-token-2022's `AccountType::Mint`. */
const ACCOUNT_TYPE_MINT = 1;

/**
 * Reads a mint account of either token program (spl-token state.rs; in Token-2022 the extensions
 * follow after the length of a token account and a type byte). Never throws: an account that is not
 * a mint is refused.
 */
export function readMint(mint: Address, account: AccountData, contextSlot: Slot): MintReading {
  const { owner, bytes } = account;
  if (owner !== SPL_TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) {
    return refused(`it belongs to ${owner}`);
  }
  if (!isMintShaped(account)) return refused(`its ${bytes.length} bytes are not a mint`);
  const reader = new BorshReader(bytes);
  const mintAuthority = readOptionalKey(reader);
  const supplyRaw = asRawAmount(reader.u64());
  const decimals = reader.u8();
  const isInitialized = reader.u8();
  const freezeAuthority = readOptionalKey(reader);
  if (isInitialized !== 1) return refused('it is not initialised');
  if (mintAuthority === undefined || freezeAuthority === undefined) {
    return refused('an authority has an invalid tag');
  }
  const state = readMintState(bytes.subarray(TOKEN_ACCOUNT_BYTES + 1), mint);
  if (state === null) return refused('its extensions cannot be read');
  const { extensions, metadata } = state;
  const origin = { contextSlot, mint };
  const authorities = { mintAuthority, freezeAuthority };
  return {
    status: 'ok',
    mint: {
      kind: 'mintObserved',
      ...origin,
      tokenProgram: owner,
      decimals,
      supplyRaw,
      ...authorities,
      extensions,
    },
    metadata: metadata && { kind: 'metadataObserved', ...origin, ...metadata },
  };
}

function isMintShaped({ owner, bytes }: AccountData): boolean {
  if (bytes.length === MINT_BYTES) return true;
  if (owner !== TOKEN_2022_PROGRAM || bytes.length === MULTISIG_BYTES) return false;
  return bytes[TOKEN_ACCOUNT_BYTES] === ACCOUNT_TYPE_MINT;
}

/** A `COption`: a tag of four bytes and the key. Undefined for another tag. */
function readOptionalKey(reader: BorshReader): Address | null | undefined {
  const tag = reader.u32();
  const key = reader.address();
  if (tag === 0) return null;
  return tag === 1 ? key : undefined;
}

function refused(reason: string): MintReading {
  return { status: 'refused', reason };
}
