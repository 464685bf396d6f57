import { createHash } from 'node:crypto';
import { decodeBase58, encodeBase58 } from '../../src/lib/base58.ts';
import { programAddress } from '../../src/lib/program-address.ts';
import { type Address, asAddress, asSignature, type Signature } from '../../src/model/units.ts';
import type { Random } from '../random/random.ts';
import { CurvePoints } from './curve-points.ts';

/**
 * Generates all keys of a simulation: wallets, which are points of ed25519 like all keys that can
 * sign; accounts of arbitrary bytes; and program addresses, derived as the runtime derives them.
 * Signatures have the right length but are not valid.
 */
export class Keyring {
  private readonly random: Random;
  private readonly points: CurvePoints;

  constructor(random: Random) {
    this.random = random.fork('keys');
    this.points = new CurvePoints(random.fork('wallets'));
  }

  /** An address that looks as if it had a private key. */
  wallet(): Address {
    return asAddress(encodeBase58(this.points.next()));
  }

  /** The address of a token account, a mint or another account that never signs. */
  account(): Address {
    return asAddress(encodeBase58(this.random.bytes(32)));
  }

  /**
   * The address of an owner's token account of a mint: always the same. Not derived as the
   * associated token program does, since that costs a thousand times as much and nothing depends on
   * it.
   */
  tokenAccount(owner: Address, mint: Address): Address {
    const digest = createHash('sha256').update(`${this.random.seed}/${owner}/${mint}`).digest();
    return asAddress(encodeBase58(digest));
  }

  signature(): Signature {
    return asSignature(encodeBase58(this.random.bytes(64)));
  }

  blockhash(): string {
    return encodeBase58(this.random.bytes(32));
  }

  /** The program address for these seeds. Texts are encoded as UTF-8, addresses as their bytes. */
  derived(program: Address, ...seeds: readonly (string | Uint8Array)[]): Address {
    const parts = seeds.map((seed) => (typeof seed === 'string' ? Buffer.from(seed) : seed));
    const address = programAddress(parts, bytesOf(program));
    if (address === null) throw new Error('no bump gives an address off the curve');
    return asAddress(encodeBase58(address));
  }
}

/** The 32 bytes of an address. */
export function bytesOf(address: Address): Uint8Array {
  const bytes = decodeBase58(address);
  if (bytes === null || bytes.length !== 32) throw new RangeError(`${address} is no address`);
  return bytes;
}
