/**
 * A picture as 32 × 32 luminance values, identical to those of Pillow (`convert('L')` and `resize`
 * with its Lanczos filter), since imagehash uses them. Pillow computes with integers, so the values
 * are the same on every machine.
 */
import { SIDE } from './perceptual-hash.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Bytes per pixel: red, green and blue first, or one byte of grey. */
  readonly channels: number;
  readonly data: Uint8Array;
}

/** Fractional bits: 32 less 8 of a pixel and 2 spare ones, so that sums fit 32-bit integers. */
const PRECISION_BITS = 22;
const HALF = 2 ** (PRECISION_BITS - 1);
const ONE = 2 ** PRECISION_BITS;
const LANCZOS_LOBES = 3;

export function shrinkLuminance(pixels: Pixels): Uint8Array {
  const { width, height } = pixels;
  const luminance = luminanceOf(pixels);
  const narrow = width === SIDE ? luminance : shrinkRows(luminance, width, height);
  return height === SIDE ? narrow : shrinkColumns(narrow, height);
}

/** ITU-R 601 with 16 fractional bits. */
function luminanceOf({ width, height, channels, data }: Pixels): Uint8Array {
  const luminance = new Uint8Array(width * height);
  if (channels < 3) {
    for (let at = 0; at < luminance.length; at++) luminance[at] = data[at * channels] as number;
    return luminance;
  }
  for (let at = 0; at < luminance.length; at++) {
    const offset = at * channels;
    const red = data[offset] as number;
    const green = data[offset + 1] as number;
    const blue = data[offset + 2] as number;
    luminance[at] = (red * 19_595 + green * 38_470 + blue * 7_471 + 32_768) >>> 16;
  }
  return luminance;
}

function shrinkRows(luminance: Uint8Array, width: number, height: number): Uint8Array {
  const filters = lanczosFilters(width);
  const narrow = new Uint8Array(SIDE * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < SIDE; x++) {
      const { first, weights } = filters[x] as Filter;
      let sum = HALF;
      const start = y * width + first;
      for (let tap = 0; tap < weights.length; tap++) {
        sum = (sum + (luminance[start + tap] as number) * (weights[tap] as number)) | 0;
      }
      narrow[y * SIDE + x] = toByte(sum);
    }
  }
  return narrow;
}

function shrinkColumns(narrow: Uint8Array, height: number): Uint8Array {
  const filters = lanczosFilters(height);
  const small = new Uint8Array(SIDE * SIDE);
  for (let y = 0; y < SIDE; y++) {
    const { first, weights } = filters[y] as Filter;
    for (let x = 0; x < SIDE; x++) {
      let sum = HALF;
      for (let tap = 0; tap < weights.length; tap++) {
        sum = (sum + (narrow[(first + tap) * SIDE + x] as number) * (weights[tap] as number)) | 0;
      }
      small[y * SIDE + x] = toByte(sum);
    }
  }
  return small;
}

function toByte(sum: number): number {
  return Math.max(0, Math.min(255, sum >> PRECISION_BITS));
}

/** The source pixels and weights of one value of the small picture. */
interface Filter {
  readonly first: number;
  readonly weights: Int32Array;
}

function lanczosFilters(size: number): readonly Filter[] {
  const scale = size / SIDE;
  const stretch = Math.max(1, scale);
  const reach = LANCZOS_LOBES * stretch;
  return Array.from({ length: SIDE }, (_, at) => {
    const centre = (at + 0.5) * scale;
    const first = Math.max(0, Math.trunc(centre - reach + 0.5));
    const end = Math.min(size, Math.trunc(centre + reach + 0.5));
    const raw = Array.from({ length: end - first }, (_, tap) =>
      lanczos((first + tap - centre + 0.5) / stretch),
    );
    const sum = raw.reduce((total, weight) => total + weight, 0);
    return { first, weights: Int32Array.from(raw, (weight) => roundedAway((weight / sum) * ONE)) };
  });
}

function lanczos(x: number): number {
  return Math.abs(x) < LANCZOS_LOBES ? sinc(x) * sinc(x / LANCZOS_LOBES) : 0;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Rounds halves away from zero. */
function roundedAway(value: number): number {
  return Math.trunc(value + (value < 0 ? -0.5 : 0.5));
}
