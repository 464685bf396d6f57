import {
  METAPLEX_METADATA_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../src/model/program.ts';
import { concat, flag, key, text, u8, u16, u32 } from './borsh-bytes.ts';
import { address, type InstructionDraft } from './build-transaction.ts';

/** Instructions around a new mint as a test writes them. */
export interface MintDraft {
  readonly mint: string;
  readonly decimals: number;
  readonly mintAuthority: string;
  readonly freezeAuthority?: string;
  readonly program?: string;
}

export function initializeMint2(draft: MintDraft): InstructionDraft {
  const { mint, decimals, mintAuthority, freezeAuthority, program = SPL_TOKEN_PROGRAM } = draft;
  const data = concat(u8(20), u8(decimals), key(mintAuthority), optionalKey(freezeAuthority));
  return { program, accounts: [mint], data };
}

export function setAuthority(
  account: string,
  authorityType: number,
  newAuthority?: string,
): InstructionDraft {
  const data = concat(u8(6), u8(authorityType), optionalKey(newAuthority));
  return { program: SPL_TOKEN_PROGRAM, accounts: [account, address('authority')], data };
}

export interface MetadataDraft {
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly sellerFeeBps?: number;
  readonly creators?: readonly { address: string; verified: boolean; sharePercent: number }[];
  readonly updateAuthority: string;
  readonly isMutable: boolean;
}

/** Metaplex `CreateMetadataAccountV3`; `tag` and `tail` make it one of its older versions. */
export function createMetadataAccount(
  draft: MetadataDraft,
  tag = 33,
  tail: readonly Uint8Array[] = [u8(0), u8(0), flag(draft.isMutable), u8(0)],
): InstructionDraft {
  const { mint, updateAuthority } = draft;
  return {
    program: METAPLEX_METADATA_PROGRAM,
    accounts: [
      address('metadata'),
      mint,
      address('mint authority'),
      address('payer'),
      updateAuthority,
      SYSTEM_PROGRAM,
    ],
    data: concat(u8(tag), metadataData(draft), ...tail),
  };
}

/** Metaplex `Data`: name, symbol, uri, seller fee, creators. */
export function metadataData(draft: Omit<MetadataDraft, 'mint' | 'updateAuthority' | 'isMutable'>) {
  const { name, symbol, uri, sellerFeeBps = 0, creators } = draft;
  const encoded = (creators ?? []).map((creator) =>
    concat(key(creator.address), flag(creator.verified), u8(creator.sharePercent)),
  );
  const list = creators === undefined ? u8(0) : concat(u8(1), u32(creators.length), ...encoded);
  return concat(text(name), text(symbol), text(uri), u16(sellerFeeBps), list);
}

export function optionalKey(address: string | undefined): Uint8Array {
  return address === undefined ? u8(0) : concat(u8(1), key(address));
}
