import { createHash } from 'node:crypto';
import { decodeBase58, encodeBase58 } from '../../src/lib/base58.ts';
import { programAddress } from '../../src/lib/program-address.ts';
import type { Address, Signature } from '../../src/model/units.ts';
import type { Random } from '../random.ts';
import { CurvePoints } from './curve-points.ts';

/**
 * Makes every key of a simulation: wallets that are points of ed25519, as keys somebody can sign
 * for are, accounts of arbitrary bytes, and the addresses programs own, derived as the runtime
 * derives them. Signatures have the right length and verify nothing.
 */
export class Keyring {
  private readonly random: Random;
  private readonly points: CurvePoints;

  constructor(random: Random) {
    this.random = random.fork('keys');
    this.points = new CurvePoints(random.fork('wallets'));
  }

  /** An address with a private key, as far as anybody can tell. */
  wallet(): Address {
    return encodeBase58(this.points.next()) as Address;
  }

  /** The address of a token account, a mint or another account that never signs later. */
  account(): Address {
    return encodeBase58(this.random.bytes(32)) as Address;
  }

  /**
   * Where an owner's tokens of a mint are: the same whenever somebody asks. Not derived as the
   * associated token program does, since that costs a thousand times as much and nothing reads it.
   */
  tokenAccount(owner: Address, mint: Address): Address {
    const digest = createHash('sha256').update(`${this.random.seed}/${owner}/${mint}`).digest();
    return encodeBase58(digest) as Address;
  }

  signature(): Signature {
    return encodeBase58(this.random.bytes(64)) as Signature;
  }

  blockhash(): string {
    return encodeBase58(this.random.bytes(32));
  }

  /** The address a program owns by these seeds. Texts are taken as UTF-8, addresses as their bytes. */
  derived(program: Address, ...seeds: readonly (string | Uint8Array)[]): Address {
    const parts = seeds.map((seed) => (typeof seed === 'string' ? Buffer.from(seed) : seed));
    const address = programAddress(parts, bytesOf(program));
    if (address === null) throw new Error('no bump gives an address off the curve');
    return encodeBase58(address) as Address;
  }
}

/** The 32 bytes of an address. */
export function bytesOf(address: Address): Uint8Array {
  const bytes = decodeBase58(address);
  if (bytes === null || bytes.length !== 32) throw new RangeError(`${address} is no address`);
  return bytes;
}
