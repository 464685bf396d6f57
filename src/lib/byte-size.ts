const FACTORS = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 } as const;
const SIZE = /^(\d{1,6})(KiB|MiB|GiB)$/;

/** Bytes of a text such as "256MiB"; null for anything else. */
export function parseByteSize(text: string): number | null {
  const found = SIZE.exec(text);
  return found === null ? null : Number(found[1]) * FACTORS[found[2] as keyof typeof FACTORS];
}

/** The largest size in whole MiB up to so many bytes, at least 1, as `parseByteSize` reads it. */
export function byteSizeText(bytes: number): string {
  return `${Math.max(1, Math.floor(bytes / FACTORS.MiB))}MiB`;
}
