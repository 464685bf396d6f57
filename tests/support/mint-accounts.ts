import { SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/model/program.ts';
import { concat, key, u8, u16, u32, u64 } from './borsh-bytes.ts';

/** A mint account as its program writes it. */
export interface MintDraft {
  readonly mintAuthority?: string | null;
  readonly supplyRaw?: bigint;
  readonly decimals?: number;
  readonly isInitialized?: number;
  readonly freezeAuthority?: string | null;
}

/** The 82 bytes of spl-token's `Mint`. */
export function mintBytes(draft: MintDraft = {}): Uint8Array {
  return concat(
    optionalKey(draft.mintAuthority ?? null),
    u64(draft.supplyRaw ?? 0n),
    u8(draft.decimals ?? 6),
    u8(draft.isInitialized ?? 1),
    optionalKey(draft.freezeAuthority ?? null),
  );
}

/** Type, length and state of extensions of Token-2022, in order. */
export type ExtensionDraft = readonly [type: number, state: Uint8Array];

/** A Token-2022 mint: filled up to a token account's length, the type byte, then extensions. */
export function extendedMintBytes(
  draft: MintDraft,
  extensions: readonly ExtensionDraft[],
): Uint8Array {
  return concat(
    mintBytes(draft),
    new Uint8Array(165 - 82),
    u8(1),
    ...extensions.map(([type, state]) => concat(u16(type), u16(state.length), state)),
  );
}

export const splAccount = (bytes: Uint8Array) => ({ owner: SPL_TOKEN_PROGRAM, bytes });
export const token2022Account = (bytes: Uint8Array) => ({ owner: TOKEN_2022_PROGRAM, bytes });

function optionalKey(address: string | null): Uint8Array {
  return address === null ? concat(u32(0), new Uint8Array(32)) : concat(u32(1), key(address));
}
