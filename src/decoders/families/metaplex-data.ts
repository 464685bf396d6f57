/** Metaplex Token Metadata: the arguments `Data` and `DataV2`, which creations and updates share. */

import type { BorshReader } from '../../model/borsh-reader.ts';
import type { Collection, Creator, Uses } from '../../model/metadata-content.ts';
import { readCollection, readOption, readUses } from '../../model/metaplex-layout.ts';

/** `Data`: name, symbol, uri, sellerFeeBasisPoints, creators. */
export function readData(reader: BorshReader) {
  const name = reader.string();
  const symbol = reader.string();
  const uri = reader.string();
  const sellerFeeBps = reader.u16();
  const creators: Creator[] = [];
  const count = reader.bool() ? reader.u32() : 0;
  for (let index = 0; index < count && !reader.isShort; index++) {
    creators.push({
      address: reader.address(),
      verified: reader.bool(),
      sharePercent: reader.u8(),
    });
  }
  return { name, symbol, uri, sellerFeeBps, creators };
}

export interface Membership {
  readonly collection: Collection | null;
  readonly uses: Uses | null;
}

export const NO_MEMBERSHIP: Membership = { collection: null, uses: null };

/** The fields of `DataV2` after `Data`. */
export function readMembership(reader: BorshReader): Membership {
  return {
    collection: readOption(reader, readCollection),
    uses: readOption(reader, readUses),
  };
}
