import type { Random } from '../random/random.ts';

/** The field of ed25519, the curve's constant d, and its base point (RFC 8032 §5.1). */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202n;
const BASE_Y = 46316835694926478169428394003475163141307993866256225615783033603165251855960n;

/** Number of points normalised together with a single inversion. */
const BATCH = 128;

/** A point in extended coordinates: x = X/Z, y = Y/Z, T = XY/Z. */
interface Point {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly t: bigint;
}

const BASE: Point = { x: BASE_X, y: BASE_Y, z: 1n, t: mod(BASE_X * BASE_Y) };

/**
 * Generates compressed points of ed25519: a random multiple of the base point, then consecutive
 * multiples. Each is a public key whose private key exists.
 */
export class CurvePoints {
  private current: Point;
  private ready: Uint8Array[] = [];

  constructor(random: Random) {
    const bytes = random.bytes(32);
    let scalar = 0n;
    for (const byte of bytes) scalar = (scalar << 8n) | BigInt(byte);
    this.current = multiply(BASE, scalar);
  }

  next(): Uint8Array {
    if (this.ready.length === 0) this.ready = this.batch().reverse();
    return this.ready.pop() as Uint8Array;
  }

  private batch(): Uint8Array[] {
    const points: Point[] = [];
    for (let index = 0; index < BATCH; index++) {
      points.push(this.current);
      this.current = add(this.current, BASE);
    }
    return compressAll(points);
  }
}

/**
 * The unified addition of Hisil et al. for twisted Edwards curves with a = -1 (RFC 8032 §5.1.4).
 */
function add(p: Point, q: Point): Point {
  const a = mod((p.y - p.x) * (q.y - q.x));
  const b = mod((p.y + p.x) * (q.y + q.x));
  const c = mod(2n * D * p.t * q.t);
  const d = mod(2n * p.z * q.z);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return { x: mod(e * f), y: mod(g * h), z: mod(f * g), t: mod(e * h) };
}

function multiply(point: Point, scalar: bigint): Point {
  let result: Point = { x: 0n, y: 1n, z: 1n, t: 0n };
  let doubling = point;
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = add(result, doubling);
    doubling = add(doubling, doubling);
  }
  return result;
}

/**
 * Montgomery's trick: the inverse of the product of all Z yields each inverse by multiplication.
 */
function compressAll(points: readonly Point[]): Uint8Array[] {
  const products: bigint[] = [];
  let product = 1n;
  for (const { z } of points) {
    products.push(product);
    product = mod(product * z);
  }
  let inverse = invert(product);
  const compressed = new Array<Uint8Array>(points.length);
  for (let index = points.length - 1; index >= 0; index--) {
    const { x, y, z } = points[index] as Point;
    const inverseZ = mod(inverse * (products[index] as bigint));
    inverse = mod(inverse * z);
    compressed[index] = compress(mod(x * inverseZ), mod(y * inverseZ));
  }
  return compressed;
}

/** y in little endian, with the lowest bit of x in the highest bit. */
function compress(x: bigint, y: bigint): Uint8Array {
  const bytes = new Uint8Array(32);
  let rest = y | ((x & 1n) << 255n);
  for (let index = 0; index < 32; index++) {
    bytes[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

/** By Fermat's little theorem: the power P - 2. */
function invert(value: bigint): bigint {
  let result = 1n;
  let factor = value;
  for (let rest = P - 2n; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = mod(result * factor);
    factor = mod(factor * factor);
  }
  return result;
}

function mod(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}
