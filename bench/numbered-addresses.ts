import { encodeBase58 } from '../src/lib/base58.ts';
import { type Address, asAddress } from '../src/model/units.ts';

/** A distinct address for each number of a kind, as random as real ones. */
export function numberedAddress(kind: number, number: number): Address {
  const bytes = new Uint8Array(32);
  let state = (kind * 2_654_435_761 + number * 40_503 + 1) >>> 0;
  for (let index = 0; index < bytes.length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  new DataView(bytes.buffer).setUint32(0, number);
  return asAddress(encodeBase58(bytes));
}
