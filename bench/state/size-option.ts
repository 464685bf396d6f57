const FACTORS = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 } as const;
const SIZE = /^(\d+)(KiB|MiB|GiB)$/;

/** Bytes of a text such as 256MiB. Throws RangeError for anything else. */
export function parseSize(text: string): number {
  const found = SIZE.exec(text);
  if (found === null) throw new RangeError(`"${text}" is not a size such as 256MiB or 2GiB`);
  return Number(found[1]) * FACTORS[found[2] as keyof typeof FACTORS];
}
